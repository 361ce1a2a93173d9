"""Figure 5: McsE with different base models, the first three and five sentences.

A run studies its model, and also its judge model if that can score. More models are more runs, put side by
side by `probative bench compare`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from probative.bench.experiment import Case, Lab, Settings
from probative.bench.experiments.mcse_study.claims import Claim
from probative.bench.experiments.mcse_study.compared import compared_f1, f1_finding
from probative.bench.experiments.mcse_study.figures import (
    failure_notes,
    finished,
    methods_of,
    overlap_cells,
)
from probative.bench.experiments.mcse_study.methods import ONLY_MCSE, Arguments, run_methods
from probative.bench.experiments.mcse_study.study import McseStudy
from probative.bench.findings import count_text
from probative.bench.report import Cell, Plot, Report, Series, Table, TableRow
from probative.bench.rows import Row
from probative.errors import CapabilityError
from probative.session.session import Session

COLUMNS = tuple(f"top {top} {figure}" for top in (3, 5) for figure in ("precision", "recall", "F1"))


class BaseModels(McseStudy):
    """Whether McsE holds with another language model behind it."""

    name = "mcse-models"
    title = "McsE with different base models, top 3 and top 5"
    shown_as = "figure 5"
    data = ("hover",)
    verbs = frozenset({"score"})
    calls_per_case = 170_000.0
    options = ("titles",)
    compared = ONLY_MCSE

    def run(self, case: Case, lab: Lab) -> Row:
        """Run McsE with each model for five sentences; a row names them by the model."""
        row = _with_model(lab.session, case.content, self.chosen(lab.settings))
        if lab.judge is not None:
            try:
                other = _with_model(lab.judge, case.content, self.chosen(lab.settings))
            except CapabilityError as error:
                return {**row, "left_out": error.what}
            for field in ("chosen", "calls", "failed"):
                row[field] = {**other[field], **row[field]}
        return row

    def report(self, rows: Sequence[Row], settings: Settings) -> Report:
        """Return a row for each model, and bars of F1."""
        good = finished(rows)
        models = methods_of(good)
        table = Table(
            title="HoVer by base model",
            corner="model",
            columns=COLUMNS,
            rows=tuple(
                TableRow(name=model, cells=(*overlap_cells(good, model, 3), *overlap_cells(good, model, 5)))
                for model in models
            ),
            note="Figure 5 of the paper has no numbers: Gemma-2b, -2b-it, -7b, -7b-it; the instruction-tuned "
            "ones are better at both sizes.",
        )
        left_out = sorted({row["left_out"] for row in good if "left_out" in row})
        pairings = [(other, models[0]) for other in models[1:]]
        tests = compared_f1({"top 3": (good, 3), "top 5": (good, 5)}, pairings)
        return Report(
            tables=(table, *tests),
            plots=(_bars(table),),
            findings=(
                *_reached(table),
                *((f1_finding(tests),) if pairings else ()),
                *(f"The judge model was left out: {what}" for what in left_out),
                *failure_notes(rows),
            ),
        )


def _reached(table: Table) -> list[str]:
    """Return the F1 of each model."""
    sentences = []
    for row in table.rows:
        three, five = row.cells[2], row.cells[5]
        if isinstance(three, Cell) and isinstance(five, Cell) and three.value is not None:
            sentences.append(
                f"McsE with {row.name} has an F1 of {three.value:.1f} (top 3) and {five.value or 0.0:.1f} "
                f"(top 5); {count_text([three, five])}."
            )
    return sentences


def _with_model(session: Session, claim: Claim, methods: Mapping[str, Arguments]) -> Row:
    """Return the row of McsE with this session's model, under the model's name."""
    row = run_methods(session, claim, methods, 5)
    name = session.language_model.name
    for field in ("chosen", "calls", "failed"):
        row[field] = dict.fromkeys([name] * len(row[field]), next(iter(row[field].values()), None))
    return row


def _bars(table: Table) -> Plot:
    series = []
    for row in table.rows:
        cells = (row.cells[2], row.cells[5])
        points = tuple(
            (float(n), cell.value)
            for n, cell in enumerate(cells)
            if isinstance(cell, Cell) and cell.value is not None
        )
        series.append(Series(name=row.name, points=points))
    return Plot(
        title="F1 by base model", kind="bars", x="", y="F1", series=tuple(series), ticks=("top 3", "top 5")
    )
