"""Table 7: MultiRC, the first sentence and the first two, beside methods made for such data."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from probative.bench.experiment import Settings
from probative.bench.experiments.mcse_study.claims import Claim, multirc
from probative.bench.experiments.mcse_study.compared import compared_f1, f1_finding
from probative.bench.experiments.mcse_study.figures import (
    best_finding,
    failure_notes,
    finished,
    methods_of,
    overlap_cells,
)
from probative.bench.experiments.mcse_study.published import BESIDE, PUBLISHED, published_name
from probative.bench.experiments.mcse_study.study import McseStudy
from probative.bench.report import Cell, Report, Table, TableRow
from probative.bench.rows import Row

COLUMNS = tuple(f"top {top} {figure}" for top in (1, 2) for figure in ("precision", "recall", "F1"))


class MultiRc(McseStudy):
    """Evidence for answers to questions about paragraphs."""

    name = "mcse-multirc"
    title = "Evidence on MultiRC: McsE against its baselines and task-specific methods"
    shown_as = "table 7"
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
        good = finished(rows)
        true = [row for row in good if row["true"]]
        tables = [_table(good, "MultiRC", published=True)]
        if true:
            tables.append(_table(true, "MultiRC, claims that the text supports", published=False))
        findings = [best_finding(good, "MultiRC", top) for top in (1, 2)]
        tests = compared_f1({"top 1": (good, 1), "top 2": (good, 2)})
        return Report(
            tables=(*tables, *tests),
            findings=(f1_finding(tests), *(finding for finding in findings if finding), *failure_notes(rows)),
        )


def _table(rows: Sequence[Row], title: str, *, published: bool) -> Table:
    lines = []
    for method in methods_of(rows):
        first, second = (
            PUBLISHED.multirc.get(published_name(method, rows), (None, None)) if published else (None, None)
        )
        cells = (*overlap_cells(rows, method, 1, first), *overlap_cells(rows, method, 2, second))
        lines.append(TableRow(name=method, cells=cells))
    if published:
        lines += [
            TableRow(
                name=f"{name} (published only)",
                cells=tuple(Cell(value=None, published=figure) for figure in figures),
            )
            for name, figures in PUBLISHED.multirc_task_specific.items()
        ]
    note = f"{BESIDE} S is supervised, U unsupervised." if published else ""
    return Table(title=title, corner="method", columns=COLUMNS, rows=tuple(lines), note=note)
