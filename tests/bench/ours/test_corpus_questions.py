"""The experiment on questions over our example corpus: what counts as right, and its report."""

from __future__ import annotations

from pathlib import Path

import pytest

from probative.bench.data.own import CorpusQuestion, Quote, is_within, places, read_corpus_questions
from probative.bench.report import Cell
from probative.bench.studies.corpus_questions import CorpusQuestions, evidence_of, outcome_of
from probative.bench.study import Settings
from probative.corpus.corpus import Corpus
from probative.corpus.documents.document import Citation
from probative.scope.result import Answer, ChainPassage, Conflict
from probative.types import Verdict

EXAMPLES = Path(__file__).parents[3] / "examples"
BERTH = CorpusQuestion("1", "one place", "Which berth has the Gull?", ("4",), (Quote("a.txt", "berth 4"),))
SILENT = CorpusQuestion("2", "unanswerable", "Who owns the Gull?", (), ())
TWO_SIDES = CorpusQuestion(
    "3", "contradicted", "Which berth?", ("4",), (Quote("a.txt", "berth 4"),), (Quote("b.txt", "berth 7"),)
)


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    folder = tmp_path_factory.mktemp("documents")
    (folder / "a.txt").write_text("It rained. The Gull has berth 4.", encoding="utf-8")
    (folder / "b.txt").write_text("The Gull has berth 7.", encoding="utf-8")
    return Corpus.open(folder, vectors=False)


def answer(text: str | None, verdict: Verdict, *conflicts: Conflict) -> Answer:
    return Answer(question="?", answer=text, verdict=verdict, conflicts=conflicts)


def conflict(citation: str, other: str) -> Conflict:
    return Conflict(
        index=0, other=1, says="4", instead="7", text="", other_text="",
        blocking=True, citation=citation, other_citation=other,
    )  # fmt: skip


def test_a_supported_answer_is_right_or_would_be_believed(corpus: Corpus) -> None:
    assert outcome_of(BERTH, answer("berth 4", Verdict.SUPPORTED), corpus) == "right"
    assert outcome_of(BERTH, answer("berth 7", Verdict.SUPPORTED), corpus) == "wrong and supported"
    assert outcome_of(SILENT, answer("Ada", Verdict.SUPPORTED), corpus) == "wrong and supported"


def test_silence_is_right_only_where_no_document_answers(corpus: Corpus) -> None:
    assert outcome_of(BERTH, answer(None, Verdict.INSUFFICIENT), corpus) == "insufficient"
    assert outcome_of(SILENT, answer(None, Verdict.INSUFFICIENT), corpus) == "right"


def test_a_contradiction_is_right_with_both_gold_sides(corpus: Corpus) -> None:
    both = conflict("a.txt#char=11,32", "b.txt#char=0,21")
    other = conflict("a.txt#char=0,10", "b.txt#char=0,21")
    assert outcome_of(TWO_SIDES, answer(None, Verdict.CONTRADICTED, both), corpus) == "right"
    assert outcome_of(TWO_SIDES, answer(None, Verdict.CONTRADICTED, other), corpus) == "contradicted"
    assert outcome_of(TWO_SIDES, answer("4", Verdict.SUPPORTED), corpus) == "one side"


def test_gold_counts_where_its_sentence_is(corpus: Corpus) -> None:
    far = tuple(f"b.txt#char={number},{number + 1}" for number in range(10))
    piece = ChainPassage(index=0, text="", citation="a.txt#char=11,32")
    found = Answer(
        question="?", answer=None, verdict=Verdict.INSUFFICIENT, chain=(piece,),
        retrieved=(*far, "a.txt#char=0,32"),
    )  # fmt: skip
    assert evidence_of(BERTH, found, corpus) == {"retrieved": False, "in_chain": True}


def test_places_are_compared_by_document_and_characters() -> None:
    place = Citation(source="a.txt", start=10, end=20)
    assert not is_within(place, ["a.txt#char=20,30", "b.txt#char=0,99"])
    assert is_within(place, ["a.txt#page=2&char=19,30"])


def test_every_gold_quote_of_the_examples_has_a_place() -> None:
    questions = read_corpus_questions(EXAMPLES)
    assert len(CorpusQuestions().cases(Settings(EXAMPLES))) == 2 * len(questions)
    with Corpus.open(EXAMPLES / "corpus", vectors=False) as documents:
        for question in questions:
            quotes = (*question.gold, *question.other_gold)
            assert len(places(documents, quotes)) == len(quotes)


def test_the_report_counts_what_was_believed() -> None:
    row = {"method": "scope", "id": "1", "kind": "one place", "accepted": ["4"], "has_gold": True,
           "retrieved": True, "in_chain": False, "calls": 2, "tokens": 10, "seconds": 1.0}  # fmt: skip
    rows = [
        {**row, "verdict": "supported", "found": True, "outcome": "right"},
        {**row, "id": "2", "verdict": "supported", "found": False, "outcome": "wrong and supported"},
    ]
    report = CorpusQuestions().report(rows, Settings(EXAMPLES))
    cells = dict(zip(report.tables[0].columns, report.tables[0].rows[0].cells, strict=True))
    assert {name: cell.value for name, cell in cells.items() if isinstance(cell, Cell)} == {
        "gold at 10": 100.0,
        "gold in chain": 0.0,
        "found": 50.0,
        "right": 50.0,
        "wrong and supported": 50.0,
        "one side": 0.0,
        "insufficient": 0.0,
        "contradicted": 0.0,
        "supported and right": 50.0,
    }
    assert "2 answers are marked supported, 1 of them is wrong" in report.findings[0]
