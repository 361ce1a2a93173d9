"""Tables of F1 and exact match by the number of gold sentences: FEVER-1, HoVer-2, HoVer-3, HoVer-4."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from probative.bench.experiment import Settings
from probative.bench.experiments.mcse_study.claims import Claim, fever, hover_by_hops
from probative.bench.experiments.mcse_study.figures import exact_cell, finished, overlap_cells
from probative.bench.experiments.mcse_study.published import published_name
from probative.bench.report import Cell, Plot, Series, Table, TableRow
from probative.bench.rows import Row

FEVER = "FEVER-1"
HOVER = ("HoVer-2", "HoVer-3", "HoVer-4")
Published = Mapping[str, Sequence[tuple[float, float]]]
"""F1 and exact match of each method, for each kind of claims in order."""


def hop_groups(settings: Settings, *, with_fever: bool = True) -> list[list[Claim]]:
    """Return claims of each number of hops; each claim needs as many sentences as it has hops."""
    groups = list(hover_by_hops(settings).values())
    return [fever(settings), *groups] if with_fever else groups


def hop_table(
    rows: Sequence[Row], kinds: Sequence[str], published: Published, title: str, corner: str, note: str = ""
) -> Table:
    """Return the table: a row for each method, F1 and exact match for each kind."""
    good = finished(rows)
    methods = dict.fromkeys(method for row in good for method in row["chosen"])
    return Table(
        title=title,
        corner=corner,
        columns=tuple(f"{kind} {figure}" for kind in kinds for figure in ("F1", "EM")),
        rows=tuple(
            TableRow(
                name=method, cells=_cells(good, method, kinds, published.get(published_name(method, good)))
            )
            for method in methods
        ),
        note=note,
    )


def _cells(
    rows: Sequence[Row], method: str, kinds: Sequence[str], published: Sequence[tuple[float, float]] | None
) -> tuple[Cell, ...]:
    cells: list[Cell] = []
    for number, kind in enumerate(kinds):
        own = [row for row in rows if row["kind"] == kind]
        f1, exact = published[number] if published is not None else (None, None)
        *_, cell = overlap_cells(own, method, "gold")
        cells += [
            cell.model_copy(update={"published": f1}),
            exact_cell(own, method, "gold", exact),
        ]
    return tuple(cells)


def hop_plot(table: Table, kinds: Sequence[str], title: str) -> Plot:
    """Return bars of F1 by number of hops, a group for each method, with the published ones."""
    series = []
    for row in table.rows:
        cells = [cell for cell in row.cells[::2] if isinstance(cell, Cell)]
        own = [(float(n), cell.value) for n, cell in enumerate(cells) if cell.value is not None]
        paper = [(float(n), cell.published) for n, cell in enumerate(cells) if cell.published is not None]
        if own:
            series.append(Series(name=row.name, points=tuple(own)))
        if paper:
            series.append(Series(name=row.name, points=tuple(paper), published=True))
    return Plot(title=title, kind="bars", x="claims", y="F1", series=tuple(series), ticks=tuple(kinds))


def mean_f1(table: Table, method: str) -> float | None:
    """Return the mean F1 of a method over the kinds that have claims."""
    for row in table.rows:
        if row.name == method:
            values = [
                cell.value for cell in row.cells[::2] if isinstance(cell, Cell) and cell.value is not None
            ]
            return sum(values) / len(values) if values else None
    return None
