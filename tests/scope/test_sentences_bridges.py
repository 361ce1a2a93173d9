"""What leads to the cited sentences: a sentence of each passage that adds a part of the question."""

from __future__ import annotations

from probative.scope.pipeline.to_result import bridge_sentences
from probative.scope.result import ChainPassage
from probative.scope.sentences import PassageSentence
from probative.text.sentences import spans_of
from probative.types import Passage

CITED = ChainPassage(index=7, text="Mo was born in Vindal.", carries=("intent: town", "node: Mo"))


def led(*others: ChainPassage) -> list[tuple[int, str]]:
    chain = (*others, CITED)
    sentences = [
        [
            PassageSentence(0, None, piece.text[start:end], start, end)
            for start, end in spans_of(Passage(text=piece.text))
        ]
        for piece in chain
    ]
    found = bridge_sentences(chain, {CITED.index}, sentences)
    by_index = {piece.index: piece.text for piece in chain}
    assert all(by_index[lead.index][lead.start : lead.end] == lead.text for lead in found)
    return [(lead.index, lead.text) for lead in found]


def passage(text: str, *carries: str, index: int = 2) -> ChainPassage:
    return ChainPassage(index=index, text=text, carries=carries)


def test_the_sentence_is_the_one_with_most_of_what_its_passage_carries() -> None:
    ferry = passage("The Gull was fast. Mo designed the Gull. Mo was tall.", "node: Gull", "node: Mo")
    assert led(ferry) == [(2, "Mo designed the Gull.")]


def test_of_equal_sentences_the_first_is_taken() -> None:
    assert led(passage("The Gull was fast. The Gull sank.", "node: Gull")) == [(2, "The Gull was fast.")]


def test_a_passage_that_adds_nothing_leads_nowhere() -> None:
    assert led(passage("Mo was tall.", "node: Mo"), passage("It rained.", index=3)) == []


def test_nothing_leads_to_an_answer_that_rests_on_no_passage() -> None:
    ferry = passage("Mo designed the Gull.", "node: Gull")
    assert bridge_sentences((ferry,), (), [[PassageSentence(0, None, ferry.text, 0, 21)]]) == ()
