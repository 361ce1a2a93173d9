"""Figures as text: a cell with its interval and the published figure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from probative.bench.report import Cell, Table

MISSING = "-"


def table_lines(table: Table) -> list[list[str]]:
    """Return the header and the rows of a table as texts. The last column has the number of cases behind
    a row; a cell that rests on another number has its own.
    """
    digits = [column_digits(table, at) for at in range(len(table.columns))]
    counts = [_usual_count(row.cells) for row in table.rows]
    counted = any(count is not None for count in counts)
    lines = [[table.corner, *table.columns, *(["n"] if counted else [])]]
    for row, count in zip(table.rows, counts, strict=True):
        cells = [
            cell_text(cell, places, with_count=isinstance(cell, Cell) and cell.n != count)
            for cell, places in zip(row.cells, digits, strict=True)
        ]
        shown = MISSING if count is None else f"{count:,}"
        lines.append([row.name, *cells, *([shown] if counted else [])])
    return lines


def cell_text(cell: Cell | str, digits: int = 1, *, with_count: bool = False) -> str:
    """Return a figure with its interval, and the published figure with the difference.

    >>> cell_text(Cell(value=63.24, low=60.0, high=66.5, published=61.9))
    '63.2 [60.0, 66.5] (paper 61.9, +1.3)'
    >>> cell_text(Cell(value=None, published=61.9))
    '- (paper 61.9)'
    """
    if isinstance(cell, str):
        return cell
    text = MISSING if cell.value is None else number(cell.value, digits)
    if cell.low is not None and cell.high is not None:
        text += f" [{number(cell.low, digits)}, {number(cell.high, digits)}]"
    if with_count and cell.n and cell.value is not None:
        text += f", n = {cell.n:,}"
    if cell.published is not None:
        change = f", {cell.difference:+.{digits}f}" if cell.difference is not None else ""
        text += f" (paper {number(cell.published, digits)}{change})"
    return text


def number(value: float, digits: int = 1) -> str:
    """Return a number with `digits` decimals; from 1,000 on, with none.

    >>> number(0.8163, 3), number(12345.6)
    ('0.816', '12,346')
    """
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.{digits}f}"


def column_digits(table: Table, at: int) -> int:
    """Return 3 decimals for a column of shares, p-values or AUROCs, and 1 for others. A column of zeros has
    as many as the other columns.
    """
    values = _figures(table, at)
    if values and not any(values):
        values = [value for other in range(len(table.columns)) for value in _figures(table, other)]
    return 3 if any(values) and all(abs(value) <= 1 for value in values) else 1


def _figures(table: Table, at: int) -> list[float]:
    return [
        value
        for cell in (row.cells[at] for row in table.rows)
        if isinstance(cell, Cell)
        for value in (cell.value, cell.published)
        if value is not None
    ]


def _usual_count(cells: Sequence[Cell | str]) -> int | None:
    """Return the number of cases behind most cells of a row, the larger of two; cells without a figure count
    only if no cell has one.
    """
    counted = [cell for cell in cells if isinstance(cell, Cell) and cell.n is not None]
    with_figure = [cell for cell in counted if cell.value is not None] or counted
    counts = Counter(cell.n for cell in with_figure if cell.n is not None)
    return max(counts, key=lambda n: (counts[n], n)) if counts else None
