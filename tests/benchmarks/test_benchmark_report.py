"""A benchmark prints its tables, and with --keep keeps them as an experiment's report is kept."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import pytest

import mcse_cost
from benchmark_report import command_line
from docs.tools.results import Results
from kept_reports import read_kept


@pytest.mark.model
def test_a_benchmark_is_kept_with_its_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("PROBATIVE_DATA", raising=False)
    words = ["--claims", "1", "--keep", str(tmp_path), "--machine", "two cores"]
    monkeypatch.setattr(sys, "argv", ["mcse_cost.py", *words])
    mcse_cost.main()
    printed = capsys.readouterr().out
    kept = read_kept(tmp_path)["mcse-cost"]
    assert (kept.command, kept.machine) == ("python benchmarks/mcse_cost.py --claims 1", "two cores")
    (table,) = kept.run.report.tables
    claim, whole = table.rows
    cells = dict(zip(table.columns, claim.cells, strict=True))
    # With one claim, the last row repeats its tokens; both searches choose the same sentences.
    assert whole.cells[2] == cells["literal tokens"]
    assert cells["same choice"] == "yes"
    assert f"| 1 | 12 | {cells['literal calls']} |" in printed
    filled = Results({"mcse-cost": kept}).fill("{{ source mcse-cost }}")
    assert "two cores" in filled
    assert "bench/mcse-cost.md" in filled


@pytest.mark.parametrize(
    ("words", "data", "command"),
    [
        (["--keep", "docs/bench", "--nodes", "10", "--machine=two cores"], None, "--nodes 10"),
        (["--data=/private/data", "--nearest"], Path("/private/data"), "--data DIR --nearest"),
        (
            ["--model", "hf:/private/models/small"],
            Path("from-the-environment"),
            "--data DIR --model hf:PATH/small",
        ),
    ],
)
def test_the_kept_command_names_no_folders(words: list[str], data: Path | None, command: str) -> None:
    assert (
        command_line("graph.py", argparse.Namespace(data=data), words)
        == f"python benchmarks/graph.py {command}"
    )
