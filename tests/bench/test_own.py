"""Our own documents, questions and claims: complete, balanced, and apart from the reader's training."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from probative.bench.data.own import (
    OwnQuestion,
    chunks,
    read_claims,
    read_documents,
    read_questions,
    whole,
)
from probative.bench.experiments.own import is_right, outcome_of, show_answers, show_claims
from probative.text.sentences import split_sentences
from probative.text.words import words


def test_six_genres_with_ten_questions_each_and_a_third_unanswerable() -> None:
    documents, questions = read_documents(), read_questions()
    genres = Counter(documents[question.document].genre for question in questions)
    assert set(genres.values()) == {10}
    assert len(genres) == 6
    assert sum(not question.answers for question in questions) == 20
    assert all(15 <= len(document.sentences) <= 30 for document in documents.values())
    assert len({question.id for question in questions}) == 60


def test_claims_are_in_thirds_and_their_gold_is_there() -> None:
    documents, claims = read_documents(), read_claims()
    assert sorted(Counter(claim.verdict for claim in claims).values()) == [13, 13, 14]
    for claim in claims:
        assert bool(claim.gold) == (claim.verdict != "insufficient")
        assert all(0 <= index < len(documents[claim.document].sentences) for index in claim.gold)


def test_an_answer_of_one_sentence_stands_in_its_gold_sentence() -> None:
    documents = read_documents()
    for question in read_questions():
        assert bool(question.gold) == bool(question.answers)
        if question.kind == "one":
            text = " ".join(documents[question.document].sentences[index] for index in question.gold)
            assert any(
                f" {' '.join(words(answer))} " in f" {' '.join(words(text))} " for answer in question.answers
            )


def test_chunks_hold_every_sentence_of_the_genre_once() -> None:
    documents = read_documents()
    joined = " ".join(piece.text for piece in chunks(documents, "mail"))
    mails = [document for document in documents.values() if document.genre == "mail"]
    assert joined == " ".join(document.text for document in mails)
    (passage,) = whole(mails[0])
    assert passage.text == mails[0].text


def test_a_document_is_split_into_the_sentences_it_was_written_in() -> None:
    for document in read_documents().values():
        split = [piece.text for piece in split_sentences(document.text)]
        assert len(set(split) & set(document.sentences)) > 0.7 * len(document.sentences), document.id


def test_no_name_of_the_training_words_is_reused() -> None:
    values = pytest.importorskip("training.reader.genres.values")
    lists = values.word_lists()
    first_names = {*lists["first_f"], *lists["first_m"]}
    text = " ".join(document.text for document in read_documents().values())
    assert not first_names & set(re.findall(r"\w+", text))


@pytest.mark.parametrize(
    ("answer", "accepted", "right"),
    [
        ("The patch.", ["patch"], True),
        ("18 years old", ["16 years old"], False),
        ("about 90 puffs", ["90"], True),
        ("at the Corn Exchange", ["Corn Exchange"], True),
        ("lead valley", ["cracked lead valley"], True),
        ("four weeks", ["eight weeks"], False),
        ("yes", ["no"], False),
    ],
)
def test_answers_are_right_or_wrong(answer: str, accepted: list[str], right: bool) -> None:
    assert is_right(answer, accepted) is right


def question(*answers: str) -> OwnQuestion:
    return OwnQuestion("q", "roof", "Who?", answers, (0,) if answers else (), "one")


def test_only_a_supported_answer_can_be_wrong() -> None:
    assert outcome_of(question("Bo"), "Bo", "supported") == "right"
    assert outcome_of(question("Bo"), "Eve", "supported") == "wrong and supported"
    assert outcome_of(question("Bo"), None, "insufficient") == "insufficient"
    assert outcome_of(question("Bo"), None, "contradicted") == "contradicted"
    assert outcome_of(question(), "Eve", "supported") == "wrong and supported"
    assert outcome_of(question(), None, "insufficient") == "right"


def test_the_tables_count_what_a_user_would_wrongly_believe(capsys: pytest.CaptureFixture[str]) -> None:
    row = {"shape": "chunks", "genre": "mail", "kind": "one", "id": "a-1", "question": "Who?", "accepted": []}
    rows = [
        {**row, "answer": "Bo", "verdict": "supported", "answerable": 0.9, "outcome": "wrong and supported"},
        {**row, "answer": None, "verdict": "insufficient", "answerable": None, "outcome": "right"},
    ]
    show_answers(rows, each=True)
    printed = capsys.readouterr().out
    assert "wrong and supported: 50.0%" in printed
    assert "'Bo', answerable 90%" in printed
    claim = {"id": "a-1", "question": "It rains.", "deciding": [1], "gold": [1]}
    show_claims([{**claim, "verdict": "supported", "right": "contradicted"}], each=True)
    assert "wrong and supported: 100.0%" in capsys.readouterr().out
