"""The study of computed answers: its questions, and its figures worked out by hand."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from probative.bench.data.own import BLIND, HOSTILE, read_computed
from probative.bench.rows import Row
from probative.bench.studies.computed_answers import ComputedAnswers
from probative.bench.study import Settings


def row(form: str, *, hostile: bool, right: bool, verdict: str, certainty: float | None = None) -> Row:
    """Return the row of a case; with a certainty, the answer was computed."""
    about = {"form": form, "hostile": hostile, "blind": False, "answerable": True, "right": right}
    return {**about, "verdict": verdict, "computed": certainty is not None, "certainty": certainty}


def test_the_questions_are_many_and_half_of_them_are_hostile() -> None:
    questions = read_computed()
    assert len(questions) >= 100
    assert len({question.form for question in questions}) >= 10
    hostile = Counter(question.hostile for question in questions)
    assert abs(hostile[True] - hostile[False]) <= 0.1 * len(questions)
    assert all(question.trap for question in questions if question.hostile)
    assert any(not question.accept for question in questions if question.hostile)


@pytest.mark.parametrize(
    ("file", "letters", "hostile", "unsettled"), [(HOSTILE, "HB", 120, 22), (BLIND, "C", 60, 20)]
)
def test_hostile_questions_of_other_authors_some_of_which_are_not_settled(
    file: Path, letters: str, hostile: int, unsettled: int
) -> None:
    questions = [entry for entry in read_computed(file) if entry.hostile]
    assert len(questions) == hostile
    assert all(entry.trap and entry.id[0] in letters for entry in questions)
    assert len({entry.form for entry in questions}) >= 10
    assert sum(not entry.accept for entry in questions) == unsettled
    assert not any(entry.id[0] in letters for entry in read_computed())


def test_blind_questions_for_what_a_passage_states_have_an_answer() -> None:
    stated = [entry for entry in read_computed(BLIND) if not entry.hostile]
    assert len(stated) == 40
    assert all(entry.accept for entry in stated)


def test_no_question_is_one_that_the_certainty_was_fitted_on() -> None:
    fitted = read_computed(Path(__file__).parents[3] / "training" / "certainty" / "computed.jsonl")
    asked = {entry.question for entry in (*read_computed(), *read_computed(HOSTILE), *read_computed(BLIND))}
    assert not {entry.question for entry in fitted} & asked


def test_the_figures_are_shares_of_the_questions() -> None:
    rows = [
        row("larger", hostile=False, right=True, verdict="supported", certainty=0.9),
        row("larger", hostile=True, right=False, verdict="supported", certainty=0.6),
        row("age", hostile=True, right=True, verdict="insufficient", certainty=0.4),
        row("age", hostile=False, right=False, verdict="insufficient"),
    ]
    report = ComputedAnswers().report(rows, Settings(Path()))
    everything = next(line for line in report.tables[0].rows if line.name == "all")
    shares = [getattr(cell, "value", None) for cell in everything.cells]
    assert shares == pytest.approx([25.0, 50.0, 25.0, 75.0, 200 / 3], abs=0.1)
    assert report.findings[0].startswith("50.0%")
    assert "3 different values" in report.findings[1]
