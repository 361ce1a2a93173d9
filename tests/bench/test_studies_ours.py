"""Our own experiments on tiny data with scripted models; the figures were worked out by hand."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from data_sets import write_reported_sets

from probative import load_settings
from probative.bench.registry import load_experiment
from probative.bench.report import Cell, Table
from probative.bench.run import run_experiment
from probative.bench.study import Settings
from probative.bench.worker import Models
from probative.models.verdict import VerdictItem, VerdictScores
from probative.testing import ScriptedModel, ScriptedVerdict


def values(table: Table, row: int = 0) -> list[float | str | None]:
    return [cell.value if isinstance(cell, Cell) else cell for cell in table.rows[row].cells]


def run(name: str, data: Path, out: Path, **models: Any) -> Any:
    chosen = Models(load_settings({"cache": False}), **models)
    return run_experiment(load_experiment(name), Settings(data=data), out, chosen).report


def test_verdict_sets(tmp_path: Path) -> None:
    rows = [
        {"set": "own", "claim": "Rain fell.", "evidence": ["It rained."], "label": "supported"},
        {"set": "own", "claim": "Snow fell.", "evidence": ["It snowed."], "label": "supported"},
        {"set": "own", "claim": "Hail fell.", "evidence": ["It was dry."], "label": "contradicted"},
        {"set": "own", "claim": "Fog came.", "evidence": ["It was cold."], "label": "insufficient"},
    ]
    (tmp_path / "verdict").mkdir()
    text = "".join(json.dumps(row) + "\n" for row in rows)
    (tmp_path / "verdict/eval.jsonl.gz").write_bytes(gzip.compress(text.encode()))

    def judge(item: VerdictItem) -> VerdictScores:
        supported = "Rain" in item.claim
        return VerdictScores(*((0.98, 0.01, 0.01) if supported else (0.01, 0.01, 0.98)), (1.0,))

    report = run(
        "verdict-sets",
        tmp_path,
        tmp_path / "run",
        model=ScriptedModel(generate="yes"),
        verdict=ScriptedVerdict(judge),
    )
    # One of two supported claims is found, and both others are not called supported.
    assert values(report.tables[0])[:3] == [50.0, 100.0, 75.0]
    # Of the four pairs, two are in order and two are ties.
    assert values(report.tables[0])[3] == pytest.approx(0.75)
    assert values(report.tables[0])[4] == 50.0  # rain and fog have their own label
    # Three of four claims are on the right side.
    assert values(report.tables[1])[:-1] == [75.0, 75.0, 4.5, 1.0]
    assert report.plots[0].kind == "reliability"


def test_proofs(tmp_path: Path) -> None:
    write_reported_sets(tmp_path)

    def judge(item: VerdictItem) -> VerdictScores:
        """Take the claims with an odd number for supported, and the claim 0 for contradicted."""
        deciding = tuple(1 / len(item.evidence) for _ in item.evidence)
        number = int(item.claim.split()[2]) if item.claim.startswith("Is claim") else 1
        chances = (0.9, 0.05, 0.05) if number % 2 else (0.05, 0.05, 0.9)
        return VerdictScores(*(chances if number else (0.05, 0.9, 0.05)), deciding)

    models = Models(
        load_settings({"cache": False}),
        model=ScriptedModel(generate="yes", score=lambda prompt, text: -1.0),
        verdict=ScriptedVerdict(judge),
    )
    settings = Settings(data=tmp_path, limit=30, options={"method": "bm25"})
    run = run_experiment(load_experiment("proofs"), settings, tmp_path / "run", models)
    assert run.failed == 0
    (table,) = run.report.tables
    fever = table.rows[2]
    assert fever.name == "fever: SUPPORTS from REFUTES"
    # The odd claims are those that are labelled as supported, and no other is called so.
    assert values(table, 2)[:2] == [1.0, 0.0]
    # WiCE and HoVer have one label here, so nothing can be told apart.
    assert [values(table, row)[0] for row in (0, 1, 3)] == [None, None, None]
    assert run.report.plots[0].series[0].points == ((2.0, 1.0),)


def test_risk_and_coverage() -> None:
    rows = [
        {
            "set": "hotpotqa",
            "em": float(right is True),
            "f1": 0.5,
            "certainty": certainty,
            "right": right,
            "supported": supported,
            "reply": reply,
            "signals": {"entailed": certainty},
            "calls": 2,
            "tokens": 10,
        }
        for certainty, right, supported, reply in (
            (0.3, False, False, "no"),
            (0.9, True, True, "yes"),
            (0.2, None, True, "perhaps"),
            (0.8, True, True, "yes"),
        )
    ]
    failed = {"error": "the line broke", "error_type": "ModelError"}
    report = load_experiment("risk-coverage").report([*rows, failed], Settings(data=Path()))
    figures, risks, signals = report.tables
    # EM, F1, right, supported, right of these, wrong and supported (one of four), AUROC of the certainty.
    assert values(figures)[:7] == pytest.approx([50.0, 50.0, 50.0, 75.0, 200 / 3, 25.0, 1.0])
    assert [cell for row in signals.rows if row.name == "entailed" for cell in row.cells][1] == "4"
    assert figures.note == "1 of 4 replies of the judge was neither yes nor no: counted as wrong"
    # The surest first: right, right, wrong, wrong; 20% of 4 questions is one question.
    assert values(risks) == pytest.approx([0.0, 0.0, 0.0, 100 / 3, 50.0])
    assert report.plots[0].series[0].points[-1] == (1.0, 0.5)
