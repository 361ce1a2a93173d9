"""Runs side by side, with tests worked out by hand."""

from __future__ import annotations

from pathlib import Path

import pytest
from bench_plugin import write_data

from probative import InputError, load_settings
from probative.bench.compare import _lines, compare_runs
from probative.bench.registry import load_experiment
from probative.bench.run import run_experiment
from probative.bench.study import Settings
from probative.bench.worker import Models
from probative.testing import ScriptedModel


def run(data: Path, out: Path, answer: str, limit: int | None = None) -> None:
    model = ScriptedModel(generate=answer, name=answer, fingerprint=answer)
    models = Models(load_settings({"cache": False}), model=model)
    run_experiment(load_experiment("harbour-closed-book"), Settings(data=data, limit=limit), out, models)


@pytest.mark.usefixtures("plugin")
def test_runs_are_paired_by_case(tmp_path: Path) -> None:
    data = write_data(tmp_path / "data", copies=6)
    run(data, tmp_path / "ada", "Ada Berg")
    run(data, tmp_path / "none", "nobody")
    run(data, tmp_path / "few", "1931", limit=4)
    comparison = compare_runs([tmp_path / "none", tmp_path / "ada"])
    assert (comparison.runs, comparison.shared_cases) == (("none", "ada"), 24)
    (row,) = comparison.paired.rows
    # One run is right in 6 of 24 cases, the other in none: 6 of 6 differences in one direction, 2 / 2**6.
    assert (row.name, row.cells[:2], row.cells[3]) == ("right", ("0.0, n = 24", "25.0, n = 24"), "0.031*")
    assert str(row.cells[2]).startswith("+25.0 [")
    (table,) = comparison.tables
    assert [getattr(cell, "value", None) for cell in table.rows[0].cells] == [0.0, 25.0]
    few = compare_runs([tmp_path / "few", tmp_path / "ada"])
    assert few.shared_cases == 4
    # Of the four first cases one asks for the pier and one for the year; both tables are over these four.
    assert [getattr(cell, "value", None) for cell in few.tables[0].rows[0].cells] == [25.0, 25.0]
    assert few.paired.rows[0].cells == ("25.0, n = 4", "25.0, n = 4", "+0.0", "1.000")


def test_each_method_is_tested_on_its_own() -> None:
    def row(method: str, right: float) -> dict[str, object]:
        return {"method": method, "metrics": {"F1": right}, "tokens": 10}

    first = [row("rag", 0.0), row("scope", 1.0)]
    second = [row("rag", 1.0), row("scope", 0.5)]
    assert _lines([first, second]) == {
        "rag: F1": [[0.0], [1.0]],
        "rag: tokens": [[10.0], [10.0]],
        "scope: F1": [[1.0], [0.5]],
        "scope: tokens": [[10.0], [10.0]],
    }


@pytest.mark.usefixtures("plugin")
def test_runs_without_a_common_case_and_unfinished_runs_are_refused(tmp_path: Path) -> None:
    data, other = write_data(tmp_path / "data"), write_data(tmp_path / "other")
    file = other / "harbour/questions.jsonl"
    file.write_text(file.read_text(encoding="utf-8").replace('"id": "q', '"id": "p'), encoding="utf-8")
    run(data, tmp_path / "first", "Ada Berg")
    run(other, tmp_path / "second", "Ada Berg")
    with pytest.raises(InputError, match="no finished case in common"):
        compare_runs([tmp_path / "first", tmp_path / "second"])
    (tmp_path / "second/report.json").unlink()
    with pytest.raises(InputError, match="has no report yet"):
        compare_runs([tmp_path / "first", tmp_path / "second"])
