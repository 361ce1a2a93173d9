"""Bars of one column of several tables with the same rows."""

from __future__ import annotations

from collections.abc import Sequence

from probative.bench.report import Cell, Plot, Series, Table


def table_bars(title: str, tables: Sequence[Table], column: str) -> tuple[Plot, ...]:
    """Return a plot with a bar for each row, a colour for each table; no plot if there is nothing to show.

    >>> from probative.bench.report import TableRow
    >>> row = TableRow(name="BM25", cells=(Cell(value=50.0),))
    >>> (plot,) = table_bars("F1", [Table(title="FEVER", corner="", columns=("F1",), rows=(row,))], "F1")
    >>> plot.ticks, plot.series[0].points
    (('BM25',), ((0.0, 50.0),))
    """
    names = tuple(dict.fromkeys(row.name for table in tables for row in table.rows))
    series = tuple(
        Series(
            name=table.title,
            points=tuple(
                (float(names.index(row.name)), cell.value)
                for row in table.rows
                if isinstance(cell := row.cells[table.columns.index(column)], Cell) and cell.value is not None
            ),
        )
        for table in tables
    )
    if not names:
        return ()
    corner = tables[0].corner
    return (Plot(title=title, kind="bars", x=corner, y=column, ticks=names, series=series),)
