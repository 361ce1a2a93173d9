"""Every way to answer a question that scope is compared with."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from answer_verdicts import agreeing, always

from probative import Answer, Encoder, InputError, OutputError, Passage, Request, Verdict, ask
from probative.baselines.passages.closed_book import answer_line, count_votes, normalised
from probative.baselines.passages.results import NOTHING_READ
from probative.baselines.passages.verify_edit import statements_of
from probative.models.embedded.store import Weights
from probative.testing import ScriptedModel
from probative.verbs.ask import METHODS

QUESTION = "In which town was the ship built that Ada Berg commanded?"
PASSAGES = [
    "Tar is made of pine.",
    "The Sea Lark, a ship, was built in the town of Molde.",
    "Four pounds is the price of a ticket.",
    "Ada Berg was the commander of the ship Sea Lark.",
    "Mushrooms grow after rain.",
    "The violin has four strings.",
    "A glacier is a river of ice.",
]
# Two rationales with two statements each, and answers that differ.
OSLO = "Ada Berg commanded the Gannet. The Gannet was built in Oslo.\nAnswer: Oslo"
MOLDE = "Ada Berg commanded the Sea Lark. The Sea Lark was built in Molde.\nAnswer: Molde"


@pytest.fixture(autouse=True)
def verdict(monkeypatch: pytest.MonkeyPatch) -> None:
    """Support every answer that stands in the evidence, unless a test says otherwise."""
    monkeypatch.setattr("probative.session.tools.Opener.verdict", lambda _: agreeing())


def prompts(model: ScriptedModel) -> list[str]:
    return [one.messages[-1].content for one in model.asked if isinstance(one, Request)]


def voted(*answers: str) -> Answer:
    return ask(QUESTION, method="cot-sc", model=ScriptedModel(generate=[f"So.\n{one}" for one in answers]))


def editing(samples: list[str], facts: dict[str, str], final: str) -> Callable[[Request], str]:
    """A model that samples these texts, asks for each statement "Is it so: …", answers such a question from
    the facts by a word in it, and ends with `final`.
    """
    left = iter(samples)

    def answer(request: Request) -> str:
        prompt = request.messages[-1].content
        if request.temperature > 0:
            return next(left)
        if "Statement: " in prompt:
            return "Is it so: " + prompt.split("Statement: ")[1].splitlines()[0]
        if "-----" in prompt:
            asked = prompt.split("Question: ")[1]
            return next((fact for word, fact in facts.items() if word in asked), "unknown")
        return final

    return answer


@pytest.mark.model
def test_rag_answers_from_the_five_nearest_passages(encoder: Encoder) -> None:
    model = ScriptedModel(generate="Molde [1].")
    answer = ask(QUESTION, PASSAGES, method="rag", model=model, encoder=encoder)
    vectors = encoder.encode([QUESTION, *PASSAGES])
    cosines = (vectors[1:] @ vectors[0]).tolist()
    nearest = sorted(range(len(PASSAGES)), key=lambda place: -cosines[place])[:5]
    assert {nearest[0], nearest[1]} == {1, 3}
    assert [one.index for one in answer.chain] == nearest
    assert answer.answer == "Molde"
    assert answer.citations == (nearest[0],)
    assert answer.verdict is Verdict.SUPPORTED
    (prompt,) = prompts(model)
    assert [line for line in prompt.splitlines() if line.startswith("[")] == [
        f"[{number}] {PASSAGES[place]}" for number, place in enumerate(nearest, 1)
    ]
    assert f"Question: {QUESTION}" in prompt


@pytest.mark.model
def test_an_answer_of_rag_that_the_passages_do_not_entail_is_given_but_not_supported(
    encoder: Encoder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("probative.session.tools.Opener.verdict", lambda _: always(0.1))
    model = ScriptedModel(generate="Molde [1].")
    answer = ask(QUESTION, PASSAGES, method="rag", model=model, encoder=encoder)
    assert answer.answer == "Molde"
    assert answer.verdict is Verdict.INSUFFICIENT
    assert answer.reason is not None
    assert "verdict model" in answer.reason


@pytest.mark.model
def test_an_answer_of_rag_that_stands_nowhere_is_not_supported(encoder: Encoder) -> None:
    answer = ask(QUESTION, PASSAGES, method="rag", model=ScriptedModel(generate="Bergen"), encoder=encoder)
    assert (answer.answer, answer.verdict) == ("Bergen", Verdict.INSUFFICIENT)
    assert answer.reason == "no sentence of the chain contains 'Bergen'"


@pytest.mark.model
def test_rag_looks_at_titles_and_leaves_out_what_says_nothing(encoder: Encoder) -> None:
    given: list[str | Passage] = [
        *PASSAGES[4:],
        "  ",
        Passage(text="Oak and iron.", title="The ship that Ada Berg commanded"),
        PASSAGES[4],
    ]
    answer = ask(QUESTION, given, method="rag", model=ScriptedModel(generate="unknown"), encoder=encoder)
    assert answer.chain[0].index == 4
    assert sorted(one.index for one in answer.chain) == [0, 1, 2, 4]
    assert answer.notes == (
        "empty passages were left out: 1",
        "passages that repeat an earlier passage word for word were left out: 1",
    )
    assert answer.answer is None
    assert answer.verdict is Verdict.INSUFFICIENT


@pytest.mark.parametrize("given", [[], PASSAGES])
def test_a_closed_book_answer_rests_on_nothing(given: list[str]) -> None:
    model = ScriptedModel(generate="Answer: Molde.")
    answer = ask("Where is {question}?", given, method="closed-book", model=model)
    assert answer.answer == "Molde"
    assert (answer.chain, answer.citations, answer.notes) == ((), (), ())
    assert (answer.verdict, answer.reason) == (Verdict.INSUFFICIENT, NOTHING_READ)
    (prompt,) = prompts(model)
    assert "Question: Where is {question}?\n" in prompt
    assert not any(passage in prompt for passage in PASSAGES)
    assert answer.usage.calls == 1


def test_five_samples_are_drawn_and_the_majority_answers() -> None:
    said = [
        "Answer: Oslo",
        "Answer: Molde",
        "**Answer:** the molde.",
        "Answer: Bergen",
        "final answer: MOLDE",
    ]
    model = ScriptedModel(generate=[f"It is a town.\n{one}" for one in said])
    answer = ask(QUESTION, PASSAGES, method="cot-sc", model=model, seed=7)
    assert answer.answer == "Molde"
    assert answer.notes == ("samples that agree on the answer: 3 of 5",)
    assert (answer.chain, answer.citations) == ((), ())
    assert answer.usage.calls == 5
    requests = [one for one in model.asked if isinstance(one, Request)]
    assert [(one.sample, one.seed, one.temperature) for one in requests] == [
        (number, 7, 0.7) for number in range(5)
    ]
    assert len(set(prompts(model))) == 1
    assert QUESTION in prompts(model)[0]
    assert not any(passage in prompts(model)[0] for passage in PASSAGES)


def test_of_equally_frequent_answers_the_earliest_wins() -> None:
    tied = voted("Answer: Bergen", "Answer: Oslo", "Answer: Molde", "Answer: molde", "Answer: oslo")
    assert tied.answer == "Oslo"
    assert tied.notes == ("samples that agree on the answer: 2 of 5",)


def test_samples_without_an_answer_line_do_not_vote() -> None:
    some = voted("I say Oslo.", "Answer: Molde", "Answer:", "The answer is: Oslo", "I say Oslo.")
    assert some.answer == "Molde"
    assert some.notes == (
        "samples without an answer line: 4 of 5",
        "samples that agree on the answer: 1 of 5",
    )
    for method in ("cot-sc", "verify-edit"):
        with pytest.raises(OutputError, match="none of 5 samples") as caught:
            ask(QUESTION, PASSAGES, method=method, model=ScriptedModel(generate="I say Oslo."))
        assert caught.value.raw == "I say Oslo."
        assert caught.value.step == "reason"


def test_a_majority_that_knows_nothing_is_asked_once_more_without_steps() -> None:
    samples = ("Answer: unknown", "Answer: Oslo", "Answer: Unknown.", "Answer: unknown", "Answer: Oslo")
    for last, expected in (("Molde", "Molde"), ("unknown", None)):
        model = ScriptedModel(generate=[*samples, last])
        answer = ask(QUESTION, method="cot-sc", model=model)
        assert (answer.answer, answer.verdict) == (expected, Verdict.INSUFFICIENT)
        assert len(model.asked) == 5 + 1


def test_answers_are_counted_without_case_punctuation_and_articles() -> None:
    assert normalised("“The  U.S.”") == normalised("us")
    assert normalised("C++") != normalised("C")
    assert normalised("की") != normalised("का")  # a vowel sign is no punctuation
    assert len({normalised("?"), normalised("!"), ""}) == 3
    assert count_votes([], [].append) is None


def test_the_last_answer_line_counts_and_what_stands_before_it_is_the_rationale() -> None:
    assert answer_line("Answer: Oslo\nNo, wait.\n> Answer : Molde\nAnswer:") == (
        "Answer: Oslo\nNo, wait.",
        "Molde",
    )
    assert answer_line("My answer: Oslo") is None


def test_samples_that_all_agree_are_not_verified() -> None:
    model = ScriptedModel(generate=[MOLDE, MOLDE.replace("Molde", "the molde."), MOLDE, MOLDE, MOLDE])
    answer = ask(QUESTION, PASSAGES, method="verify-edit", model=model)
    assert answer.answer == "Molde"
    assert (answer.chain, answer.citations) == ((), ())
    assert answer.notes == ("samples that agree on the answer: 5 of 5",)
    assert answer.usage.calls == 5


@pytest.mark.model
def test_below_a_majority_the_reasoning_is_edited_and_with_one_it_is_kept(encoder: Encoder) -> None:
    """As published: of 5 samples, 3 that agree are enough, and 2 are not."""
    facts = {"built": "It was built in Molde."}
    three = ScriptedModel(generate=editing([MOLDE, OSLO, OSLO, MOLDE, OSLO], facts, "Molde"))
    kept = ask(QUESTION, PASSAGES, method="verify-edit", model=three, encoder=encoder)
    assert (kept.answer, kept.chain, len(three.asked)) == ("Oslo", (), 5)
    bergen = OSLO.replace("Oslo", "Bergen")
    two = ScriptedModel(generate=editing([OSLO, MOLDE, OSLO, "Hm.", bergen], facts, "Molde"))
    edited = ask(QUESTION, PASSAGES, method="verify-edit", model=two, encoder=encoder)
    assert (edited.answer, edited.citations) == ("Molde", (1,))
    assert len(two.asked) == 5 + 2 + 2 + 1


@pytest.mark.model
def test_when_to_edit_is_the_only_option_of_verify_edit(encoder: Encoder) -> None:
    model = ScriptedModel(generate=MOLDE)
    with pytest.raises(InputError, match="an option of verify-edit is wrong") as caught:
        ask(QUESTION, PASSAGES, method="verify-edit", model=model, encoder=encoder, edit="always")
    assert caught.value.what.endswith("got 'always'")
    assert caught.value.hint.startswith(("edit: ", "the options are edit"))
    for changes in ({"answer_anyway": True}, {"preset": "paper"}):
        with pytest.raises(InputError, match=r"verify-edit has no (option|presets)"):
            ask(QUESTION, PASSAGES, method="verify-edit", model=model, encoder=encoder, **changes)
    with pytest.raises(InputError, match="scope has no option"):
        ask(QUESTION, PASSAGES, model=model, encoder=encoder, edit="below-majority")


@pytest.mark.model
def test_samples_that_differ_are_mended_from_the_passages(encoder: Encoder) -> None:
    facts = {
        "built": "The Sea Lark was built in Molde [1].",
        "commanded": "Answer: Ada Berg commanded the Sea Lark.",
    }
    model = ScriptedModel(generate=editing([MOLDE, OSLO, OSLO, MOLDE, OSLO], facts, "Answer: Molde."))
    asked = "Where was Ada Berg's ship built, {statement} or {statements}?"
    answer = ask(asked, PASSAGES, method="verify-edit", edit="unless-unanimous", model=model, encoder=encoder)
    assert answer.answer == "Molde"
    assert [one.index for one in answer.chain] == [3, 1]
    assert answer.citations == (3, 1)
    assert answer.notes == ("samples that agree on the answer: 3 of 5",)
    assert len(prompts(model)) == 5 + 2 + 2 + 1  # samples, questions, answers, the end
    sent = prompts(model)[5:]
    assert all(f"Question: {asked}\n" in prompt for prompt in (sent[0], sent[1], sent[4]))
    assert "Statement: Ada Berg commanded the Gannet.\n" in sent[0]
    assert "Statement: The Gannet was built in Oslo.\n" in sent[1]
    for prompt, place, statement in (
        (sent[2], 3, "Ada Berg commanded the Gannet."),
        (sent[3], 1, "The Gannet was built in Oslo."),
    ):
        assert prompt.split("-----\n")[1] == f"{PASSAGES[place]}\n"
        assert prompt.endswith(f"Question: Is it so: {statement}\nAnswer:")
    assert "- Ada Berg commanded the Sea Lark\n- The Sea Lark was built in Molde\n" in sent[4]


@pytest.mark.model
def test_statements_that_the_passages_say_nothing_of_stay_and_cite_nothing(encoder: Encoder) -> None:
    samples = [OSLO, MOLDE, OSLO, "Hm.", OSLO]
    model = ScriptedModel(generate=editing(samples, {"built": "It was built in Molde."}, "Molde"))
    answer = ask(
        QUESTION, PASSAGES, method="verify-edit", edit="unless-unanimous", model=model, encoder=encoder
    )
    assert (answer.answer, answer.citations) == ("Molde", (1,))
    assert "- Ada Berg commanded the Gannet.\n- It was built in Molde\n" in prompts(model)[-1]
    assert "statements that the passages say nothing about were kept: 1" in answer.notes

    silent = ScriptedModel(generate=editing(samples, {}, "Molde"))
    kept = ask(
        QUESTION, PASSAGES, method="verify-edit", edit="unless-unanimous", model=silent, encoder=encoder
    )
    assert (kept.answer, kept.chain) == ("Oslo", ())
    assert kept.notes[-1] == "the passages say nothing about the reasoning: the majority's answer is kept"
    assert len(silent.asked) == 5 + 2 + 2

    unsure = ScriptedModel(generate=editing(samples, {"built": "In Molde."}, "unknown"))
    none = ask(
        QUESTION, PASSAGES, method="verify-edit", edit="unless-unanimous", model=unsure, encoder=encoder
    )
    assert (none.answer, none.citations, none.verdict) == (None, (), Verdict.INSUFFICIENT)


@pytest.mark.model
def test_one_sample_without_an_answer_is_no_agreement(encoder: Encoder) -> None:
    model = ScriptedModel(generate=editing([MOLDE] * 4 + ["Hm."], {"built": "In Molde."}, "Molde"))
    answer = ask(
        QUESTION, PASSAGES, method="verify-edit", edit="unless-unanimous", model=model, encoder=encoder
    )
    assert len(model.asked) == 5 + 2 + 2 + 1
    assert [one.index for one in answer.chain] == [1]


@pytest.mark.parametrize("given", [[], [" ", "\n"]])
def test_without_passages_the_majority_answers(given: list[str]) -> None:
    model = ScriptedModel(generate=[MOLDE, OSLO, OSLO, MOLDE, OSLO])
    answer = ask(QUESTION, given, method="verify-edit", edit="unless-unanimous", model=model)
    assert (answer.answer, answer.chain) == ("Oslo", ())
    assert answer.notes[-1].startswith("there are no passages to verify the reasoning with")
    assert answer.usage.calls == 5


def test_without_reasoning_there_is_nothing_to_verify() -> None:
    model = ScriptedModel(generate=["Answer: Oslo", MOLDE, "Answer: Oslo", "Answer: Oslo", MOLDE])
    answer = ask(QUESTION, PASSAGES, method="verify-edit", edit="unless-unanimous", model=model)
    assert answer.answer == "Oslo"
    assert answer.notes[-1].startswith("the samples give no reasoning to verify")
    assert answer.usage.calls == 5


def test_at_most_four_statements_are_verified() -> None:
    notes: list[str] = []
    assert statements_of("One is so. 22.\n- Two\nis so. Three is so. Four is so. Five is so.", notes.append)[
        -1
    ] == ("Four is so.")
    assert notes == ["the first 4 of 5 statements of the reasoning were verified"]


@pytest.mark.model
def test_empty_input_is_refused(encoder: Encoder) -> None:
    model = ScriptedModel(generate="Answer: Molde")
    for method in ("rag", "closed-book", "cot-sc", "verify-edit"):
        assert method in METHODS
        with pytest.raises(InputError, match="question is empty"):
            ask(" ", PASSAGES, method=method, model=model, encoder=encoder)
    for given in ([], [" "]):
        with pytest.raises(InputError, match="passages"):
            ask(QUESTION, given, method="rag", model=model, encoder=encoder)
    assert model.asked == []


@pytest.mark.slow
@pytest.mark.parametrize(
    ("method", "options", "calls"),
    [
        ("rag", {}, 3),
        ("closed-book", {}, 1),
        ("cot-sc", {}, 5),
        # Most samples of the stand-in agree, but not all. The passages say nothing about its statements.
        ("verify-edit", {}, 5),
        ("verify-edit", {"edit": "unless-unanimous"}, 5 + 3 + 1 + 3),
    ],
)
def test_a_dry_run_counts_the_whole_way(
    method: str, options: dict[str, str], calls: int, weights: Weights
) -> None:
    answer = ask(QUESTION, PASSAGES, method=method, model="embedded", dry_run=True, **options)
    assert answer.usage.calls == calls
    assert answer.citations == ()
    if method != "rag":
        assert answer.answer is None


@pytest.mark.model
def test_a_dry_run_without_passages_has_nothing_to_verify_with(weights: Weights) -> None:
    answer = ask(QUESTION, method="verify-edit", model="embedded", dry_run=True)
    assert (answer.usage.calls, answer.answer) == (5, None)
