"""Sheets of a workbook: their cells, and the tables among titles and empty rows."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from probative.corpus.readers.table import named_columns
from probative.errors import UnreadableError
from probative.text.labels import counted

MAX_COLUMNS, MAX_ROWS = 16_384, 1_048_576
MAX_CELLS = 5_000_000
_MAX_FILLED, _MAX_TABLES = 1_000_000, 500


class Cell(NamedTuple):
    """A cell as its sheet shows it; `kind` is "text", "number" or "date", and `date` the day of a date."""

    text: str
    kind: str = "text"
    date: str | None = None


class Area(NamedTuple):
    """Cells from the left top to the right bottom one; all count from 1."""

    left: int
    top: int
    right: int
    bottom: int


@dataclass
class Sheet:
    """The cells with text by row and column, the merged areas, and the tables that the file declares with the
    number of their header rows.
    """

    name: str
    rows: dict[int, dict[int, Cell]] = field(default_factory=dict)
    merged: list[Area] = field(default_factory=list)
    tables: list[tuple[Area, int]] = field(default_factory=list)


class Region(NamedTuple):
    """Rows and columns that stand together: a table with its titles. `headers` is the number of its header
    rows, if the file says it.
    """

    rows: list[int]
    columns: list[int]
    headers: int | None = None


def table_texts(sheet: Sheet) -> list[list[str]]:
    """Return the rows of a sheet that is one table."""
    fill_down(sheet)
    regions = _region(sorted(sheet.rows), {number: set(row) for number, row in sheet.rows.items()})
    return [row for region in regions for row in texts_of(sheet, region)]


def uncalculated_note(cells: Sequence[str]) -> list[str]:
    """Return a note on formulas without a kept value, which stand in these cells.

    >>> uncalculated_note(["Ropes!B2"])[0][:49]
    '1 formula without a kept value, first in Ropes!B2'
    """
    if not cells:
        return []
    where = f"{counted(len(cells), 'formula')} without a kept value, first in {cells[0]}"
    return [f"{where}: open and save the file in a spreadsheet program"]


def fill_down(sheet: Sheet) -> None:
    """Write the text of cells that were merged over several rows into each of these rows."""
    numbers = sorted(sheet.rows)
    left = _MAX_FILLED
    for area in sheet.merged:
        cell = sheet.rows.get(area.top, {}).get(area.left)
        below = numbers[bisect_right(numbers, area.top) : bisect_right(numbers, area.bottom)]
        if cell is None or len(below) > left:
            continue
        left -= len(below)
        for number in below:
            sheet.rows[number].setdefault(area.left, cell)


def regions_of(sheet: Sheet) -> list[Region]:
    """Return the regions of a sheet from the top: declared tables, and what stands between empty rows."""
    free = {number: set(row) for number, row in sheet.rows.items()}
    numbers = sorted(free)
    regions: list[Region] = []
    for area, headers in sheet.tables[:_MAX_TABLES]:
        rows = numbers[bisect_left(numbers, area.top) : bisect_right(numbers, area.bottom)]
        inside = {number: {at for at in free[number] if area.left <= at <= area.right} for number in rows}
        for number, columns in inside.items():
            free[number] -= columns
        regions += _region([number for number in rows if inside[number]], inside, headers)
    for block in _runs([number for number in numbers if free[number]]):
        regions += _side_by_side(sheet, block, free)
    return sorted(regions, key=lambda region: (region.rows[0], region.columns[0]))


def _region(rows: list[int], used: dict[int, set[int]], headers: int | None = None) -> list[Region]:
    """Return the region of some rows; none if there are none. A region of scattered cells is too large."""
    columns = sorted(set().union(*(used[number] for number in rows)))
    if len(rows) * len(columns) > 4 * MAX_CELLS:
        raise UnreadableError("too large", f"a table has {len(rows):,} rows and {len(columns):,} columns")
    return [Region(rows, columns, headers)] if rows else []


def _runs(numbers: Sequence[int]) -> Iterator[list[int]]:
    """Yield the numbers that follow each other."""
    run: list[int] = []
    for number in numbers:
        if run and number != run[-1] + 1:
            yield run
            run = []
        run.append(number)
    if run:
        yield run


def _side_by_side(sheet: Sheet, rows: list[int], free: dict[int, set[int]]) -> list[Region]:
    """Return the tables of a block: the parts between empty columns if each has two columns and a header."""
    (whole,) = _region(rows, free)
    runs = list(_runs(whole.columns))
    if len(runs) < 2 or min(map(len, runs)) < 2:
        return [whole]
    parts: list[Region] = []
    for columns in runs:
        inside = {number: free[number].intersection(columns) for number in rows}
        for run in _runs([number for number in rows if inside[number]]):
            parts += _region(run, inside)
    return parts if all(_has_header(sheet, part) for part in parts) else [whole]


def _has_header(sheet: Sheet, part: Region) -> bool:
    """Return whether the table in a part, if it has one, begins with a header."""
    rows = zip(part.rows, texts_of(sheet, part), strict=True)
    table = [(number, row) for number, row in rows if sum(map(bool, row)) > 1]
    if not table or named_columns([row for _, row in table]):
        return True
    return any(area.top == table[0][0] and area.left in part.columns for area in sheet.merged)


def texts_of(sheet: Sheet, region: Region) -> list[list[str]]:
    """Return the texts of the cells of a region, row by row."""
    rows = (sheet.rows[number] for number in region.rows)
    return [[row[at].text if at in row else "" for at in region.columns] for row in rows]
