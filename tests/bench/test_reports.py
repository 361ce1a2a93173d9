"""Reports that the operator of a server registered: read by name, compared, and without a path."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from bench_plugin import write_data

from kept_reports import keep_run
from probative import InputError, load_settings
from probative.bench.registry import load_experiment
from probative.bench.report import Cell
from probative.bench.reports import ReportIndex
from probative.bench.run import run_experiment
from probative.bench.study import Settings
from probative.bench.worker import Models
from probative.testing import ScriptedModel


def finished(data: Path, out: Path, answer: str) -> None:
    model = ScriptedModel(generate=answer, name=answer, fingerprint=answer)
    models = Models(load_settings({"cache": False}), model=model)
    run_experiment(load_experiment("harbour-closed-book"), Settings(data=data), out, models)


@pytest.fixture
def runs(plugin: Path, tmp_path: Path) -> Path:
    """Two finished runs, and one that has no report."""
    data = write_data(tmp_path / "data", copies=6)
    finished(data, tmp_path / "runs/ada", "Ada Berg")
    finished(data, tmp_path / "runs/none", "nobody")
    finished(data, tmp_path / "runs/broken", "nobody")
    (tmp_path / "runs/broken/report.json").unlink()
    return tmp_path / "runs"


def test_runs_are_listed_by_name_and_one_without_a_report_says_why(runs: Path) -> None:
    listed = ReportIndex([runs]).list()
    assert [(entry.name, entry.kind, entry.cases) for entry in listed.reports] == [
        ("ada", "run", 24),
        ("none", "run", 24),
    ]
    assert [(entry.name, entry.reason) for entry in listed.unreadable] == [
        ("broken", "broken has no report yet")
    ]


def test_the_folder_of_a_run_is_one_report_and_equal_names_get_a_number(runs: Path) -> None:
    reports = ReportIndex([runs / "ada", runs])
    assert [entry.name for entry in reports.list().reports] == ["ada", "ada-2", "none"]
    assert reports.report("ada-2").name == "ada-2"


def test_a_report_has_no_path_of_the_server(runs: Path, tmp_path: Path) -> None:
    report = ReportIndex([runs]).report("ada")
    assert str(tmp_path) not in report.to_json()
    assert report.command.startswith("probative bench run harbour-closed-book")
    with pytest.raises(KeyError):
        ReportIndex([runs]).report("../runs/ada")


def test_two_runs_are_compared_on_the_cases_they_share(runs: Path) -> None:
    compared = ReportIndex([runs]).compare("none", "ada")
    assert (compared.names, compared.shared_cases, compared.note) == (("none", "ada"), 24, "")
    assert compared.paired is not None
    assert compared.paired.rows[0].cells[3] == "0.031*"


def test_kept_reports_are_compared_by_their_tables(runs: Path, tmp_path: Path) -> None:
    for name in ("ada", "none"):
        keep_run(runs / name, tmp_path / "kept", machine="two cores")
    reports = ReportIndex([tmp_path / "kept"])
    assert [entry.kind for entry in reports.list().reports] == ["kept", "kept"]
    compared = reports.compare("none", "ada")
    assert (compared.shared_cases, compared.paired) == (None, None)
    cells = compared.tables[0].rows[0].cells
    assert [cell.value for cell in cells if isinstance(cell, Cell)] == [0.0, 25.0]


def test_what_cannot_be_compared_or_read_is_refused_without_a_path(runs: Path, tmp_path: Path) -> None:
    keep_run(runs / "ada", tmp_path / "kept", machine="two cores")
    file = tmp_path / "kept/ada.json"
    kept = json.loads(file.read_text(encoding="utf-8"))
    kept["name"] = "other"
    kept["run"]["experiment"] = "another"
    (tmp_path / "kept/other.json").write_text(json.dumps(kept), encoding="utf-8")
    (tmp_path / "kept/bad.json").write_text("{", encoding="utf-8")
    reports = ReportIndex([tmp_path / "kept"])
    with pytest.raises(InputError, match="different experiments"):
        reports.compare("ada", "other")
    with pytest.raises(InputError, match="with itself"):
        reports.compare("ada", "ada")
    with pytest.raises(InputError, match=r"^bad is no kept report") as caught:
        reports.report("bad")
    assert str(tmp_path) not in str(caught.value)


def test_a_run_that_changes_is_read_again(runs: Path) -> None:
    reports = ReportIndex([runs])
    assert reports.report("ada").run.version
    file = runs / "ada/report.json"
    changed = file.read_text(encoding="utf-8").replace('"cases": 24', '"cases": 23000')
    file.write_text(changed, encoding="utf-8")
    assert reports.report("ada").run.cases == 23000


def test_a_folder_that_does_not_exist_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no folder"):
        ReportIndex([tmp_path / "nowhere"])


def test_a_look_at_a_run_that_another_process_writes_changes_no_file(runs: Path) -> None:
    rows = runs / "ada/rows.jsonl"
    whole = rows.read_bytes()
    # The other process is amid a line, and amid a character of it.
    rows.write_bytes(whole + '{"key": "new", "answer": "Å'.encode()[:-1])
    before = {file: file.read_bytes() for file in (runs / "ada").iterdir()}
    reports = ReportIndex([runs])
    reports.list()
    reports.report("ada")
    assert reports.compare("ada", "none").shared_cases == 24
    assert {file: file.read_bytes() for file in (runs / "ada").iterdir()} == before


def test_the_process_that_goes_on_removes_what_was_cut_off(runs: Path, tmp_path: Path) -> None:
    rows = runs / "ada/rows.jsonl"
    lines = rows.read_bytes().splitlines(keepends=True)
    rows.write_bytes(b"".join(lines[:-1]) + lines[-1][:-5])
    finished(tmp_path / "data", runs / "ada", "Ada Berg")
    assert sorted(rows.read_bytes().splitlines(keepends=True)) == sorted(lines)
