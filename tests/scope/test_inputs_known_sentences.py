"""Passages that know their sentences: rows of tables and items of lists end without a full stop."""

from __future__ import annotations

from probative.corpus.documents.document import Document
from probative.corpus.documents.passages import passages_of
from probative.scope.inputs import clean_passage
from probative.text.sentences import sentences_of, spans_of
from probative.types import Passage, SentencePassage

LIST = "Three things are missing:\n- a rope\n- a lamp\n\nboat: Gull; berth: 4\n\nboat: Lark; berth: 7"


def test_items_and_rows_of_a_document_stay_sentences_after_cleaning() -> None:
    (passage,) = passages_of(Document(source="a.txt", text=LIST))
    cleaned = clean_passage(passage)
    assert "\n" not in cleaned.text
    assert sentences_of(cleaned) == [
        "Three things are missing:",
        "- a rope",
        "- a lamp",
        "boat: Gull; berth: 4",
        "boat: Lark; berth: 7",
    ]
    assert [cleaned.text[start:end] for start, end in spans_of(cleaned)] == sentences_of(cleaned)


def test_a_part_of_a_passage_has_the_sentences_that_it_contains() -> None:
    (passage,) = passages_of(Document(source="a.txt", text=LIST))
    part = clean_passage(passage).model_copy(update={"text": "- a lamp boat: Gull; berth: 4"})
    assert sentences_of(part) == ["- a lamp", "boat: Gull; berth: 4"]


def test_other_passages_are_split_by_their_full_stops() -> None:
    assert sentences_of(Passage(text="It rained. We left.")) == ["It rained.", "We left."]
    assert sentences_of(SentencePassage(text="It rained. We left.")) == ["It rained.", "We left."]


def test_the_sentences_are_not_written_into_results() -> None:
    passage = SentencePassage(text="a b", sentence_texts=("a", "b"))
    assert "sentence_texts" not in passage.to_dict()
