"""An answer from one document is read and judged again where it stands."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from specialists import FakePolicy, requests

from probative import Answer, Encoder, Request, ask
from probative.scope.checks import Signals
from probative.scope.conclude.certainty import CertaintyModel, Term
from probative.scope.conclude.cited_sentences_check import excerpts_of
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
def test_what_other_readings_say_is_a_signal(use: UsePolicy, encoder: Encoder) -> None:
    use(FakePolicy("was built"))

    def by_length(text: str) -> dict[str, float]:
        sentences = text.count("Gull number")
        return {"Molde": {0: 0.7, 2: 0.6, 4: 0.9, 12: 0.3}[sentences], "unknown": 0.1}

    signals = asked(reader(by_length), encoder).signals
    assert signals is not None
    assert signals.probability == pytest.approx(0.9)
    assert signals.agreement == pytest.approx(0.3)  # the whole document
    assert signals.cited_agreement == pytest.approx(0.7)
    assert signals.window_agreement == pytest.approx(0.6)
    assert signals.same_answer == pytest.approx((0.9 + 0.3 + 0.7 + 0.6) / 4)
    assert signals.any_answer == pytest.approx(0.9)


@pytest.mark.model
def test_if_the_reader_finds_nothing_in_the_excerpt_it_reads_the_whole_document(
    use: UsePolicy, encoder: Encoder
) -> None:
    use(FakePolicy("was built"))
    answer = asked(reader(lambda text: {"Molde": 0.9} if FILLER[0] in text else {"unknown": 0.9}), encoder)
    assert answer.answer == "Molde"
    assert answer.signals is not None
    assert answer.signals.cited_agreement == 0.0


def test_the_sentences_of_several_short_passages_are_all_cited() -> None:
    sentences = [PassageSentence(index, None, f"It is {index}.", 0, 8) for index in (4, 4, 7)]
    assert excerpts_of(sentences, [1]).cited == (0, 1, 2)
    alone = excerpts_of(sentences[:2] * 3, [3])
    assert (alone.cited, alone.window) == ((3,), (2, 3, 4))


def test_a_signal_that_is_missing_counts_as_average() -> None:
    term = Term(signal="agreement", form="plain", mean=0.6, scale=0.2, weight=2.0)
    model = CertaintyModel(terms=(term,), bias=0.4, min_certainty=0.5, min_entailed=0.5, rows="none")
    assert model.certainty(Signals()) == model.certainty(Signals(agreement=0.6))
    assert model.certainty(Signals(agreement=0.1)) < model.certainty(Signals())
    assert Signals(probability=0.8, cited_agreement=0.6).same_answer == pytest.approx(0.7)
