"""The leaderboard and risk against coverage, from the data file to the report, on four questions in the form
of HotpotQA with a scripted model; the tables were worked out by hand.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from data_sets import multihop_row, write_json

from probative import load_settings
from probative.bench.registry import load_experiment
from probative.bench.report import Cell, RunReport, Table
from probative.bench.run import run_experiment
from probative.bench.study import Settings
from probative.bench.worker import Models
from probative.errors import OutputError
from probative.models.types import Request
from probative.models.verdict import VerdictItem, VerdictScores
from probative.testing import ScriptedModel, ScriptedVerdict

# The gold answer is always Voss. Boats 200 to 203 are asked.
WITHOUT_TEXTS = {200: "Voss", 201: "Oslo", 202: "Oslo", 203: "Oslo"}
WITH_TEXTS = {200: "Voss [2]", 201: "Voss [2]", 202: "Voss [2]", 203: "harbour of Voss [2]"}
FEATURES = {
    "intent": "name of a town",
    "nodes": ["home port", "builder"],
    "relations": [{"head": "home port", "predicate": "of", "tail": "builder"}],
}
CARRIED = {
    "texts": [
        {"text": 1, "carries": [3]},
        {"text": 2, "carries": []},
        {"text": 3, "carries": [1, 2, 4]},
        {"text": 4, "carries": []},
    ]
}


@pytest.fixture
def data(tmp_path: Path) -> Path:
    rows = [multihop_row("hotpot", number) for number in WITH_TEXTS]
    write_json(tmp_path / "data/hotpotqa/hotpot_dev_distractor_sample.json", rows)
    return tmp_path / "data"


def boat_of(text: str) -> int:
    return int(re.findall(r"boat (\d+)\?", text)[-1])


def judge_reply(request: Request) -> str:
    """Say yes to Voss, no to Oslo, and neither to a harbour."""
    (answer,) = re.findall("Given answer: (.*)", request.messages[-1].content)
    return {"Voss": "Yes.", "Oslo": "No."}.get(answer, "Perhaps.")


def values(table: Table, name: str) -> dict[str, float | None]:
    (row,) = [row for row in table.rows if row.name == name]
    return {
        column: cell.value
        for column, cell in zip(table.columns, row.cells, strict=True)
        if isinstance(cell, Cell)
    }


def run(name: str, data: Path, folder: Path, models: Models, options: dict[str, str]) -> RunReport:
    return run_experiment(load_experiment(name), Settings(data, limit=4, options=options), folder, models)


def certain(item: VerdictItem) -> VerdictScores:
    return VerdictScores(0.98, 0.01, 0.01, tuple(1 / len(item.evidence) for _ in item.evidence))


@pytest.mark.model
def test_the_leaderboard_is_the_one_worked_out_by_hand(data: Path, tmp_path: Path) -> None:
    def reply(request: Request) -> str:
        prompt = request.messages[-1].content
        return (WITH_TEXTS if "numbered texts" in prompt else WITHOUT_TEXTS)[boat_of(prompt)]

    model = ScriptedModel(generate=reply, fingerprint="fixed")
    judge = ScriptedModel(generate=judge_reply, name="judge", fingerprint="judge")
    models = Models(load_settings({"cache": False}), model, judge, ScriptedVerdict(certain))
    report = run("leaderboard", data, tmp_path / "run", models, {"methods": "closed-book,rag"})
    assert report.failed == 0
    assert report.settings == {"limit": 4, "seed": 1, "options": {"methods": "closed-book,rag"}}
    table, tests = report.report.tables
    assert values(table, "closed-book") == dict.fromkeys(("F1", "exact match", "right", "judged right"), 25.0)
    # "harbour of Voss" has one of three words right, F1 2 / 4, and contains the answer; the judge cannot say.
    assert values(table, "rag") == {"F1": 87.5, "exact match": 75.0, "right": 100.0, "judged right": 75.0}
    assert table.note == "1 of 8 replies of the judge was neither yes nor no: counted as wrong"
    # All differences speak for rag: two of two by exact match and the judge (p = 2 / 2²), three of three by
    # the others (p = 2 / 2³).
    assert [row.name for row in tests.rows] == ["closed-book against rag"]
    assert values(tests, "closed-book against rag")["F1, difference"] == -62.5
    p_values = dict(zip(tests.columns[1::2], tests.rows[0].cells[1::2], strict=True))
    assert p_values == {
        "F1, p": "0.250",
        "exact match, p": "0.500",
        "right, p": "0.250",
        "judged right, p": "0.500",
    }
    # Half of the rows are lost: the run goes on with them, and nothing is asked again.
    rows = tmp_path / "run/rows.jsonl"
    rows.write_text("".join(f"{line}\n" for line in rows.read_text().splitlines()[:4]))
    asked = len(model.asked), len(judge.asked)
    assert run("leaderboard", data, tmp_path / "run", models, {"methods": "closed-book,rag"}) == report
    assert (len(model.asked), len(judge.asked)) == asked


@pytest.mark.model
def test_a_case_that_fails_counts_as_wrong_and_is_shown(data: Path, tmp_path: Path) -> None:
    """RAG fails on boats 202 and 203, which closed-book gets wrong: RAG must not look better for it."""

    def reply(request: Request) -> str:
        prompt = request.messages[-1].content
        if "numbered texts" not in prompt:
            return WITHOUT_TEXTS[boat_of(prompt)]
        if boat_of(prompt) > 201:
            raise OutputError("the reply is empty")
        return WITH_TEXTS[boat_of(prompt)]

    models = Models(
        load_settings({"cache": False}),
        ScriptedModel(generate=reply, fingerprint="fixed"),
        verdict=ScriptedVerdict(certain),
    )
    report = run("leaderboard", data, tmp_path / "run", models, {"methods": "closed-book,rag"})
    assert report.failed == 2
    table, tests = report.report.tables
    assert values(table, "rag") == {"F1": 50.0, "exact match": 50.0, "right": 50.0}
    assert [row.cells[table.columns.index("failed")] for row in table.rows] == ["0", "2"]
    assert {cell.n for row in (*table.rows, *tests.rows) for cell in row.cells if isinstance(cell, Cell)} == {
        4
    }
    assert "A case that failed counts as wrong; its cost is in no figure." in report.notes


def test_the_seed_draws_the_cases_and_repeats_are_shown_only_where_cases_are_repeated(data: Path) -> None:
    board = load_experiment("leaderboard")
    drawn = {
        seed: [
            case.key for case in board.cases(Settings(data, limit=2, seed=seed, options={"methods": "rag"}))
        ]
        for seed in range(8)
    }
    assert all(len(keys) == 2 for keys in drawn.values())
    assert len({tuple(keys) for keys in drawn.values()}) > 1
    assert (board.repeated, load_experiment("coe-noise").repeated) == (False, True)


def test_risk_and_coverage_is_the_one_worked_out_by_hand(data: Path, tmp_path: Path) -> None:
    # Boats 200 and 201 get the right answer, which the verdict model finds in the chain; 202 and 203 a wrong
    # one, which it denies.
    def reply(request: Request) -> str:
        prompt = request.messages[-1].content
        if "to be taken apart" in prompt:
            return json.dumps(FEATURES)
        if "numbered features" in prompt:
            return json.dumps(CARRIED)
        return "Voss [2]" if boat_of(prompt) < 202 else "Rope [1]"

    def verdict(item: VerdictItem) -> VerdictScores:
        if item.claim.endswith("Voss"):
            return certain(item)
        return VerdictScores(0.02, 0.9, 0.08, tuple(1 / len(item.evidence) for _ in item.evidence))

    models = Models(
        load_settings({"cache": False}),
        model=ScriptedModel(generate=reply, fingerprint="fixed"),
        verdict=ScriptedVerdict(verdict),
    )
    report = run("risk-coverage", data, tmp_path / "run", models, {"data": "hotpotqa"})
    assert report.failed == 0
    answers, risks, signals = report.report.tables
    figures = values(answers, "hotpotqa")
    assert {name: figures[name] for name in ("EM", "right", "supported", "right of these")} == {
        "EM": 50.0,
        "right": 50.0,
        "supported": 50.0,
        "right of these": 100.0,
    }
    assert figures["wrong and supported"] == 0.0
    assert figures["AUROC of the certainty"] == 1.0  # both right answers are surer than both wrong ones
    # 20% of four questions is one, 40% two, 60% two, 80% three.
    assert list(values(risks, "hotpotqa").values()) == pytest.approx([0.0, 0.0, 0.0, 100 / 3, 50.0])
    assert values(signals, "entailed")["AUROC"] == 1.0
    risk, reliability = report.report.plots
    assert risk.series[0].points == ((0.25, 0.0), (0.5, 0.0), (0.75, pytest.approx(1 / 3)), (1.0, 0.5))
    assert reliability.kind == "reliability"
