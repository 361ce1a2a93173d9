"""`supported` means: it stands in a cited sentence, the verdict model agrees, and it is certain enough."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from answer_verdicts import always, answer_of, by_words
from runs import make_run
from specialists import QUESTION, TEXTS, FakePolicy, asked, reads

from probative import Answer, Encoder, ask, check
from probative.models.verdict import VerdictItem, VerdictScores
from probative.scope.sentences import passage_sentences, rows_with
from probative.testing import ScriptedModel, ScriptedVerdict

pytestmark = pytest.mark.model

UseVerdict = Callable[[ScriptedVerdict], ScriptedVerdict]
UsePolicy = Callable[[FakePolicy], FakePolicy]


def beam(shares: dict[str, float]) -> ScriptedModel:
    """A tuned reader that gives these answers with their probabilities."""
    return ScriptedModel(
        generate=next(iter(shares)),
        alternatives=lambda _: shares,
        choose=lambda _, options: [1.0] * len(options),
        name="embedded",
        reader=True,
    )


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        ("the Sea Larks", "Two sea larks nested there."),
        ("3 May 1901", "She sailed on May 3rd, 1901."),
        ("1901-05-03", "She sailed on 3 May 1901."),
        ("1901", "She sailed on 3 May 1901."),
        ("12", "Twelve ropes were sold."),
        ("1200 ropes", "They sold 1,200 ropes."),
        ("Ada Berg and Jon Vik", "Jon Vik and his sister Ada Berg sailed."),
        ("It was built in Molde", "In Molde the Lark was built."),
        ("光合作用", "植物通过光合作用生长。"),
    ],
)
def test_an_answer_stands_in_a_sentence_in_some_normal_form(answer: str, text: str) -> None:
    run = make_run(passages=["Tar is made of pine.", text])
    assert rows_with(run, answer, passage_sentences(run, [0, 1])) == [1]


@pytest.mark.parametrize("answer", ["Gravitational", "Narvik", "3 May 1902", "13", "Lark Sea", "Moldea"])
def test_what_no_sentence_contains_stands_nowhere(answer: str) -> None:
    texts = ["Gravity waves hit the Sea Lark on 3 May 1901 in Molde.", "12 of its ropes were lost."]
    run = make_run(passages=texts)
    assert rows_with(run, answer, passage_sentences(run, [0, 1])) == []


def test_the_cited_sentence_is_the_one_that_holds_the_answer(policy: FakePolicy, encoder: Encoder) -> None:
    long = "The Sea Lark is a ship. It was built in Molde by two brothers. Its sails are red."
    answer = asked(reads(), encoder, [TEXTS[1], long], min_certainty=0.0)
    (sentence,) = (cited for cited in answer.cited if cited.holds_answer)
    assert (sentence.index, sentence.text) == (1, "It was built in Molde by two brothers.")
    assert long[sentence.start : sentence.end] == sentence.text


def test_the_most_probable_answer_that_stands_in_the_chain_is_taken(
    policy: FakePolicy, encoder: Encoder
) -> None:
    model = beam({"Gravitational": 0.6, "Molde": 0.3, "unknown": 0.05, "Sea Lark": 0.02})
    answer = asked(model, encoder, min_certainty=0.0)
    assert (answer.answer, answer.verdict) == ("Molde", "supported")
    assert answer.signals is not None
    assert answer.signals.probability == pytest.approx(0.3)
    assert answer.answerable == pytest.approx(0.95)


def test_if_no_alternative_stands_in_the_chain_a_span_of_it_is_chosen(
    policy: FakePolicy, encoder: Encoder
) -> None:
    answer = asked(beam({"Gravitational": 0.9, "Narvik": 0.1}), encoder)
    assert "Gravitational" not in (answer.answer, answer.candidate)
    assert "does not stand in the chain; 'Molde' does" in " ".join(answer.notes)


def test_free_decoding_gives_what_stands_nowhere_only_as_a_candidate(
    policy: FakePolicy, encoder: Encoder
) -> None:
    answer = asked(reads("Gravitational"), encoder, decoding="free")
    assert (answer.answer, answer.candidate, answer.verdict) == (None, "Gravitational", "insufficient")
    assert answer.reason == "no sentence of the chain contains 'Gravitational'"


def test_a_model_behind_a_server_is_held_to_the_same(policy: FakePolicy, encoder: Encoder) -> None:
    model = ScriptedModel(generate="Narvik [2]", name="openai:some")
    answer = asked(model, encoder, answering="written")
    assert (answer.answer, answer.candidate, answer.verdict) == (None, "Narvik", "insufficient")


def test_the_verdict_model_must_agree(policy: FakePolicy, encoder: Encoder, use_verdict: UseVerdict) -> None:
    verdict = use_verdict(always(supported=0.05))
    answer = asked(reads(), encoder)
    assert (answer.answer, answer.candidate, answer.verdict) == (None, "Molde", "insufficient")
    assert "the verdict model does not find the answer in the chain (5%, and 65% is needed)" in (
        answer.reason or ""
    )
    assert verdict.asked[0] == VerdictItem(f"{QUESTION} Molde", (TEXTS[1], TEXTS[3]))
    use_verdict(always(supported=0.25, contradicted=0.75))
    assert "something else there (25%, and 75% is needed)" in (asked(reads(), encoder).reason or "")


def test_yes_needs_the_verdict_model_too(use: UsePolicy, use_verdict: UseVerdict, encoder: Encoder) -> None:
    use(FakePolicy("commanded"))

    def yes(verdict: ScriptedVerdict) -> Answer:
        use_verdict(verdict)
        question = "Did Ada Berg command the Sea Lark?"
        return ask(question, TEXTS, model=reads("yes"), encoder=encoder, preset="embedded")

    agreed, refused = yes(always(supported=0.95)), yes(always(supported=0.1))
    assert (agreed.answer, agreed.verdict) == ("yes", "supported")
    assert (refused.answer, refused.candidate, refused.verdict) == (None, "yes", "insufficient")


def test_an_answer_may_be_too_uncertain(policy: FakePolicy, encoder: Encoder) -> None:
    sure = asked(reads(), encoder, min_certainty=0.0)
    assert sure.certainty is not None
    refused = asked(reads(), encoder, min_certainty=min(1.0, sure.certainty + 0.01))
    assert (refused.answer, refused.candidate, refused.verdict) == (None, "Molde", "insufficient")
    assert refused.certainty == sure.certainty
    assert "the answer is too uncertain (" in (refused.reason or "")


@pytest.mark.parametrize(
    ("question", "reply", "text", "level"),
    [
        ("How many ferries has the Lark Line?", "three", "The Lark Line has three ferries and a tug.", True),
        ("How many boats has the Lark Line?", "nine", "The Lark Line has nine vessels.", True),
        ("What did a berth cost in 2020?", "40 euros", "From 1 May 2019 a berth costs 40 euros.", True),
        ("What did a berth cost in 2020?", "50 euros", "From 1 May 2023 a berth costs 50 euros.", False),
        ("What does a berth cost?", "50 euros", "From 1 May 2023 a berth costs 50 euros.", True),
    ],
)
def test_a_later_rule_is_not_supported(
    question: str,
    reply: str,
    text: str,
    level: bool,
    use: UsePolicy,
    use_verdict: UseVerdict,
    encoder: Encoder,
) -> None:
    use(FakePolicy("The Lark" if "Lark" in text else "berth"))
    use_verdict(always(supported=0.95))
    answer = ask(question, [text, TEXTS[0]], model=reads(reply), encoder=encoder, preset="embedded")
    assert (answer.level == "supported") == level
    assert answer.candidate == (None if level else reply)
    assert level or answer.level == "not_found"


def test_a_question_in_another_script_is_never_supported(use: UsePolicy, encoder: Encoder) -> None:
    use(FakePolicy("commanded"))
    question = "Кто командовал кораблём?"
    answer = ask(question, TEXTS, model=reads("yes"), encoder=encoder, preset="embedded")
    assert answer.verdict == "insufficient"
    assert "does not read this language (question: Russian)" in (answer.reason or "")


def test_a_missing_verdict_model_is_said_and_nothing_is_supported(
    policy: FakePolicy, encoder: Encoder, monkeypatch: pytest.MonkeyPatch
) -> None:
    from probative.errors import WeightsError

    def missing(_: object) -> ScriptedVerdict:
        raise WeightsError("the weights are gone")

    monkeypatch.setattr("probative.session.tools.Opener.verdict", missing)
    answer = asked(reads(), encoder)
    assert (answer.candidate, answer.verdict) == ("Molde", "insufficient")
    assert "the verdict model was not asked: the weights are gone" in answer.notes


def test_check_needs_an_answer_that_the_knowledge_entails(
    policy: FakePolicy, encoder: Encoder, use_verdict: UseVerdict
) -> None:
    complete = check(QUESTION, TEXTS, model=reads(), encoder=encoder, preset="embedded")
    assert (complete.complete, complete.candidate) == (True, "Molde")
    use_verdict(always(supported=0.05))
    doubtful = check(QUESTION, TEXTS, model=reads(), encoder=encoder, preset="embedded")
    assert (doubtful.complete, doubtful.candidate) == (False, "Molde")
    assert "does not find the answer" in (doubtful.reason or "")


def commands_only(item: VerdictItem) -> VerdictScores:
    """Knows that commanding is not driving."""
    if "drove" in item.claim and not any("drove" in text for text in item.evidence):
        return VerdictScores(0.1, 0.1, 0.8, (1.0 / len(item.evidence),) * len(item.evidence))
    return by_words(item)


def test_who_drove_is_not_supported_by_who_commanded(
    use: UsePolicy, use_verdict: UseVerdict, encoder: Encoder
) -> None:
    use(FakePolicy("commanded"))
    use_verdict(ScriptedVerdict(commands_only))
    model = reads("Ada Berg")
    answer = ask("Who drove the Sea Lark?", TEXTS, model=model, encoder=encoder, preset="embedded")
    assert (answer.answer, answer.candidate, answer.verdict) == (None, "Ada Berg", "insufficient")


def other_value(item: VerdictItem) -> VerdictScores:
    """Support a value that stands in the evidence, and deny any other."""
    own = any(answer_of(item.claim) in text for text in item.evidence)
    share = (1.0 / len(item.evidence),) * len(item.evidence)
    return VerdictScores(0.95, 0.02, 0.03, share) if own else VerdictScores(0.02, 0.95, 0.03, share)


def test_another_value_in_other_words_is_a_conflict_with_both_sides(
    use: UsePolicy, use_verdict: UseVerdict, encoder: Encoder
) -> None:
    use(FakePolicy("was built"))
    use_verdict(ScriptedVerdict(other_value))
    texts = [
        "The Sea Lark was built in Molde by two brothers.",
        "It was at Narvik that shipwrights laid down and finished the Sea Lark.",
        "Tar is made of pine.",
    ]
    answer = ask("Where was the Sea Lark built?", texts, model=reads(), encoder=encoder, preset="embedded")
    assert (answer.answer, answer.candidate, answer.verdict) == (None, "Molde", "contradicted")
    (conflict,) = answer.conflicts
    assert (conflict.index, conflict.says, conflict.other, conflict.instead) == (0, "Molde", 1, "Narvik")
    assert conflict.blocking
    assert conflict.other_text == texts[1]
    agreeing = use_verdict(always(supported=0.9))
    assert ask(
        "Where was the Sea Lark built?", texts, model=reads(), encoder=encoder, preset="embedded"
    ).verdict == ("supported")
    assert len(agreeing.asked) <= 1 + 12


@pytest.mark.parametrize(
    ("question", "reply", "texts", "verdict", "blocking"),
    [
        (
            "When did the Sea Lark sink?",
            "1870",
            [
                "The Sea Lark was built in 1842 and sank in 1870.",
                "The Sea Lark was built in 1824 and sank in 1870.",
            ],
            "supported",
            [],
        ),
        (
            "When was the Sea Lark built?",
            "1842",
            ["The Sea Lark was built in 1842.", "The Sea Lark was not built in 1900."],
            "supported",
            [],
        ),
        (
            "When was the ferry Sandpiper built?",
            "1931",
            ["The ferry Sandpiper was built in 1931.", "The ferry Sandpiper was built in 1913."],
            "contradicted",
            [True],
        ),
        (
            "Where was the ferry Sandpiper built?",
            "Hull",
            ["The ferry Sandpiper was built in Hull.", "The ferry Sandpiper was built in Leith."],
            "contradicted",
            [True],
        ),
        (
            "When was the Sea Lark built?",
            "1842",
            ["The Sea Lark was built in 1842.", "The Sea Lark was not built in 1842."],
            "contradicted",
            [True],
        ),
    ],
)
def test_a_conflict_blocks_only_if_it_touches_the_asked_value(
    question: str,
    reply: str,
    texts: list[str],
    verdict: str,
    blocking: list[bool],
    use: UsePolicy,
    encoder: Encoder,
) -> None:
    use(FakePolicy(texts[0]))
    answer = ask(question, texts, model=reads(reply), encoder=encoder, preset="embedded", min_certainty=0.0)
    assert answer.verdict == verdict
    assert [conflict.blocking for conflict in answer.conflicts] == blocking
    assert (answer.answer or answer.candidate) == reply


def test_of_two_ages_it_does_not_follow_who_is_taller(
    use: UsePolicy, use_verdict: UseVerdict, encoder: Encoder
) -> None:
    use(FakePolicy("43", "39"))
    use_verdict(always(supported=0.1))
    texts = ["Ada Berg is 43 years old.", "Jon Vik is 39 years old."]
    question = "Who is taller, Ada Berg or Jon Vik?"
    answer = ask(question, texts, model=reads("Ada Berg"), encoder=encoder, preset="embedded")
    assert (answer.answer, answer.verdict) == (None, "insufficient")
