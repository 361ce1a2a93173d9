"""Questions that need several values, through `ask`: retrieval for each step, what is missing, and parts."""

from __future__ import annotations

from collections.abc import Mapping

from specialists import FakePolicy

from probative import Passage, ask
from probative.models.types import Request
from probative.testing import ScriptedModel
from tests.helpers.letter_encoder import LetterEncoder

QUESTION = "Which peak is higher, Skarn Fell or Mount Ode?"
PEAKS = {
    "How high is Skarn Fell?": "Skarn Fell has a summit at 1,912 metres.",
    "How high is Mount Ode?": "Mount Ode is 5,700 feet high.",
}


def reader(says: Mapping[str, str]) -> ScriptedModel:
    def reply(request: Request) -> str:
        question = request.messages[-1].content.splitlines()[0].removeprefix("Question: ")
        return says.get(question, "unknown")

    return ScriptedModel(generate=reply, choose=lambda _, options: [1.0] * len(options), reader=True)


HEIGHTS = {"How high is Skarn Fell?": "1,912 metres", "How high is Mount Ode?": "5,700 feet"}


def test_each_value_is_retrieved_read_and_cited(policy: FakePolicy) -> None:
    queries: list[str] = []

    def retrieve(query: str, n: int) -> list[Passage]:
        queries.append(query)
        return [Passage(text=PEAKS[query])] if query in PEAKS else [Passage(text="Tar is made of pine.")]

    answer = ask(
        QUESTION, retriever=retrieve, model=reader(HEIGHTS), encoder=LetterEncoder(), preset="embedded"
    )
    assert queries == [QUESTION, *PEAKS]
    assert (answer.answer, answer.verdict) == ("Skarn Fell", "supported")
    assert answer.computation is not None
    assert answer.computation.rule == "1,912 metres > 5,700 feet"
    assert [(value.name, value.index, value.entailed) for value in answer.computation.values] == [
        ("Skarn Fell", 1, 0.9),
        ("Mount Ode", 2, 0.9),
    ]
    assert [passage.index for passage in answer.chain] == [1, 2]
    assert policy.states == []  # the passages of the values are the chain


def test_a_missing_value_is_named_and_the_reader_gives_a_candidate(policy: FakePolicy) -> None:
    says = {"How high is Skarn Fell?": "1,912 metres", QUESTION: "Skarn Fell"}
    texts = ["Skarn Fell, which Ada Berg commanded, has a summit at 1,912 metres; a hut was built there."]
    answer = ask(QUESTION, passages=texts, model=reader(says), encoder=LetterEncoder(), preset="embedded")
    assert (answer.answer, answer.candidate, answer.verdict) == (None, "Skarn Fell", "insufficient")
    assert "height: Mount Ode" in answer.missing
    assert answer.computation is not None
    assert [value.value for value in answer.computation.values] == ["1,912 metres", None]


def test_both_parts_are_answered_and_one_may_be_computed(policy: FakePolicy) -> None:
    question = "Which peak is higher, Skarn Fell or Mount Ode, and who climbed it?"
    says = {**HEIGHTS, "Who climbed Skarn Fell?": "Ada Berg"}
    texts = [*PEAKS.values(), "Ada Berg commanded the men who climbed Skarn Fell, where a hut was built."]
    answer = ask(question, passages=texts, model=reader(says), encoder=LetterEncoder(), preset="embedded")
    assert answer.answer == "Skarn Fell; Ada Berg"
    assert answer.computation is not None
