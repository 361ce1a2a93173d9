"""Tables, plots and paired tests made from rows: a line for each group of rows, a column for each metric.

A metric takes the rows of a group and returns a cell. `share`, `score` and `average` make one from a field of
a row, or from a function of it:

>>> metrics = {"right": share("right"), "pieces": average("pieces", of="right")}
>>> rows = [{"set": "a", "right": True, "pieces": 2}, {"set": "a", "right": False, "pieces": 9}]
>>> table = build_table("Answers", "set", metrics, groups_by(rows, "set"))
>>> [(row.name, [cell.value for cell in row.cells]) for row in table.rows]
[('a', [50.0, 2.0])]
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, count, groupby, repeat
from typing import Any, NamedTuple

from probative.bench.metrics import auroc, auroc_interval, wilson_interval
from probative.bench.report import Cell, Plot, PlotKind, Series, Table, TableRow
from probative.bench.rows import Groups, Row, Rows, groups_by
from probative.bench.statistics import Pair, mean_cell, paired_table, percent_cell, score_cell

Value = str | Callable[[Row], Any]
"""A field of a row, or a function of it."""
Metric = Callable[[Rows], Cell | str]
Metrics = Mapping[str, Metric]
Published = Mapping[str, Sequence[float | None]]
"""The figures of a paper for each line of a table, in the order of the columns."""
SECONDS = "seconds, cached calls as 0"
"""The column of the seconds of a case: what another case or an earlier start of the run asked is not asked
again, and takes no time.
"""


def share(value: Value, of: Value | None = None) -> Metric:
    """Return the metric of the share of rows, in percent, for which `value` holds, where `of` does."""
    return lambda rows: percent_cell(_values(rows, value, of))


def score(value: Value, of: Value | None = None) -> Metric:
    """Return the metric of the mean of a figure between 0 and 1, in percent."""
    return lambda rows: score_cell(_values(rows, value, of))


def average(value: Value, of: Value | None = None) -> Metric:
    """Return the metric of the mean of a figure in its own unit."""
    return lambda rows: mean_cell(_values(rows, value, of))


def _values(rows: Rows, value: Value, of: Value | None) -> list[float]:
    return [float(_of(row, value)) for row in rows if of is None or _of(row, of)]


def _of(row: Row, value: Value) -> Any:
    return row[value] if isinstance(value, str) else value(row)


def auroc_cell(high: Sequence[float], low: Sequence[float]) -> Cell:
    """Return the AUROC of values that should be high against those that should be low, with its interval."""
    n = len(high) + len(low)
    if not high or not low:
        return Cell(value=None, n=n)
    return Cell(value=auroc(high, low), **auroc_interval(high, low)._asdict(), n=n)


def told_apart(value: Value, is_high: Value) -> Metric:
    """Return the metric of the AUROC of a figure: of rows for which `is_high` holds against the others. Rows
    without a figure (None) are left out.
    """

    def metric(rows: Rows) -> Cell:
        sides: dict[bool, list[float]] = {True: [], False: []}
        for row in rows:
            if (figure := _of(row, value)) is not None:
                sides[bool(_of(row, is_high))].append(figure)
        return auroc_cell(sides[True], sides[False])

    return metric


def ratio_cell(hits: int, n: int, published: float | None = None) -> Cell:
    """Return a share in percent with Wilson's interval.

    >>> ratio_cell(1, 2).value
    50.0
    """
    if not n:
        return Cell(value=None, n=0, published=published)
    low, high = wilson_interval(hits, n)
    return Cell(value=100 * hits / n, low=low, high=high, n=n, published=published)


def build_table(
    title: str,
    corner: str,
    metrics: Metrics,
    groups: Groups,
    note: str = "",
    published: Published | None = None,
) -> Table:
    """Return a table with a line for each group and a column for each metric.

    `published` has the paper's figures of a line, in the order of the columns.
    """
    rows = []
    for name, some in groups:
        figures = (published or {}).get(name, ())
        cells = (metric(some) for metric in metrics.values())
        rows.append(TableRow(name=name, cells=tuple(map(_beside, cells, chain(figures, repeat(None))))))
    return Table(title=title, corner=corner, columns=tuple(metrics), rows=tuple(rows), note=note)


def _beside(cell: Cell | str, published: float | None) -> Cell | str:
    if published is None or isinstance(cell, str):
        return cell
    return cell.model_copy(update={"published": published})


@dataclass(frozen=True)
class TableSpec:
    """A table that is built from the rows of a study."""

    title: str
    """With `each`, "{}" stands for the name of the value."""
    corner: str
    metrics: Metrics | Callable[[Rows], Metrics]
    """The columns, or what returns them for the rows."""
    lines: str | Callable[[Rows], Groups] = "method"
    """The field whose values are the lines, or what returns the lines."""
    each: str | None = None
    """The field that has a table for each of its values; None: one table."""
    names: Mapping[str, str] = field(default_factory=dict)
    """How values of `lines` and `each` are shown."""
    where: Callable[[Row], Any] | None = None
    """Which rows the table is about: there is no table without one."""
    note: str | Callable[[Rows], str] = ""
    published: Published | Callable[[Rows], Published] = field(default_factory=dict)

    def build(self, rows: Rows, value: str = "") -> Iterator[Table]:
        """Yield the table over rows, which have this value in `each`."""
        shown = rows if self.where is None else list(filter(self.where, rows))
        if not shown and self.where is not None:
            return
        lines = groups_by(shown, self.lines) if isinstance(self.lines, str) else self.lines(shown)
        yield build_table(
            self.title.format(self.names.get(value, value)) if self.each else self.title,
            self.corner,
            self.metrics(shown) if callable(self.metrics) else self.metrics,
            [(self.names.get(name, name), some) for name, some in lines],
            self.note(shown) if callable(self.note) else self.note,
            self.published(shown) if callable(self.published) else self.published,
        )


def build_tables(specs: Iterable[TableSpec], rows: Rows) -> Iterator[Table]:
    """Yield the tables of a study; specs in a row with the same `each` take turns for each value of it."""
    for each, together in groupby(specs, lambda spec: spec.each):
        some = list(together)
        for value, shown in groups_by(rows, each) if each is not None else [("", rows)]:
            for spec in some:
                yield from spec.build(shown, value)


@dataclass(frozen=True)
class PairedSpec:
    """Paired tests of a figure between 0 and 1: how much arms differ on the same cases."""

    title: str
    value: Value | Mapping[str, Value]
    """The figure of a row, or several by name; a row without one (None) is not compared."""
    pairs: Sequence[Pair] | Callable[[Sequence[str]], Sequence[Pair]]
    """Which arms are compared, or what returns it for the arms of the rows."""
    by: Value | None = "set"
    """The field or function whose values are the columns."""
    arm: Value = "method"
    case: Value = "question"
    where: Callable[[Row], Any] | None = None
    note: str = ""

    def build(self, rows: Rows) -> tuple[Table, ...]:
        """Return the table of the tests; nothing if there is nothing to compare."""
        shown = rows if self.where is None else list(filter(self.where, rows))
        pairs = self.pairs
        if not isinstance(pairs, Sequence):
            arms = list(dict.fromkeys(_of(row, self.arm) for row in shown))
            pairs = pairs(arms) if arms else []
        return paired_table(self.title, pairs, self._columns(shown), self.note)

    def _columns(self, rows: Rows) -> dict[str, dict[str, dict[str, float]]]:
        values = self.value if isinstance(self.value, Mapping) else {"": self.value}
        groups = dict.fromkeys(_of(row, self.by) if self.by is not None else "" for row in rows)
        columns: dict[str, dict[str, dict[str, float]]] = {
            _joined(group, name): {} for group in groups for name in values
        }
        for row in rows:
            group = _of(row, self.by) if self.by is not None else ""
            for name, value in values.items():
                if (figure := _of(row, value)) is not None:
                    by_case = columns[_joined(group, name)].setdefault(_of(row, self.arm), {})
                    by_case[str(_of(row, self.case))] = float(figure)
        return columns


def _joined(*names: str) -> str:
    return ", ".join(filter(None, names))


class Results(NamedTuple):
    """What plots and findings are made from: the rows of the figures, tables, paired tests, all rows with
    those of failed cases, and the options of the run.
    """

    rows: Rows
    tables: Sequence[Table]
    tests: Sequence[Table]
    all_rows: Rows
    options: Mapping[str, Any]


PlotSpec = Callable[[Results], Iterable[Plot]]
Finding = Callable[[Results], Iterable[str]]


def bars(title: str, column: str, shown: Callable[[Table], Any] = lambda table: True) -> PlotSpec:
    """Return the plot with a bar for each line of the tables, a colour for each table."""

    def plots(results: Results) -> Iterator[Plot]:
        tables = list(filter(shown, results.tables))
        names = tuple(dict.fromkeys(row.name for table in tables for row in table.rows))
        series = []
        for table in tables:
            cells = [row.cells[table.columns.index(column)] for row in table.rows]
            places = [names.index(row.name) for row in table.rows]
            series.append(Series(name=table.title, points=points(cells, places)))
        if names:
            x = tables[0].corner
            yield Plot(title=title, kind="bars", x=x, y=column, ticks=names, series=tuple(series))

    return plots


def line_bars(title: str, y: str, columns: Callable[[Results], Iterable[tuple[str, Table, str]]]) -> PlotSpec:
    """Return the plot with bars for each line of some tables that has a figure of ours, and the published
    figures beside ours. `columns` yields each colour: a name, a table and the title of one of its columns.
    """

    def plots(results: Results) -> Iterator[Plot]:
        named = [
            (name, dict(column_cells(table, column)), table.corner)
            for name, table, column in columns(results)
        ]
        lines = [line for _, cells, _ in named for line, figures in cells.items() if points(figures)]
        ticks = tuple(dict.fromkeys(lines))
        if not ticks:
            return
        series = [
            each
            for name, cells, _ in named
            for each in both_series(name, [cells[line][0] if cells.get(line) else "-" for line in ticks])
        ]
        yield Plot(title=title, kind="bars", x=named[0][2], y=y, ticks=ticks, series=tuple(series))

    return plots


def plot(
    title: str,
    kind: PlotKind,
    x: str,
    y: str,
    series: Callable[[Results], Mapping[str, Iterable[tuple[float, float]]]],
    ticks: Callable[[Results], Iterable[str]] = lambda results: (),
) -> PlotSpec:
    """Return the plot of the points of each series; there is none without a series. In the title, {0} is that
    of the first table.
    """

    def plots(results: Results) -> Iterator[Plot]:
        lines = tuple(Series(name=name, points=tuple(pairs)) for name, pairs in series(results).items())
        if lines:
            shown = title.format(*(table.title for table in results.tables))
            yield Plot(title=shown, kind=kind, x=x, y=y, series=lines, ticks=tuple(ticks(results)))

    return plots


def has(field: str, value: object) -> Metric:
    """Return the metric of the share of rows with a value in a field."""
    return share(lambda row: row[field] == value)


def shares(field: str, values: Iterable[str]) -> Metrics:
    """Return the metrics of the share of rows that have each value in a field.

    >>> [metric([{"outcome": "right"}]).value for metric in shares("outcome", ["right", "wrong"]).values()]
    [100.0, 0.0]
    """
    return {value: has(field, value) for value in values}


def column_cells(table: Table, *columns: str) -> Iterator[tuple[str, list[Cell]]]:
    """Yield the name of each row with its cells in the columns, except those that are texts."""
    places = [table.columns.index(column) for column in columns]
    for row in table.rows:
        yield row.name, [cell for at in places if isinstance(cell := row.cells[at], Cell)]


def known_cells(table: Table, *columns: str) -> Iterator[tuple[str, list[Cell]]]:
    """Yield the name of each row with its cells in the columns, where all have a figure."""
    for name, cells in column_cells(table, *columns):
        if len(cells) == len(columns) and all(cell.value is not None for cell in cells):
            yield name, cells


def points(
    cells: Iterable[Cell | str], xs: Iterable[float] | None = None, *, published: bool = False
) -> tuple[tuple[float, float], ...]:
    """Return the figures of cells as points over `xs`, or over their places.

    >>> points([Cell(value=4.0), "-", Cell(value=5.0)])
    ((0.0, 4.0), (2.0, 5.0))
    """
    return tuple(
        (float(x), figure)
        for x, cell in zip(xs or count(), cells, strict=False)
        if isinstance(cell, Cell) and (figure := cell.published if published else cell.value) is not None
    )


def line_names(results: Results) -> list[str]:
    """Return the names of the lines of the first table."""
    return [row.name for row in results.tables[0].rows]


def column_points(results: Results, column: str, table: int = 0) -> tuple[tuple[float, float], ...]:
    """Return the figures of a column of a table as points."""
    shown = results.tables[table]
    return points(row.cells[shown.columns.index(column)] for row in shown.rows)


def both_series(name: str, cells: Sequence[Cell | str], xs: Sequence[float] | None = None) -> list[Series]:
    """Return the series of our figures and that of the published ones, where there are any."""
    ours, published = points(cells, xs), points(cells, xs, published=True)
    return [
        *([Series(name=name, points=ours)] if ours else []),
        *([Series(name=name, points=published, published=True)] if published else []),
    ]


def kind_bars(field: str) -> PlotSpec:
    """Return the plot of the share of right outcomes by the kind of question, a colour for each value of
    `field`; there is none without an outcome.
    """

    def kinds(results: Results) -> list[str]:
        return list(dict.fromkeys(row["kind"] for row in results.rows if "outcome" in row))

    def series(results: Results) -> dict[str, tuple[tuple[float, float], ...]]:
        rows, order = [row for row in results.rows if "outcome" in row], kinds(results)
        by_name = {name: dict(groups_by(some, "kind")) for name, some in groups_by(rows, field)}
        return {
            name: points(map(has("outcome", "right"), by_kind.values()), map(order.index, by_kind))
            for name, by_kind in by_name.items()
        }

    title = "Right outcomes by kind of question"
    return plot(title, "bars", "kind of question", "right, %", series, kinds)
