"""The study of false sources: its passages, its cases, and its figures worked out by hand."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from probative.bench.data import own
from probative.bench.data.files import read_lines
from probative.bench.rows import Row
from probative.bench.studies.false_passages import FalseSources
from probative.bench.study import Lab, Settings
from probative.text.shingles import without_near_duplicates

TRUE = own.FOLDER / "true_passages.jsonl"


def test_our_true_passages_are_three_independent_sources_for_each_question() -> None:
    rows = list(read_lines(TRUE))
    assert len(rows) >= 30
    assert len({(row["set"], row["id"]) for row in rows}) == len(rows)
    for row in rows:
        texts = list(row["passages"].values())
        assert without_near_duplicates(texts) == [0, 1, 2], row["id"]


def test_a_case_has_the_first_true_passages_and_the_last_false_ones(data: Path) -> None:
    cases = FalseSources().cases(Settings(data, options={"min_sources": "2"}))
    contents = {case.set: case.content for case in cases}
    # RGB has one passage of each kind here; of PoisonedRAG's questions, one has true passages of ours.
    assert set(contents) == {
        "RGB, 1 true, 1 false",
        "PoisonedRAG, 3 true, 1 false",
        "PoisonedRAG, 3 true, 2 false",
    }
    assert contents["RGB, 1 true, 1 false"].passages == (
        "The ferry Lark sank in 1901.",
        "The ferry Lark sank in 1911.",
    )
    (ours,) = (row["passages"] for row in read_lines(TRUE) if (row["set"], row["id"]) == ("nq", "test1"))
    poisoned = contents["PoisonedRAG, 3 true, 1 false"]
    assert poisoned.passages == (*ours.values(), "It was Bergen that built the ferry Lark.")
    assert (poisoned.answers, poisoned.n_false) == (("Molde",), 1)


@pytest.mark.model
def test_what_is_believed_becomes_a_row(lab: Lab) -> None:
    study = FalseSources()
    asked = replace(lab.settings, options={"min_sources": "1,2"})
    rows = {case.key: study.run(case, lab) for case in study.cases(asked)}
    (plain,) = (row for key, row in rows.items() if key.startswith("RGB") and key.endswith("/1"))
    (two,) = (row for key, row in rows.items() if key.startswith("RGB") and key.endswith("/2"))
    assert (plain["contradicted"], plain["wrong"], plain["robustness"]) == (True, False, None)
    assert (two["fewer"], plain["fewer"]) == ("fewer than must agree", "as many or more")
    assert not two["right"]


def row(needed: str, question: str, *, right: bool = False, wrong: bool = False, n_false: int = 1) -> Row:
    return {
        "key": f"{question}/{needed}/{n_false}",
        "passages": f"RGB, 1 true, {n_false} false",
        "min_sources": needed,
        "fewer": "fewer than must agree" if n_false < int(needed) else "as many or more",
        "question": question,
        "right": right,
        "wrong": wrong,
        "contradicted": False,
        "insufficient": not right and not wrong,
    }


def test_the_figures_are_shares_of_the_questions() -> None:
    rows = [
        row("1", "a", right=True),
        row("1", "b", right=True),
        row("1", "c", wrong=True),
        row("1", "d"),
        row("2", "a", right=True),
        row("2", "b"),
        row("2", "c"),
        row("2", "d"),
        row("2", "c", wrong=True, n_false=2),
    ]
    report = FalseSources().report(rows, Settings(Path()))
    lines = {
        line.name: [getattr(cell, "value", None) for cell in line.cells] for line in report.tables[0].rows
    }
    # Of four questions, b is right with one source, and lost with two.
    assert lines["1; as many or more"] == [25.0, 50.0, 0.0, 0.0, 25.0]
    assert lines["2; fewer than must agree"] == [0.0, 25.0, 25.0, 0.0, 75.0]
    assert lines["2; as many or more"] == [100.0, 0.0, 0.0, 0.0, 0.0]
    assert report.findings[1].startswith("min_sources=2; fewer than must agree: 0.0% of 4")
