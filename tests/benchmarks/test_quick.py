"""The quick set ends in time and says how each step ended."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

import quick
from probative.bench.registry import all_experiments


def step(name: str, code: str) -> quick.Step:
    return quick.Step(name, (sys.executable, "-c", code))


def test_each_step_ends_as_it_says(tmp_path: Path) -> None:
    steps = [
        step("good", "print('a table')"),
        step("bad", "raise SystemExit(3)"),
        step("endless", "import time; time.sleep(600)"),
    ]
    outcomes = quick.run_steps(steps, 6.0, tmp_path)
    assert [outcome.end for outcome in outcomes] == ["done", "failed with 3", "stopped"]
    assert (tmp_path / "good.txt").read_text(encoding="utf-8") == "a table\n"


def test_without_data_only_experiments_that_need_none_run(tmp_path: Path) -> None:
    experiments = all_experiments()
    names = {step.name for step in quick.experiment_steps(experiments, None, tmp_path, 1)}
    assert names == {experiment.name for experiment in experiments if not experiment.data}
    with_data = quick.experiment_steps(experiments, tmp_path, tmp_path, 1)
    assert [step.name for step in with_data] == [experiment.name for experiment in experiments]


def test_a_failed_step_makes_the_exit_code_and_a_stopped_one_does_not(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(quick, "experiment_steps", lambda *_: [])
    monkeypatch.setattr(quick, "benchmark_steps", lambda: [step("endless", "import time; time.sleep(600)")])
    assert quick.main(["--minutes", "0.01"]) == 0
    assert "| endless | stopped |" in capsys.readouterr().out
    monkeypatch.setattr(quick, "benchmark_steps", lambda: [step("bad", "raise SystemExit('no weights')")])
    assert quick.main([]) == 1
    shown = capsys.readouterr()
    assert "| bad | failed with 1 |" in shown.out
    assert "no weights" in shown.err
