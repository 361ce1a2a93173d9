"""Tables of a PDF: cells with what they cover, which rows are the head, and each row with its names."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from typing import TYPE_CHECKING, ClassVar, Self

from probative.corpus.documents.places import WordBox
from probative.corpus.readers.pdf_rules import Box, Shares
from probative.corpus.readers.pdf_runs import HYPHENS, Run, text_lines
from probative.corpus.readers.table import is_value, looks_like_header, note_cells, row_pieces
from probative.corpus.readers.text_builder import TextBuilder

if TYPE_CHECKING:
    from probative.corpus.readers.pdf_blocks import LineJoiner

_MAX_HEAD = 4
# A name of a column is shorter, and so is a unit.
_MAX_NAME, _MAX_UNIT = 80, 12
# Columns of two parts of a table, on two pages, begin or end at the same place, in points.
_SAME_PLACE = 6.0
_NUMBER = re.compile(r"[+\-−(]?\s*[\d.,]+")


@dataclass
class Cell:
    """A cell: its runs, and the first and last row and column that it covers."""

    top: int
    left: int
    bottom: int
    right: int
    runs: list[Run] = field(default_factory=list)

    @property
    def is_bold(self) -> bool:
        return bool(self.runs) and all(run.bold for run in self.runs)

    @property
    def plain(self) -> str:
        """The text of the cell, a word that a line end splits in two parts."""
        return " ".join(self.lines())

    def lines(self) -> list[str]:
        """Return the lines of the cell from the top."""
        lines = text_lines(self.runs)
        self.runs = [run for line in lines for run in line]
        return [" ".join(run.text for run in line) for line in lines]


@dataclass
class Grid:
    """Cells in rows and columns. `columns` has the left and right of each, `fills` the colour behind each
    row, and `ruled` the rows with a rule below them.
    """

    columns: list[tuple[float, float]]
    rows: int
    cells: list[Cell]
    fills: Sequence[int | None] = ()
    ruled: frozenset[int] = frozenset()

    def matrix(self) -> list[list[Cell | None]]:
        """Return the cells row by row; one that covers several places stands in each of them."""
        rows: list[list[Cell | None]] = [[None] * len(self.columns) for _ in range(self.rows)]
        for cell in self.cells:
            for row in rows[cell.top : cell.bottom + 1]:
                row[cell.left : cell.right + 1] = [cell] * (cell.right + 1 - cell.left)
        return rows


Row = list[Cell | None]


@dataclass
class PdfTable:
    """A table: the rows of its head, and of its body, each with the name of its group, if rows are grouped.

    `is_evident` says whether the head is told from the body by more than its words.
    """

    columns: list[tuple[float, float]]
    head: list[Row]
    body: list[tuple[Cell | None, Row]]
    titles: list[Cell]
    is_evident: bool

    def names(self, joiner: LineJoiner) -> list[str]:
        """Return the name of each column, from the top: "2026 Q1" for Q1 below 2026."""
        names: list[str] = []
        for column in range(len(self.columns)):
            cells = dict.fromkeys(id(row[column]) for row in self.head)
            by_id = {id(row[column]): row[column] for row in self.head}
            texts = (joiner.join(cell.lines()) for each in cells if (cell := by_id[each]) and cell.runs)
            names.append(" ".join(dict.fromkeys(texts)))
        return names

    def texts(self, joiner: LineJoiner) -> list[list[str]]:
        """Return the texts of the cells of the body, row by row."""
        return [[text_of(cell, joiner) for cell in row] for _, row in self.body]

    def goes_on(self, earlier: PdfTable) -> bool:
        """Return whether this is the rest of a table on the page before; it gets its head then. A column may
        be empty here.
        """
        places = [_same_column(column, earlier.columns) for column in self.columns]
        known = [place for place in places if place is not None]
        if self.titles or len(set(known)) < len(places) or known != sorted(known) or len(known) < 2:
            return False
        is_same = _words(self.head) == _words(earlier.head)
        if self.head and (len(known) < len(earlier.columns) or (self.is_evident and not is_same)):
            return False
        if not is_same:
            self.body[:0] = [(None, row) for row in self.head]
        self.head, self.is_evident, self.columns = earlier.head, earlier.is_evident, earlier.columns
        for number, (group, row) in enumerate(self.body):
            wide: Row = [None] * len(earlier.columns)
            for place, cell in zip(known, row, strict=True):
                wide[place] = cell
            self.body[number] = (group, wide)
        return True

    def cells(self) -> Iterator[Cell]:
        """Yield the cells with text, each once."""
        seen: set[int] = set()
        rows: list[Sequence[Cell | None]] = [self.titles, *self.head, *(row for _, row in self.body)]
        rows.append([group for group, _ in self.body])
        for row in rows:
            for cell in row:
                if cell is not None and cell.runs and id(cell) not in seen:
                    seen.add(id(cell))
                    yield cell


def text_of(cell: Cell | None, joiner: LineJoiner) -> str:
    """Return the text of a cell on one line."""
    return joiner.join(cell.lines()) if cell is not None and cell.runs else ""


@dataclass
class TableRun(Run):
    """A table in its place among the runs of a page."""

    alone: ClassVar[bool] = True
    table: PdfTable | None = None

    @classmethod
    def of(cls, box: Box, table: PdfTable) -> Self:
        """Return the run of a table with its box."""
        runs = [run for cell in table.cells() for run in cell.runs]
        sizes = Counter(run.size for run in runs)
        left, bottom, right, top = box
        text = " ".join(run.text for run in runs)
        return cls(text, left, bottom, right, top, sizes.most_common(1)[0][0], "", table)


def _same_column(column: tuple[float, float], others: Sequence[tuple[float, float]]) -> int | None:
    """Return which column begins or ends at the same place; None if there is none."""
    far = [min(abs(column[0] - left), abs(column[1] - right)) for left, right in others]
    nearest = far.index(min(far))
    return nearest if far[nearest] < _SAME_PLACE else None


def _words(rows: Sequence[Row]) -> list[list[str]]:
    return [[cell.plain if cell else "" for cell in row] for row in rows]


def table_of(grid: Grid) -> PdfTable | None:
    """Return the table in a grid; None if fewer than two rows and two columns have text.

    >>> texts = [["Boat", "Berth"], ["Gull", "4"]]
    >>> runs = [[Run(text, 0, 0, 9, 9, 9, "helvetica") for text in row] for row in texts]
    >>> cells = [Cell(row, at, row, at, [runs[row][at]]) for row in (0, 1) for at in (0, 1)]
    >>> table = table_of(Grid([(0, 50), (50, 90)], 2, cells))
    >>> [[cell.plain for cell in row] for row in table.head], table.is_evident
    ([['Boat', 'Berth']], False)
    """
    grid = _without_empty(grid)
    if grid.rows < 2 or len(grid.columns) < 2:
        return None
    rows = grid.matrix()
    titles = [_cells(row)[0] for row in takewhile(_is_wide, rows)]
    rows = rows[len(titles) :]
    if len(rows) < 2:
        return None
    depth, is_evident = _Head(grid, rows, len(titles)).depth()
    body: list[tuple[Cell | None, Row]] = []
    group: Cell | None = None
    for number, row in enumerate(rows[depth:], start=depth):
        if _is_group(rows, number):
            group = _cells(row)[0]
        else:
            body.append((group, row))
    return PdfTable(grid.columns, rows[:depth], body, titles, is_evident)


def _without_empty(grid: Grid) -> Grid:
    """Return a grid without the rows and columns that have no text of their own."""
    cells = [cell for cell in grid.cells if cell.runs]
    rows = sorted({cell.top for cell in cells})
    columns = sorted({cell.left for cell in cells})

    def nth(numbers: list[int], first: int, last: int) -> tuple[int, int]:
        kept = [at for at, number in enumerate(numbers) if first <= number <= last]
        return kept[0], kept[-1]

    moved = []
    for cell in cells:
        top, bottom = nth(rows, cell.top, cell.bottom)
        left, right = nth(columns, cell.left, cell.right)
        moved.append(Cell(top, left, bottom, right, cell.runs))
    fills = [grid.fills[row] for row in rows] if grid.fills else [None] * len(rows)
    ruled = frozenset(
        at for at, row in enumerate(rows) if grid.ruled.intersection(range(row, [*rows, row + 1][at + 1]))
    )
    # A column reaches over the empty one behind it.
    ends = [*columns[1:], len(grid.columns)]
    places = [
        (grid.columns[first][0], grid.columns[end - 1][1]) for first, end in zip(columns, ends, strict=True)
    ]
    return Grid(places, len(rows), moved, fills, ruled)


def _cells(row: Row) -> list[Cell]:
    """Return the cells of a row with text, each once."""
    return list({id(cell): cell for cell in row if cell is not None and cell.runs}.values())


def _is_wide(row: Row) -> bool:
    """Return whether one cell covers a whole row."""
    return len(_cells(row)) == 1 and all(row)


def _is_group(rows: Sequence[Row], number: int) -> bool:
    """Return whether a row is the name of those below it: one cell over all columns, or one that stands out
    in the first column.
    """
    cells = _cells(rows[number])
    if number + 1 >= len(rows) or len(cells) != 1 or rows[number][0] is not cells[0]:
        return False
    if len(_cells(rows[number + 1])) < 2 or cells[0].bottom > cells[0].top:
        return False
    if _is_wide(rows[number]) or cells[0].plain.endswith(":"):
        return True
    below = rows[number + 1][0]
    return below is not None and cells[0].is_bold and not below.is_bold


class _Head:
    """Finds how many rows of a table are its head."""

    def __init__(self, grid: Grid, rows: list[Row], titles: int) -> None:
        self._rows = rows
        self._most = min(_MAX_HEAD, len(rows) - 1)
        self._fills = list(grid.fills[titles:])
        self._ruled = {row - titles for row in grid.ruled if titles <= row < titles + len(rows) - 1}
        self._texts = _words(rows)

    def depth(self) -> tuple[int, bool]:
        """Return the number of rows, and whether it shows by more than their words."""
        shown = max(self._bold(), self._filled(), self._above_rule())
        wide = self._wide()
        depth = max(shown, wide)
        if not depth and looks_like_header(self._texts):
            depth = 1
        if depth and depth < self._most and self._is_units(depth):
            depth += 1
        names = [text for row in self._texts[:depth] for text in row]
        if any(len(name) > _MAX_NAME for name in names):
            return 0, False
        return depth, bool(shown or wide)

    def _bold(self) -> int:
        """Return how many rows at the top are bold, if those below are not."""
        depth = 0
        while depth < len(self._rows) and all(cell.is_bold for cell in _cells(self._rows[depth])):
            if depth and len(_cells(self._rows[depth])) == 1:
                break
            depth += 1
        below = self._rows[depth:]
        plain = [row for row in below if not all(cell.is_bold for cell in _cells(row))]
        return depth if depth <= self._most and 2 * len(plain) >= len(below) else 0

    def _filled(self) -> int:
        """Return how many rows at the top have a colour that no other row has."""
        first = self._fills[0]
        depth = len(list(takewhile(lambda colour: colour == first, self._fills)))
        is_own = first is not None and first not in self._fills[depth:]
        return depth if is_own and depth <= self._most else 0

    def _above_rule(self) -> int:
        """Return the row with the first rule below it, if few rows have one."""
        first = min(self._ruled, default=self._most)
        few = len(self._ruled) <= max(1, (len(self._rows) - 1) // 2)
        return first + 1 if self._ruled and few and first < self._most else 0

    def _wide(self) -> int:
        """Return how many rows names that cover several columns, and those below them, have."""
        depth = 0
        while depth < self._most and any(cell.right > cell.left for cell in _cells(self._rows[depth])):
            depth += 1
        return depth + 1 if 0 < depth < self._most else 0

    def _is_units(self, number: int) -> bool:
        """Return whether a row has units of the columns, which are numbers below it."""
        units = [(at, text) for at, text in enumerate(self._texts[number]) if text]
        below = [[row[at] for row in self._texts[number + 1 :] if row[at]] for at, _ in units]
        return (
            bool(units)
            and all(len(text) <= _MAX_UNIT and not _NUMBER.match(text) for _, text in units)
            and all(column and all(map(is_value, column)) for column in below)
        )


def add_table_rows(
    builder: TextBuilder, table: PdfTable, joiner: LineJoiner, shares: Shares | None
) -> list[WordBox]:
    """Add each row of a table as a line with the names of its columns; return where its cells stand."""
    for title in table.titles:
        builder.paragraph(joiner.join(title.lines()))
    names = table.names(joiner) if table.head else []
    boxes: list[WordBox] = []
    for group, row in table.body:
        cells = [group, *row] if group is not None else row
        header = ["", *names] if names and group is not None else names
        texts = [text_of(cell, joiner) for cell in cells]
        pieces = row_pieces(header, texts)
        at = builder.next_offset
        builder.paragraph("".join(before + text for before, text in pieces))
        note_cells(builder, header, texts)
        filled = [cell for cell, text in zip(cells, texts, strict=True) if text or not names]
        for cell, (before, text) in zip(filled, pieces, strict=False):
            at += len(before)
            if cell is not None and shares is not None:
                boxes += _word_boxes(cell, text, at, shares)
            at += len(text)
    return boxes


def _word_boxes(cell: Cell, text: str, start: int, shares: Shares) -> Iterator[WordBox]:
    """Yield where the runs of a cell stand, whose text is at an offset."""
    at = 0
    for run in cell.runs:
        part = run.text.rstrip("".join(HYPHENS))
        found = text.find(part, at)
        if found >= 0:
            at = found + len(part)
            box = shares.box((run.left, run.bottom, run.right, run.top))
            yield WordBox(start + found, start + at, *box)
