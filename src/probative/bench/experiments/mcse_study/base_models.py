"""Figure 5: McsE with different base models, the first three and five sentences.

A run studies its model, and also its judge model if that can score. More models are more runs, put side by
side by `probative bench compare`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from probative.bench.experiment import Case, Lab, Settings
from probative.bench.experiments.mcse_study.claims import Claim
from probative.bench.experiments.mcse_study.figures import compared_f1, f1_finding, failure_notes, top_table
from probative.bench.experiments.mcse_study.study import ONLY_MCSE, Arguments, McseStudy, run_methods
from probative.bench.findings import count_text
from probative.bench.report import Plot, Report, Series, Table
from probative.bench.rows import Row, finished_rows
from probative.bench.tables import known_cells, points
from probative.errors import CapabilityError
from probative.session.session import Session


class BaseModels(McseStudy):
    """Whether McsE holds with another language model behind it."""

    name = "mcse-models"
    title = "McsE with different base models, top 3 and top 5"
    paper_reference = "figure 5"
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
        good = finished_rows(rows)
        note = (
            "Figure 5 of the paper has no numbers: Gemma-2b, -2b-it, -7b, -7b-it; the instruction-tuned "
            "ones are better at both sizes."
        )
        table = top_table(good, "HoVer by base model", (3, 5), {}, note).model_copy(
            update={"corner": "model"}
        )
        models = [row.name for row in table.rows]
        left_out = sorted({row["left_out"] for row in good if "left_out" in row})
        pairings = [(other, models[0]) for other in models[1:]]
        tests = compared_f1({"top 3": (good, 3), "top 5": (good, 5)}, pairings)
        bars = Plot(
            title="F1 by base model",
            kind="bars",
            x="",
            y="F1",
            series=tuple(Series(name=row.name, points=points(row.cells[2::3])) for row in table.rows),
            ticks=("top 3", "top 5"),
        )
        return Report(
            tables=(table, *tests),
            plots=(bars,),
            findings=(
                *_reached(table),
                *((f1_finding(tests),) if pairings else ()),
                *(f"The judge model was left out: {what}" for what in left_out),
                *failure_notes(rows),
            ),
        )


def _reached(table: Table) -> list[str]:
    """Return the F1 of each model."""
    return [
        f"McsE with {name} has an F1 of {three.value:.1f} (top 3) and {five.value:.1f} (top 5); "
        f"{count_text([three, five])}."
        for name, (three, five) in known_cells(table, "top 3 F1", "top 5 F1")
    ]


def _with_model(session: Session, claim: Claim, methods: Mapping[str, Arguments]) -> Row:
    """Return the row of McsE with this session's model, under the model's name."""
    row = run_methods(session, claim, methods, 5)
    name = session.language_model.name
    for field in ("chosen", "calls", "failed"):
        row[field] = dict.fromkeys([name] * len(row[field]), next(iter(row[field].values()), None))
    return row
