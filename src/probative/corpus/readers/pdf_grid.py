"""Tables of a PDF with rules between their columns: cells from the rules, their text from the runs within."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, pairwise

from probative.corpus.readers.pdf_cells import Cell, Grid, PdfTable, table_of
from probative.corpus.readers.pdf_rows import TextLine, group_rows
from probative.corpus.readers.pdf_rules import Box, Drawings, Fill, Rule
from probative.corpus.readers.pdf_runs import Run, text_lines

# In points: rules this near touch; borders this near are one.
_TOUCH, _SAME = 3.0, 3.0
# A grid with more places than this is graph paper.
_MAX_PLACES = 20_000
# A row has a rule below it that covers this share of its width.
_WHOLE = 0.9
# A row whose text stands on this many lines, most in most columns, is all rows of a table.
_MIN_LINES = 3
_WHITE = 0xFFFFFF
# Cells with more letters, in a grid without a head, are paragraphs in frames.
_MAX_LETTERS = 300


def grid_tables(runs: Sequence[Run], drawings: Drawings) -> list[tuple[Box, PdfTable]]:
    """Return the tables that rules show, each with its box."""
    tables: list[tuple[Box, PdfTable]] = []
    for horizontal, vertical in connected(drawings.horizontal, drawings.vertical):
        box = _around(horizontal, vertical)
        inside = [run for run in runs if is_in(run, box)]
        if len(inside) < 4 or any(_overlap(box, other) for other, _ in tables):
            continue
        grid = _grid(box, horizontal, vertical, inside, drawings.fills)
        table = table_of(grid) if grid is not None and _is_filled(grid) else None
        if table is not None and (table.head or not _has_paragraphs(table)):
            tables.append((box, table))
    return tables


def connected(
    horizontal: Sequence[Rule], vertical: Sequence[Rule]
) -> Iterator[tuple[list[Rule], list[Rule]]]:
    """Yield the rules that touch one another, directly or by others; those without any that crosses are left
    out.

    >>> [len(across) for across, _ in connected([Rule(0, 0, 9), Rule(50, 0, 9)], [Rule(5, 0, 20)])]
    [1]
    """
    across = sorted(vertical)
    places = [rule.at for rule in across]
    heads = list(range(len(across) + len(horizontal)))

    def head(index: int) -> int:
        while heads[index] != index:
            heads[index] = heads[heads[index]]
            index = heads[index]
        return index

    for number, rule in enumerate(horizontal, start=len(across)):
        first = bisect_left(places, rule.start - _TOUCH)
        for index in range(first, bisect_right(places, rule.end + _TOUCH)):
            if across[index].covers(rule.at, _TOUCH):
                heads[head(index)] = head(number)
    groups: dict[int, tuple[list[Rule], list[Rule]]] = {}
    for index in range(len(heads)):
        group = groups.setdefault(head(index), ([], []))
        if index < len(across):
            group[1].append(across[index])
        else:
            group[0].append(horizontal[index - len(across)])
    yield from (group for group in groups.values() if group[0] and group[1])


def is_in(run: Run, box: Box) -> bool:
    """Return whether the middle of a run is in a box."""
    return box[0] <= (run.left + run.right) / 2 <= box[2] and box[1] <= run.middle <= box[3]


def row_colour(runs: Iterable[Run], fills: Sequence[Fill]) -> int | None:
    """Return the colour behind the first of some runs; None for white."""
    for run in runs:
        colour = next((fill.colour for fill in reversed(fills) if is_in(run, fill.box)), _WHITE)
        return None if colour == _WHITE else colour
    return None


def _around(horizontal: Sequence[Rule], vertical: Sequence[Rule]) -> Box:
    lefts = [rule.start for rule in horizontal] + [rule.at for rule in vertical]
    rights = [rule.end for rule in horizontal] + [rule.at for rule in vertical]
    bottoms = [rule.at for rule in horizontal] + [rule.start for rule in vertical]
    tops = [rule.at for rule in horizontal] + [rule.end for rule in vertical]
    return min(lefts), min(bottoms), max(rights), max(tops)


def _overlap(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def _borders(places: Iterable[float], first: float, last: float) -> list[float]:
    """Return the places of borders in order, with the edges of the table."""
    borders: list[float] = []
    for place in sorted([*places, first, last]):
        if not borders or place - borders[-1] > _SAME:
            borders.append(place)
    return borders


def _grid(
    box: Box, horizontal: Sequence[Rule], vertical: Sequence[Rule], runs: Sequence[Run], fills: Sequence[Fill]
) -> Grid | None:
    """Return the cells within rules; None if there is only one column, or more than any table has."""
    across = _borders((rule.at for rule in vertical), box[0], box[2])
    down = _borders((rule.at for rule in horizontal), box[1], box[3])[::-1]
    columns, rows = len(across) - 1, len(down) - 1
    if columns < 2 or rows < 1 or columns * rows > _MAX_PLACES:
        return None
    walls = _walls(vertical, across, [(top + bottom) / 2 for top, bottom in pairwise(down)])
    floors = _walls(horizontal, down, [(left + right) / 2 for left, right in pairwise(across)])
    cells = _joined(rows, columns, walls, floors)
    by_place = {
        (row, column): cell
        for cell in cells
        for row in range(cell.top, cell.bottom + 1)
        for column in range(cell.left, cell.right + 1)
    }
    lows = [-border for border in down]
    for run in runs:
        column = min(max(bisect_right(across, (run.left + run.right) / 2) - 1, 0), columns - 1)
        row = min(max(bisect_right(lows, -run.middle) - 1, 0), rows - 1)
        by_place[row, column].runs.append(run)
    by_row: list[list[Run]] = [[] for _ in range(rows)]
    for cell in sorted(cells, key=lambda cell: cell.left):
        by_row[cell.top] += cell.runs
    ruled = frozenset(
        row
        for row in range(rows - 1)
        if sum((row + 1, column) in floors for column in range(columns)) >= _WHOLE * columns
    )
    colours = [row_colour(each, fills) for each in by_row]
    return _split_bands(Grid(list(pairwise(across)), rows, cells, colours, ruled))


def _split_bands(grid: Grid) -> Grid:
    """Return a grid whose rows are parted by their lines where no rule parts them."""
    bands = [_rows_of_band(grid, number) for number in range(grid.rows)]
    if not any(bands):
        return grid
    firsts = [0, *accumulate(max(1, len(band)) for band in bands)]
    cells = [
        Cell(firsts[cell.top], cell.left, firsts[cell.bottom + 1] - 1, cell.right, cell.runs)
        for cell in grid.cells
        if not bands[cell.top]
    ]
    for cell in grid.cells:
        for number, row in enumerate(bands[cell.top], start=firsts[cell.top]):
            own = {id(run) for run in cell.runs}
            runs = [run for line in row for run in line.runs if id(run) in own]
            cells.append(Cell(number, cell.left, number, cell.right, runs))
    colours = [colour for colour, band in zip(grid.fills, bands, strict=True) for _ in band or (None,)]
    ruled = frozenset(firsts[row + 1] - 1 for row in grid.ruled)
    return Grid(grid.columns, firsts[-1], cells, colours, ruled)


def _rows_of_band(grid: Grid, number: int) -> list[list[TextLine]]:
    """Return the rows within a row of a grid; none if it is one row."""
    cells = [cell for cell in grid.cells if cell.top <= number <= cell.bottom]
    if any(cell.top < cell.bottom for cell in cells):
        return []
    places = {id(run): cell.left for cell in cells for run in cell.runs}
    lines = [
        TextLine(line, frozenset(places[id(run)] for run in line))
        for line in text_lines(run for cell in cells for run in cell.runs)
    ]
    filled = {column for line in lines for column in line.columns}
    full = [
        line for line in lines if min(filled) in line.columns and 2 * len(line.columns) >= len(filled) > 1
    ]
    if len(lines) < _MIN_LINES or 3 * len(full) < 2 * len(lines):
        return []
    return group_rows(lines)


def _walls(rules: Iterable[Rule], borders: Sequence[float], middles: Sequence[float]) -> set[tuple[int, int]]:
    """Return where a border is drawn: its number, and that of the row or column whose middle it passes."""
    walls: set[tuple[int, int]] = set()
    near = dict(enumerate(borders))
    for rule in rules:
        index = min(near, key=lambda each: abs(near[each] - rule.at))
        walls.update((index, number) for number, middle in enumerate(middles) if rule.covers(middle))
    return walls


def _joined(rows: int, columns: int, walls: set[tuple[int, int]], floors: set[tuple[int, int]]) -> list[Cell]:
    """Return the cells: places that no border parts are one."""
    free = {(row, column) for row in range(rows) for column in range(columns)}
    cells: list[Cell] = []
    for place in sorted(free):
        if place not in free:
            continue
        free.discard(place)
        waiting, taken = [place], [place]
        while waiting:
            row, column = waiting.pop()
            beside = (
                ((row, column + 1), (column + 1, row) in walls),
                ((row, column - 1), (column, row) in walls),
                ((row + 1, column), (row + 1, column) in floors),
                ((row - 1, column), (row, column) in floors),
            )
            for neighbour, is_parted in beside:
                if neighbour in free and not is_parted:
                    free.discard(neighbour)
                    waiting.append(neighbour)
                    taken.append(neighbour)
        tops, lefts = [row for row, _ in taken], [column for _, column in taken]
        cells.append(Cell(min(tops), min(lefts), max(tops), max(lefts)))
    return cells


def _is_filled(grid: Grid) -> bool:
    """Return whether two rows have text in two cells; the grid of a chart has less."""
    counts = [0] * grid.rows
    for cell in grid.cells:
        counts[cell.top] += bool(cell.runs)
    return sum(count > 1 for count in counts) > 1


def _has_paragraphs(table: PdfTable) -> bool:
    return any(sum(len(run.text) for run in cell.runs) > _MAX_LETTERS for cell in table.cells())
