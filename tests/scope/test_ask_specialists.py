"""The evidence policy and the tuned reader within `ask`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from specialists import BOTH, QUESTION, TEXTS, FakePolicy, asked, reads, requests

from probative import Answer, Encoder, Request, Verdict, ask
from probative.errors import EmptyError, ModelError
from probative.testing import ScriptedModel

pytestmark = pytest.mark.model


def test_the_policy_chooses_and_the_reader_answers_in_one_call(policy: FakePolicy, encoder: Encoder) -> None:
    model = reads()
    answer = asked(model, encoder)
    assert [passage.index for passage in answer.chain] == [1, 3]
    assert (answer.answer, answer.citations, answer.verdict) == ("Molde", (3,), "supported")
    (request,) = requests(model)
    system, user = request.messages
    assert (system.role, system.content) == ("system", "answer")
    assert user.content == f"Question: {QUESTION}\n1. {TEXTS[1]}\n2. {TEXTS[3]}\nQuestion: {QUESTION}"
    assert request.max_tokens == 32
    assert answer.answerable == pytest.approx(0.9)
    assert answer.completeness is not None
    assert answer.completeness > 0.9
    assert all(0.5 < (passage.probability or 0.0) < 1.0 for passage in answer.chain)
    assert policy.states[0].query == QUESTION
    assert policy.states[0].candidates == tuple(TEXTS)
    assert policy.states[-1].chosen == (TEXTS[1], TEXTS[3])
    # the drawing remains: features by rules, carried by words, with the node between the hops
    assert answer.features is not None
    assert "node: Ada Berg" in answer.chain[0].carries
    assert [node.text for node in answer.features.nodes if node.inferred] == ["Sea Lark"]
    assert Answer.model_validate_json(answer.to_json()) == answer


def test_what_all_cost_is_counted(policy: FakePolicy, encoder: Encoder) -> None:
    answer = asked(reads(), encoder)
    encoded, read = 1, 2  # the reader's answer, and its candidates scored
    judged = 1  # the chain: it has no other candidate
    assert answer.usage.calls == encoded + len(policy.states) + read + judged


@pytest.mark.parametrize(
    ("more", "header"), [({}, "Ada Berg"), ({"date": "1871-10-03"}, "Ada Berg (1871-10-03)")]
)
def test_headers_stand_before_what_the_policy_reads(
    more: dict[str, str], header: str, policy: FakePolicy, encoder: Encoder
) -> None:
    texts = [{"title": "Ada Berg", "text": "She commanded the Sea Lark.", **more}, TEXTS[3]]
    answer = asked(reads(), encoder, texts)
    assert policy.states[0].candidates[0] == f"{header}: She commanded the Sea Lark."
    assert answer.answer == "Molde"


def test_unknown_is_no_answer_and_not_enough(policy: FakePolicy, encoder: Encoder) -> None:
    answer = asked(reads("unknown", unknown=1.0), encoder)
    assert (answer.answer, answer.citations, answer.verdict) == (None, (), "insufficient")
    assert answer.answerable == pytest.approx(0.0)
    assert "the model finds no answer in it" in answer.notes[-1]


def test_a_doubtful_unknown_yields_to_a_sure_policy(policy: FakePolicy, encoder: Encoder) -> None:
    answer = asked(reads("unknown", unknown=0.45), encoder, min_certainty=0.0)
    assert answer.completeness is not None
    assert answer.completeness > 0.6
    assert (answer.answer, answer.verdict) == ("Molde", "supported")
    assert "the most probable candidate" in answer.notes[-1]
    uncertain = asked(reads("unknown", unknown=0.65), encoder, min_certainty=0.0)
    assert (uncertain.certainty or 1.0) < (answer.certainty or 0.0)


def reads_molde(request: Request) -> str:
    """Finds the town where it stands in what is shown."""
    return "Molde" if "built in Molde" in request.messages[-1].content else "unknown"


def test_where_the_reader_finds_nothing_the_chain_grows_along_its_links(
    use: Callable[[FakePolicy], FakePolicy], encoder: Encoder
) -> None:
    policy = use(FakePolicy("commanded"))  # it stops a hop too early
    answer = asked(reads(reads_molde), encoder)
    assert (answer.answer, answer.verdict) == ("Molde", "supported")
    assert [passage.index for passage in answer.chain] == [1, 3]
    assert "no answer in a shorter chain" in " ".join(answer.notes)
    assert TEXTS[3] in policy.states[-1].candidates
    assert TEXTS[0] not in policy.states[-1].candidates  # nothing leads there


def test_read_once_the_chain_stays_as_the_policy_left_it(
    use: Callable[[FakePolicy], FakePolicy], encoder: Encoder
) -> None:
    use(FakePolicy("commanded"))
    answer = asked(reads(reads_molde, unknown=1.0), encoder, extend_if_unanswered=False)
    assert (answer.answer, answer.verdict) == (None, "insufficient")
    assert [passage.index for passage in answer.chain] == [1]


def test_a_chain_does_not_grow_beyond_most_nor_for_nothing(
    use: Callable[[FakePolicy], FakePolicy], encoder: Encoder
) -> None:
    use(FakePolicy("commanded"))
    assert len(asked(reads(reads_molde, unknown=1.0), encoder, max_passages=1).chain) == 1
    answer = asked(reads("unknown", unknown=1.0), encoder)
    assert (answer.answer, [passage.index for passage in answer.chain]) == (None, [1])


def test_a_longer_chain_may_meet_a_contradiction(
    use: Callable[[FakePolicy], FakePolicy], encoder: Encoder
) -> None:
    use(FakePolicy("commanded"))
    texts = [*TEXTS, "The Sea Lark was built in Bergen by two brothers."]
    answer = asked(reads(reads_molde), encoder, texts)
    assert (answer.answer, answer.verdict) == (None, "contradicted")


def test_anyway_the_likeliest_of_what_the_chain_names_is_given(policy: FakePolicy, encoder: Encoder) -> None:
    def choose(prompt: str, options: tuple[str, ...]) -> list[float]:
        return [float(option in ("unknown", "Molde")) for option in options]

    texts = [TEXTS[1], "The Sea Lark was built in Molde, far from Bergen."]
    model = ScriptedModel(generate="unknown", choose=choose, name="embedded", reader=True)
    answer = asked(model, encoder, texts, answer_anyway=True)
    assert (answer.answer, answer.citations, answer.answerable) == ("Molde", (1,), 0.0)
    assert answer.verdict is Verdict.INSUFFICIENT
    assert any(note.endswith("this is the most probable candidate") for note in answer.notes)
    by_rag = ask(QUESTION, texts, model=model, encoder=encoder, method="rag", answer_anyway=True)
    assert (by_rag.answer, by_rag.verdict) == ("Molde", "insufficient")


def test_a_chain_that_the_policy_finds_incomplete_gives_only_a_candidate(
    use: Callable[[FakePolicy], FakePolicy], encoder: Encoder
) -> None:
    use(FakePolicy("commanded", "was launched"))
    model = reads()
    answer = asked(model, encoder)
    assert (answer.answer, answer.verdict) == (None, "insufficient")
    assert [passage.index for passage in answer.chain] == [1]
    assert answer.completeness is not None
    assert answer.completeness < 0.1
    assert answer.missing
    assert answer.candidate == "Sea Lark"  # the reader says Molde, which does not stand in the chain
    assert "no passage of the chain carries" in (answer.reason or "")
    anyway = asked(reads(), encoder, answer_anyway=True)
    assert (anyway.answer, anyway.verdict) == ("Sea Lark", "insufficient")
    careless = asked(reads(), encoder, min_completeness=0.0, min_certainty=0.0)
    assert (careless.answer, careless.verdict) == ("Sea Lark", "supported")


def test_where_the_policy_sees_nothing_the_best_passage_is_shown_all_the_same(
    use: Callable[[FakePolicy], FakePolicy], encoder: Encoder
) -> None:
    use(FakePolicy("commanded", hopeless=True))
    answer = asked(reads(), encoder)
    assert [passage.index for passage in answer.chain] == [1]
    assert answer.verdict is Verdict.INSUFFICIENT


def test_enough_by_the_policy_though_the_words_do_not_show_it(
    use: Callable[[FakePolicy], FakePolicy], encoder: Encoder
) -> None:
    use(FakePolicy("captain", "yard"))
    texts = ["Captain Berg led the vessel; she was its only captain.", "Its yard lay at Molde.", TEXTS[0]]
    answer = asked(reads(), encoder, texts)
    assert (answer.answer, answer.verdict, answer.missing) == ("Molde", "supported", ())
    assert any(note.startswith("the evidence policy takes the passages as enough") for note in answer.notes)


def test_no_more_than_most_are_taken(policy: FakePolicy, encoder: Encoder) -> None:
    answer = asked(reads(), encoder, max_passages=1)
    assert [passage.index for passage in answer.chain] == [1]


def test_conflicts_are_found_as_before(policy: FakePolicy, encoder: Encoder) -> None:
    texts = [*TEXTS, "The Sea Lark was built in Narvik by two brothers."]
    answer = asked(reads(), encoder, texts)
    assert (answer.answer, answer.verdict) == (None, "contradicted")
    assert {answer.conflicts[0].says, answer.conflicts[0].instead} == {"Molde", "Narvik"}
    anyway = asked(reads(), encoder, texts, answer_anyway=True)
    assert (anyway.answer, anyway.verdict) == ("Molde", "contradicted")


def test_what_the_policy_misses_is_looked_up(
    use: Callable[[FakePolicy], FakePolicy], encoder: Encoder
) -> None:
    use(FakePolicy(*BOTH))
    queries: list[str] = []

    def retriever(query: str, number: int) -> list[str]:
        queries.append(query)
        return TEXTS[:number]

    answer = asked(reads(), encoder, [TEXTS[1]], retriever=retriever)
    assert (answer.answer, answer.verdict) == ("Molde", "supported")
    assert queries
    nothing = asked(reads(), encoder, [TEXTS[1]], retriever=lambda query, number: [])
    assert nothing.verdict is Verdict.INSUFFICIENT
    assert "missing features were looked up; nothing new was found" in nothing.notes


@pytest.mark.slow
@pytest.mark.parametrize(
    ("reply", "answer", "note"),
    [
        ("Molde", "Molde", None),
        ("  Molde.  ", "Molde", None),
        ("Molde [2]", "Molde", None),
        ("\nMolde\nBecause it says so.", "Molde", None),
        ("Answer: Molde", "Molde", None),
        ("Unknown", None, None),
        ("unknown.", None, None),
        ("Oslo", "Molde", "'Oslo', which does not stand in the chain; 'Molde' does"),
        ("[1]", None, None),
        (EmptyError("nothing"), None, "the reader wrote nothing"),
    ],
)
def test_odd_replies(
    reply: Any, answer: str | None, note: str | None, policy: FakePolicy, encoder: Encoder
) -> None:
    found = asked(reads(lambda _: reply, unknown=0.1 if answer else 1.0), encoder)
    assert found.answer == answer
    assert found.verdict == ("supported" if answer else "insufficient")
    assert note is None or any(note in one for one in found.notes)
    assert set(found.citations) <= {1, 3}


def test_a_name_is_spelt_as_in_the_chain(policy: FakePolicy, encoder: Encoder) -> None:
    texts = [TEXTS[1], "The Sea Lark was built in Álvarosund by two brothers."]
    answer = asked(reads("Alvarosund"), encoder, texts)
    assert (answer.answer, answer.citations) == ("Álvarosund", (1,))
    assert "the reader wrote 'Alvarosund'; it is spelled as in the chain" in answer.notes


def test_a_failing_reader_is_an_error(policy: FakePolicy, encoder: Encoder) -> None:
    with pytest.raises(ModelError, match="out of order"):
        asked(reads(lambda _: ModelError("out of order")), encoder)


def test_yes_rests_on_the_whole_chain(policy: FakePolicy, encoder: Encoder) -> None:
    question = "Was the ship that Ada Berg commanded built in Molde?"
    answer = ask(question, TEXTS, model=reads("yes"), encoder=encoder, preset="embedded")
    assert (answer.answer, answer.citations) == ("yes", (1, 3))


def test_a_reader_that_cannot_choose_gives_no_probability(policy: FakePolicy, encoder: Encoder) -> None:
    answer = asked(ScriptedModel(generate="Molde", name="embedded", reader=True), encoder)
    assert (answer.answer, answer.answerable) == ("Molde", None)


def test_an_answer_and_its_page_name_the_reader_that_gave_it(policy: FakePolicy, encoder: Encoder) -> None:
    answer = asked(ScriptedModel(generate="Molde", name="embedded:large", reader=True), encoder)
    assert answer.model == "embedded:large"
    assert "embedded:large" in str(answer._repr_html_())


@pytest.mark.parametrize(("name", "how"), [("embedded:plain", "picked"), ("openai:some", "written")])
def test_any_other_model_picks_or_writes_and_a_note_says_so(
    name: str, how: str, policy: FakePolicy, encoder: Encoder
) -> None:
    model = ScriptedModel(generate="It was Molde [2].", score=lambda prompt, text: -1.0, name=name)
    answer = asked(model, encoder)
    assert answer.answer is not None
    assert "Molde" in answer.answer
    assert f"{name} is not the tuned reader; the answer was {how}" in answer.notes
    assert answer.answerable is None
    assert all(len(one.messages) == 1 for one in requests(model))
