"""Our own documents, questions and claims: complete, balanced, and apart from the reader's training."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path

import pytest
from json_lines import write_lines

from probative import InputError, Request, load_settings
from probative.bench.data import own
from probative.bench.data.own import (
    OwnQuestion,
    chunks,
    read_documents,
    read_own_claims,
    read_own_questions,
    whole,
)
from probative.bench.metrics import is_accepted
from probative.bench.registry import load_experiment
from probative.bench.report import Cell, TableRow
from probative.bench.run import run_experiment
from probative.bench.studies.own import Own, outcome_of
from probative.bench.study import Settings
from probative.bench.worker import Models
from probative.models.verdict import VerdictScores
from probative.testing import ScriptedModel, ScriptedVerdict
from probative.text.sentences import split_sentences
from probative.text.words import words


def test_six_genres_with_ten_questions_each_and_a_third_unanswerable() -> None:
    documents, questions = read_documents(), read_own_questions()
    genres = Counter(documents[question.document].genre for question in questions)
    assert set(genres.values()) == {10}
    assert len(genres) == 6
    assert sum(not question.answers for question in questions) == 20
    assert all(15 <= len(document.sentences) <= 30 for document in documents.values())
    assert len({question.id for question in questions}) == 60


def test_claims_are_in_thirds_and_their_gold_is_there() -> None:
    documents, claims = read_documents(), read_own_claims()
    assert sorted(Counter(claim.verdict for claim in claims).values()) == [13, 13, 14]
    for claim in claims:
        assert bool(claim.gold) == (claim.verdict != "insufficient")
        assert all(0 <= index < len(documents[claim.document].sentences) for index in claim.gold)


def test_an_answer_of_one_sentence_stands_in_its_gold_sentence() -> None:
    documents = read_documents()
    for question in read_own_questions():
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
    assert is_accepted(answer, accepted) is right


def question(*answers: str) -> OwnQuestion:
    return OwnQuestion("q", "roof", "Who?", answers, (0,) if answers else (), "one")


def test_only_a_supported_answer_can_be_wrong() -> None:
    assert outcome_of(question("Bo"), "Bo", "supported") == "right"
    assert outcome_of(question("Bo"), "Eve", "supported") == "wrong and supported"
    assert outcome_of(question("Bo"), None, "insufficient") == "insufficient"
    assert outcome_of(question("Bo"), None, "contradicted") == "contradicted"
    assert outcome_of(question(), "Eve", "supported") == "wrong and supported"
    assert outcome_of(question(), None, "insufficient") == "right"


DOCUMENT = {
    "id": "pier",
    "genre": "report",
    "title": "The pier of Molde",
    "sentences": ["The pier of Molde was built in 1890.", "Ada Berg paid for it.", "It has two cranes."],
}
QUESTIONS = [
    {"id": "pier-1", "question": "When was the pier of Molde built?", "answers": ["1890"], "gold": [0]},
    {"id": "pier-2", "question": "Who painted the pier of Molde?", "answers": [], "gold": []},
]
CLAIMS = [
    {"id": "pier-1", "claim": "Ada Berg paid for the pier of Molde.", "verdict": "supported", "gold": [1]},
    {"id": "pier-2", "claim": "The pier of Molde is made of oak.", "verdict": "insufficient", "gold": []},
]


@pytest.fixture
def _tiny(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Put one document with two questions and two claims in the place of ours."""
    questions = [{**row, "document": "pier", "kind": "one"} for row in QUESTIONS]
    claims = [{**row, "document": "pier"} for row in CLAIMS]
    for name, rows in (("documents", [DOCUMENT]), ("questions", questions), ("claims", claims)):
        write_lines(tmp_path / f"{name}.jsonl", *rows)
    monkeypatch.setattr(own, "FOLDER", tmp_path)


def reply(request: Request) -> str:
    """Find every feature in every text, and answer each question with a word of the document."""
    text = request.messages[-1].content
    if request.json_schema is not None and "nodes" in request.json_schema["properties"]:
        return json.dumps({"intent": "what is asked for", "nodes": ["pier of Molde"], "relations": []})
    if request.json_schema is not None:
        return json.dumps({"texts": [{"text": 1, "carries": [1, 2]}]})
    return "1890 [1]" if "When was" in text else "Ada Berg [1]"


@pytest.mark.usefixtures("_tiny")
def test_the_tables_are_those_worked_out_by_hand(tmp_path: Path) -> None:
    model = ScriptedModel(generate=reply, score=lambda prompt, text: -1.0, fingerprint="fixed")
    # Every claim, and every answer as a claim, is taken for supported by the first sentence.
    verdict = ScriptedVerdict(
        lambda item: VerdictScores(0.98, 0.01, 0.01, (1.0, *[0.0] * (len(item.evidence) - 1)))
    )
    models = Models(load_settings({"cache": False}), model=model, verdict=verdict)
    experiment = load_experiment("own")
    report = run_experiment(experiment, Settings(data=Path()), tmp_path / "run", models).report
    answers, verdicts, by_label = report.tables
    assert {row.name: _values(row) for row in answers.rows} == {
        **{f"{part}, all": [50.0, 50.0, 0.0, 0.0] for part in ("documents", "chunks")},
        **{f"{part}, answerable": [100.0, 0.0, 0.0, 0.0] for part in ("documents", "chunks")},
        **{f"{part}, unanswerable": [0.0, 100.0, 0.0, 0.0] for part in ("documents", "chunks")},
        **{f"{part}, genre report": [50.0, 50.0, 0.0, 0.0] for part in ("documents", "chunks")},
        **{f"{part}, kind one": [50.0, 50.0, 0.0, 0.0] for part in ("documents", "chunks")},
    }
    # `judge` cites the first sentence, which is not gold; `prove` finds all three, and one of them is.
    assert {row.name: _values(row) for row in verdicts.rows} == {
        "judge": [50.0, 50.0, 0.0],
        "prove": [50.0, 50.0, 100.0],
    }
    assert _values(by_label.rows[0]) == [100.0, 0.0, 0.0]
    assert report.findings[0] == (
        "documents: 1 of 2 answers are right; 1 is wrong and marked supported (9.5 to 90.5%)."
    )
    assert report.plots[0].series[1].points == ((0.0, 50.0),)


def test_a_limit_is_of_each_part_and_parts_can_be_chosen() -> None:
    settings = Settings(data=Path(), limit=4, options={"parts": "chunks, judge"})
    keys = [case.key for case in Own().cases(settings)]
    assert [key.partition("/")[0] for key in keys] == ["chunks"] * 4 + ["judge"] * 4
    with pytest.raises(InputError, match="there is no part 'magic'"):
        Own().cases(Settings(data=Path(), options={"parts": "magic"}))


def _values(row: TableRow) -> list[float | None]:
    return [cell.value for cell in row.cells if isinstance(cell, Cell)]
