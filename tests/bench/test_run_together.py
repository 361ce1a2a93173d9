"""A study whose cases ask a model of PyTorch together has the rows of one whose cases follow one another."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from coe_world import write_world

from probative import load_settings
from probative.bench import worker
from probative.bench.families.coe import trials
from probative.bench.registry import load_experiment
from probative.bench.run import run_experiment
from probative.bench.run_folder import RunFolder
from probative.bench.study import Settings, Study
from probative.bench.worker import CaseJob, Models
from probative.models.gathering import Gathering


def job(study: Study, **settings: Any) -> CaseJob:
    chosen = load_settings({"model": "hf:NAME", **settings})
    return CaseJob(study, Settings(Path()), Models(chosen), Path())


def test_only_studies_that_take_no_times_ask_a_model_on_a_gpu_together() -> None:
    together, alone = load_experiment("coe-noise"), load_experiment("give-efficiency")
    assert job(together, concurrency=5).width == 5
    assert job(together, concurrency=5, device="cpu").width == 1
    assert job(together, model="embedded").width == 1
    assert job(alone).width == 1
    assert job(alone, model="openai:NAME", concurrency=5).width == 5


@pytest.mark.model
def test_cases_that_ask_together_have_the_same_rows(
    tmp_path: Path, tiny_gguf: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    layers: list[Gathering] = []

    class Kept(Gathering):
        def __init__(self) -> None:
            super().__init__()
            layers.append(self)

    monkeypatch.setattr(worker, "Gathering", Kept)
    monkeypatch.setattr(trials, "ANSWER_TOKENS", 6)
    study, data = load_experiment("coe-noise"), write_world(tmp_path / "data")
    rows = []
    for concurrency in (1, 4):
        chosen = load_settings(
            {"model": f"hf:{tiny_gguf}", "cache": False, "concurrency": concurrency, "device": None}
        )
        out = tmp_path / str(concurrency)
        report = run_experiment(study, Settings(data, repeats=1), out, Models(chosen))
        assert not report.failed
        rows.append(RunFolder(out).rows())
    assert len(layers) == 2  # one for each run
    assert rows[0] == rows[1]
    assert any(trial["answer"] for row in rows[0].values() for trial in row.get("trials", ()))
