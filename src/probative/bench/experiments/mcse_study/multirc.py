"""Table 7: MultiRC, the first sentence and the first two, beside methods made for such data."""

from __future__ import annotations

from collections.abc import Sequence

from probative.bench.experiment import Case, Experiment, Lab, Settings
from probative.bench.experiments.mcse_study.claims import as_cases, draw, multirc
from probative.bench.experiments.mcse_study.figures import (
    best_finding,
    failure_notes,
    finished,
    methods_of,
    overlap_cells,
)
from probative.bench.experiments.mcse_study.methods import check_options, chosen_methods, run_methods
from probative.bench.experiments.mcse_study.published import BESIDE, MULTIRC, published_name
from probative.bench.report import Cell, Report, Table, TableRow
from probative.bench.rows import Row

# Published only: supervised (S) and unsupervised (U) methods made for such data.
TASK_SPECIFIC: dict[str, tuple[float | None, ...]] = {
    "Pipeline S": (66.7, 30.2, 41.6, None, None, None),
    "Faithful-Rationale U": (34.6, 15.5, 21.4, 44.4, 19.9, 27.5),
    "Faithful-Rationale S": (74.3, 33.5, 46.1, 65.8, 42.3, 51.4),
}
COLUMNS = tuple(f"top {top} {figure}" for top in (1, 2) for figure in ("precision", "recall", "F1"))


class MultiRc(Experiment):
    """Evidence for answers to questions about paragraphs."""

    name = "mcse-multirc"
    title = "Evidence on MultiRC: McsE against its baselines and task-specific methods"
    paper = "McsE"
    shown_as = "table 7"
    data = ("multirc",)
    verbs = frozenset({"generate", "score"})
    # n²(1 + 10(K - 1)) for each sentence, with K = 4 and the n of the data (HoVer: 35 on average).
    calls_per_case = 12_000.0

    def cases(self, settings: Settings) -> Sequence[Case]:
        """Return claims of MultiRC, also the false ones."""
        check_options(settings, "methods")
        chosen_methods(settings)
        return as_cases([draw(multirc(settings), settings)])

    def run(self, case: Case, lab: Lab) -> Row:
        """Run every method for two sentences."""
        return run_methods(lab.session, case.content, chosen_methods(lab.settings), 2)

    def report(self, rows: Sequence[Row], settings: Settings) -> Report:
        """Return the table over all claims, and the one over claims that the text supports."""
        good = finished(rows)
        true = [row for row in good if row["true"]]
        tables = [_table(good, "MultiRC", published=True)]
        if true:
            tables.append(_table(true, "MultiRC, claims that the text supports", published=False))
        findings = [best_finding(good, "MultiRC", top) for top in (1, 2)]
        return Report(
            tables=tuple(tables),
            findings=(*(finding for finding in findings if finding), *failure_notes(rows)),
        )


def _table(rows: Sequence[Row], title: str, *, published: bool) -> Table:
    lines = []
    for method in methods_of(rows):
        first, second = MULTIRC.get(published_name(method, rows), (None, None)) if published else (None, None)
        cells = (*overlap_cells(rows, method, 1, first), *overlap_cells(rows, method, 2, second))
        lines.append(TableRow(name=method, cells=cells))
    if published:
        lines += [
            TableRow(
                name=f"{name} (published only)",
                cells=tuple(Cell(value=None, published=figure) for figure in figures),
            )
            for name, figures in TASK_SPECIFIC.items()
        ]
    note = f"{BESIDE} S is supervised, U unsupervised." if published else ""
    return Table(title=title, corner="method", columns=COLUMNS, rows=tuple(lines), note=note)
