"""What the tests of GIVE's study share: tiny data, and a run of an experiment with a scripted model."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from graph_questions import given_encoder, write_data

from probative import Session
from probative.bench.report import Cell, Report, Table
from probative.bench.study import Lab, Settings
from probative.bench.study import Study as StudyRecord
from probative.testing import ScriptedModel

Study = Callable[..., Report]

# No near entities and examples: knowledge that can be counted by hand.
SIMPLE = {"entities": 0, "examples": 0, "logic_chain": False}


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return write_data(tmp_path / "data")


@pytest.fixture
def study(data: Path) -> Study:
    """Run every case of an experiment, and report, with the options SIMPLE."""

    def go(
        experiment: StudyRecord,
        model: ScriptedModel,
        *,
        judge: ScriptedModel | None = None,
        limit: int | None = None,
        **options: Any,
    ) -> Report:
        settings = Settings(data, limit=limit, options={**SIMPLE, **options})
        with Session(model, encoder=given_encoder()) as session:
            lab = Lab(session, None if judge is None else Session(judge), settings)
            rows = [experiment.run(case, lab) for case in experiment.cases(settings)]
            report = experiment.report(rows, settings)
            assert report.findings
            return report

    return go


def values(table: Table) -> dict[str, list[float | None]]:
    """Return the figures of each line, rounded."""
    return {row.name: [_value(cell) for cell in row.cells] for row in table.rows}


def published(table: Table, line: str) -> Sequence[float | None]:
    """Return the published figures of a line."""
    (row,) = [row for row in table.rows if row.name == line]
    return [cell.published if isinstance(cell, Cell) else None for cell in row.cells]


def _value(cell: Cell | str) -> float | None:
    return round(cell.value, 1) if isinstance(cell, Cell) and cell.value is not None else None
