"""Table 7: MultiRC, the first sentence and the first two, beside methods made for such data."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from probative.bench.experiment import Settings
from probative.bench.experiments.mcse_study.claims import Claim, multirc
from probative.bench.experiments.mcse_study.figures import (
    BESIDE,
    best_finding,
    compared_f1,
    f1_finding,
    failure_notes,
    top_table,
)
from probative.bench.experiments.mcse_study.study import McseStudy
from probative.bench.published import MCSE as PUBLISHED
from probative.bench.report import Cell, Report, TableRow
from probative.bench.rows import Row, finished_rows


class MultiRc(McseStudy):
    """Evidence for answers to questions about paragraphs."""

    name = "mcse-multirc"
    title = "Evidence on MultiRC: McsE against its baselines and task-specific methods"
    paper_reference = "table 7"
    data = ("multirc",)
    calls_per_case = 12_000.0
    options = ("methods",)

    def groups(self, settings: Settings) -> Iterable[Sequence[Claim]]:
        """Return claims of MultiRC, also the false ones."""
        return [multirc(settings)]

    def sentences(self, claim: Claim) -> int:
        """Return two: the first of them is that of top 1."""
        return 2

    def report(self, rows: Sequence[Row], settings: Settings) -> Report:
        """Return the table over all claims, and the one over claims that the text supports."""
        good = finished_rows(rows)
        note = f"{BESIDE} S is supervised, U unsupervised."
        table = top_table(good, "MultiRC", (1, 2), PUBLISHED.multirc, note)
        tables = [table.model_copy(update={"rows": (*table.rows, *_task_specific())})]
        if true := [row for row in good if row["true"]]:
            tables.append(top_table(true, "MultiRC, claims that the text supports", (1, 2), {}, ""))
        findings = [best_finding(good, "MultiRC", top) for top in (1, 2)]
        tests = compared_f1({"top 1": (good, 1), "top 2": (good, 2)})
        return Report(
            tables=(*tables, *tests),
            findings=(f1_finding(tests), *filter(None, findings), *failure_notes(rows)),
        )


def _task_specific() -> list[TableRow]:
    """Return a row for each method of the paper that was made for such data, with its published figures."""
    return [
        TableRow(
            name=f"{name} (published only)",
            cells=tuple(Cell(value=None, published=figure) for figure in figures),
        )
        for name, figures in PUBLISHED.multirc_task_specific.items()
    ]
