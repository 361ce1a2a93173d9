"""The base of the studies by the number of gold sentences: FEVER-1, HoVer-2, HoVer-3, HoVer-4."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import ClassVar

from probative.bench.experiment import Settings
from probative.bench.experiments.mcse_study.claims import Claim, fever, hover_by_hops
from probative.bench.experiments.mcse_study.figures import (
    by_kind,
    compared_f1,
    exact_cell,
    f1_finding,
    failure_notes,
    methods_of,
    overlap_cells,
    published_name,
)
from probative.bench.experiments.mcse_study.study import McseStudy
from probative.bench.published import ByHops
from probative.bench.report import Cell, Plot, Report, Table, TableRow
from probative.bench.rows import Row, finished_rows
from probative.bench.statistics import Pair
from probative.bench.tables import both_series, rows_of

FEVER = "FEVER-1"
HOVER = ("HoVer-2", "HoVer-3", "HoVer-4")
Published = Mapping[str, ByHops]
"""F1 and exact match of each method, for each kind of claims in order."""


class HopStudy(McseStudy):
    """F1 and exact match of each method on claims of each number of hops."""

    data: ClassVar[tuple[str, ...]] = ("fever", "hover")
    kinds: ClassVar[tuple[str, ...]] = (FEVER, *HOVER)
    published: ClassVar[Published] = {}
    table_title: ClassVar[str] = ""
    plot_title: ClassVar[str] = ""
    corner: ClassVar[str] = "method"
    note: ClassVar[str] = ""
    pairs: ClassVar[Sequence[Pair] | None] = None
    """What is tested against what; None: McsE against every other method."""

    def groups(self, settings: Settings) -> Iterable[Sequence[Claim]]:
        """Return the claims of FEVER (one hop) and HoVer (two to four)."""
        hover = hover_by_hops(settings).values()
        return [fever(settings), *hover] if FEVER in self.kinds else list(hover)

    def report(self, rows: Sequence[Row], settings: Settings) -> Report:
        """Return the table, bars of F1 with the published ones, the tests and what they show."""
        good = finished_rows(rows)
        table = self.table(good)
        tests = compared_f1(by_kind(good, self.kinds), self.pairs)
        series = [each for row in table.rows for each in both_series(row.name, row.cells[::2])]
        plot = Plot(
            title=self.plot_title, kind="bars", x="claims", y="F1", series=tuple(series), ticks=self.kinds
        )
        return Report(
            tables=(table, *tests),
            plots=(plot,),
            findings=(f1_finding(tests), *self.more_findings(table, good), *failure_notes(rows)),
        )

    def more_findings(self, table: Table, rows: Sequence[Row]) -> Iterable[str]:
        """Return what the table shows besides the tests."""
        return ()

    def table(self, rows: Sequence[Row]) -> Table:
        """Return a row for each method, with F1 and exact match for each kind."""
        lines = []
        for method in methods_of(rows):
            figures = self.published.get(published_name(method, rows)) or ((None, None),) * len(self.kinds)
            cells: list[Cell] = []
            for kind, (f1, exact) in zip(self.kinds, figures, strict=True):
                own = rows_of(rows, kind=kind)
                *_, cell = overlap_cells(own, method, "gold")
                cells += [cell.model_copy(update={"published": f1}), exact_cell(own, method, "gold", exact)]
            lines.append(TableRow(name=method, cells=tuple(cells)))
        columns = tuple(f"{kind} {figure}" for kind in self.kinds for figure in ("F1", "EM"))
        return Table(
            title=self.table_title, corner=self.corner, columns=columns, rows=tuple(lines), note=self.note
        )
