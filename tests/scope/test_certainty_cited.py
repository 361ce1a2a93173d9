"""What of a long document is read and judged, and what a signal that is missing counts."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from specialists import FakePolicy, requests

from probative import Answer, Encoder, Request, ask
from probative.scope.checks import Signals
from probative.scope.conclude.certainty import CertaintyModel, Term, around
from probative.scope.sentences import PassageSentence
from probative.testing import ScriptedModel

UsePolicy = Callable[[FakePolicy], FakePolicy]

FILLER = [f"Gull number {number} sat on the quay of the old harbour all morning." for number in range(12)]
DOCUMENT = " ".join([*FILLER[:6], "The Sea Lark was built in Molde by two brothers.", *FILLER[6:]])
QUESTION = "Where was the Sea Lark built?"


def reader(answer: Callable[[str], dict[str, float]]) -> ScriptedModel:
    """Return a tuned reader whose answers depend on what it reads."""
    return ScriptedModel(
        generate=lambda request: next(iter(answer(text_of(request)))),
        alternatives=lambda request: answer(text_of(request)),
        choose=lambda _, options: [1.0] * len(options),
        name="embedded",
        reader=True,
    )


def text_of(request: Request) -> str:
    return request.messages[-1].content


def asked(model: ScriptedModel, encoder: Encoder) -> Answer:
    return ask(QUESTION, [DOCUMENT], model=model, encoder=encoder, preset="embedded", answer_anyway=True)


@pytest.mark.model
def test_of_a_long_document_the_reader_reads_the_taken_sentence_and_its_neighbours(
    use: UsePolicy, encoder: Encoder
) -> None:
    use(FakePolicy("was built"))
    model = reader(lambda _: {"Molde": 0.9, "unknown": 0.1})
    asked(model, encoder)
    first = text_of(requests(model)[0])
    assert "Molde" in first
    assert FILLER[4] in first
    assert FILLER[7] in first
    assert FILLER[3] not in first
    assert FILLER[8] not in first


@pytest.mark.model
def test_if_the_reader_finds_nothing_in_the_excerpt_it_reads_the_whole_document(
    use: UsePolicy, encoder: Encoder
) -> None:
    use(FakePolicy("was built"))
    answer = asked(reader(lambda text: {"Molde": 0.9} if FILLER[0] in text else {"unknown": 0.9}), encoder)
    assert answer.answer == "Molde"


def test_other_candidates_are_judged_by_all_sentences_if_they_are_few() -> None:
    sentences = [PassageSentence(index, None, f"It is {index}.", 0, 8) for index in (4, 4, 7)]
    assert around(sentences, [1]) == [0, 1, 2]
    many = sentences * 5
    assert around(many, [3]) == [3, 4]  # the sentences before and after are of another passage, or not
    assert around(many, [4, 0]) == [0, 1, 3, 4]


def test_a_signal_that_is_missing_counts_as_average() -> None:
    term = Term(signal="entailed", form="plain", mean=0.6, scale=0.2, weight=2.0)
    model = CertaintyModel(terms=(term,), bias=0.4, min_certainty=0.5, min_entailed=0.5, rows="none")
    assert model.certainty(Signals()) == model.certainty(Signals(entailed=0.6))
    assert model.certainty(Signals(entailed=0.1)) < model.certainty(Signals())
    assert not model.is_probable(1.0)
    assert model.model_copy(update={"min_probable": 0.5}).is_probable(0.5)
