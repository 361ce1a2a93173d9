"""Tables of a PDF without rules between their columns: columns that stand below one another line by line."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import pairwise
from statistics import median

from probative.corpus.readers.pdf_cells import Cell, Grid, PdfTable, TableRun, table_of
from probative.corpus.readers.pdf_grid import grid_tables, row_colour
from probative.corpus.readers.pdf_rows import TextLine, group_rows, mean_of
from probative.corpus.readers.pdf_rules import Box, Drawings, Rule
from probative.corpus.readers.pdf_runs import Run, text_lines
from probative.corpus.readers.table import is_value

# A page with more runs is a drawing; more tables than this are not read.
_MAX_RUNS, _MAX_TABLES = 10_000, 50
# In font sizes: lines further apart belong to two things. In points: columns are this far apart.
_FAR, _GAP = 3.2, 1.0
# In font sizes: rows on both sides of a rule, and lines of a cell, are this near to each other.
_NEAR, _LEADING = 2.6, 1.35
# Two tables are further apart than rows are, by this factor.
_APART = 1.3
# Lines at the top of a table that may have names over several columns.
_MAX_HEAD = 3
# A rule is one of a table if it is as wide, but for this share; rules this near to one another, in points,
# begin and end alike.
_WIDE, _ALIKE = 0.85, 4.0
# Rows are parted by rules if this share of them is.
_PARTED = 0.6
# Lines of text read on: this share of them begins with a small letter, and they have this many letters.
_READS_ON, _LETTERS = 0.5, 18
_LEADERS = re.compile(r"[.·…_\s-]{5,}")
_BULLET = re.compile(r"[•◦▪‣●○■–—*-]|\(?(?:\d{1,2}|[a-zA-Z])[.)]")
_YEAR = re.compile(r"(?:19|20)\d\d")


def with_ruled_tables(runs: Sequence[Run], drawings: Drawings) -> list[Run]:
    """Return the runs of a page with those of each table that rules show as one."""
    if len(runs) > _MAX_RUNS:
        return list(runs)
    rest = _replaced(runs, grid_tables(runs, drawings))
    return _replaced(rest, list(_between_rules(rest, drawings)))


def with_aligned_tables(runs: Sequence[Run], drawings: Drawings) -> list[Run]:
    """Return the runs of a region with those of each table without rules as one."""
    if len(runs) > _MAX_RUNS:
        return list(runs)
    tables = [
        found
        for stretch in _stretches(text_lines(runs))
        for part in _at_heads(stretch)
        if (found := aligned_table(part, drawings)) is not None
    ]
    return _replaced(runs, tables)


def _replaced(runs: Sequence[Run], tables: Sequence[tuple[Box, PdfTable]]) -> list[Run]:
    taken = {id(run) for _, table in tables for cell in table.cells() for run in cell.runs}
    return [run for run in runs if id(run) not in taken] + [TableRun.of(*each) for each in tables]


def _between_rules(runs: Sequence[Run], drawings: Drawings) -> Iterator[tuple[Box, PdfTable]]:
    """Yield the tables between rules that begin and end alike."""
    rules = sorted(drawings.horizontal, key=lambda rule: (round(rule.start / _ALIKE), -rule.at))
    alike: list[list[Rule]] = []
    for rule in rules:
        group = next((each for each in alike if _is_alike(each[-1], rule)), None)
        if group is None:
            alike.append([rule])
        else:
            group.append(rule)
    taken: set[int] = set()
    for group in [each for each in alike if len(each) > 1][:_MAX_TABLES]:
        left, right = group[0].start - _ALIKE, group[0].end + _ALIKE
        inside = [
            run
            for run in runs
            if left <= (run.left + run.right) / 2 <= right and not run.alone and id(run) not in taken
        ]
        lines = text_lines(inside)
        for first, last in _table_parts(lines, [rule.at for rule in group]):
            for part in _at_heads(lines[first:last]):
                found = aligned_table(part, drawings)
                if found is not None:
                    yield found
                    taken.update(id(run) for cell in found[1].cells() for run in cell.runs)


def _table_parts(lines: Sequence[list[Run]], rules: Sequence[float]) -> Iterator[tuple[int, int]]:
    """Yield the first line of each table and that after its last: lines between rules, and rows that touch
    the first and the last rule from outside.
    """
    heights = [-mean_of(line) for line in lines]
    cuts = [bisect_left(heights, -rule) for rule in sorted(rules, reverse=True)]
    parts: list[tuple[int, int]] = []
    for first, last in pairwise(cuts):
        if 2 * sum(map(_is_row, lines[first:last])) < last - first:
            continue
        if parts and parts[-1][1] == first:
            parts[-1] = (parts[-1][0], last)
        else:
            parts.append((first, last))
    for first, last in parts:
        above = below = 0
        while above < min(_MAX_HEAD, first) and _is_next_row(lines, first - above - 1, first - above):
            above += 1
        while last + below < len(lines) and below < _MAX_HEAD and _touches(lines, last + below):
            below += 1
        if last + below - first + above > 1:
            yield first - above, last + below


def _at_heads(lines: Sequence[list[Run]]) -> Iterator[Sequence[list[Run]]]:
    """Yield the tables among lines: one begins with bold names below a gap."""
    pitches = [mean_of(upper) - mean_of(lower) for upper, lower in pairwise(lines)]
    usual = median(pitches) if pitches else 0.0
    first = 0
    for number in range(2, len(lines) - 1):
        above, line, below = (all(run.bold for run in each) for each in lines[number - 1 : number + 2])
        is_head = line and not above and not below and len(lines[number]) > 1
        if is_head and pitches[number - 1] >= _APART * usual:
            yield lines[first:number]
            first = number
    yield lines[first:]


def _is_next_row(lines: Sequence[list[Run]], upper: int, lower: int) -> bool:
    """Return whether a line is a row directly above another line."""
    if lower >= len(lines) or not _is_row(lines[upper]):
        return lower < len(lines) and _is_above(lines[upper], lines[lower])
    return mean_of(lines[upper]) - mean_of(lines[lower]) <= _NEAR * lines[upper][0].size


def _touches(lines: Sequence[list[Run]], number: int) -> bool:
    """Return whether a line below the last rule is a row of the table, or a further line of a cell."""
    pitch = mean_of(lines[number - 1]) - mean_of(lines[number]) if number else 0.0
    size = lines[number][0].size
    return (_is_row(lines[number]) and pitch <= _NEAR * size) or pitch <= _LEADING * size


def _is_alike(one: Rule, other: Rule) -> bool:
    return abs(one.start - other.start) <= _ALIKE and abs(one.end - other.end) <= _ALIKE


def _stretches(lines: Sequence[list[Run]]) -> Iterator[list[list[Run]]]:
    """Yield lines that may be a table: several runs in most of them, and none over the gaps between."""
    stretch: list[list[Run]] = []
    for line in [*lines, None]:
        is_near = (
            line is not None
            and bool(stretch)
            and mean_of(stretch[-1]) - mean_of(line) <= _FAR * max(stretch[-1][0].size, line[0].size, 6.0)
        )
        if line is not None and not line[0].alone and (is_near or not stretch):
            stretch.append(line)
            continue
        yield from _without_text(stretch)
        stretch = [line] if line is not None and not line[0].alone else []


def _without_text(lines: list[list[Run]]) -> Iterator[list[list[Run]]]:
    """Yield the parts of a stretch between lines of text, which go over the gaps between columns."""
    several = [line for line in lines if _is_row(line)]
    if len(several) < 2:
        return
    columns = columns_of(several)
    part: list[list[Run]] = []
    for line, below in pairwise([*lines, None, None]):
        if line is not None and (
            _is_row(line) or len(_under(line[0], columns)) < 2 or _is_above(line, below)
        ):
            part.append(line)
            continue
        while len(part) > 1 and not _is_row(part[0]) and not _is_above(*part[:2]):
            part.pop(0)
        while part and not _is_row(part[-1]) and not _is_rest(part):
            part.pop()
        if sum(map(_is_row, part)) > 1:
            yield part
        part = []


def _is_row(line: Sequence[Run]) -> bool:
    """Return whether a line has cells; an item of a list, or a heading with dots to its page, has none."""
    if any(_LEADERS.fullmatch(run.text) for run in line):
        return False
    return len(line) > (2 if _BULLET.fullmatch(line[0].text) else 1)


def _is_above(line: Sequence[Run], below: Sequence[Run] | None) -> bool:
    """Return whether a line is a name over some columns of the next: close to it, and not over its first."""
    if below is None or len(line) > 1 or not _is_row(below):
        return False
    is_close = mean_of(line) - mean_of(below) <= _LEADING * line[0].size
    return is_close and line[0].left > below[0].right and line[0].bold == below[0].bold


def _is_rest(lines: Sequence[list[Run]]) -> bool:
    """Return whether the last line is that of a cell of several lines: closer than rows are."""
    pitches = [mean_of(upper) - mean_of(lower) for upper, lower in pairwise(lines)]
    return len(pitches) > 1 and pitches[-1] < 0.85 * max(pitches)


def columns_of(lines: Sequence[Sequence[Run]]) -> list[tuple[float, float]]:
    """Return the left and right of each column: what stands below one another. Names over several columns, in
    the lines at the top, part nothing.

    >>> def run(left, right):
    ...     return Run("x", left, 0, right, 9, 9, "")
    >>> head, *rows = ((0, 9), (30, 70)), ((0, 20), (30, 45), (55, 70)), ((0, 15), (60, 70))
    >>> columns_of([[run(*place) for place in line] for line in (head, *rows)])
    [(0, 20), (30, 45), (55, 70)]
    """
    best = _clusters(lines)
    for first in range(1, min(_MAX_HEAD, len(lines) - 2) + 1):
        other = _clusters(lines[first:])
        best = other if len(other) > len(best) else best
    heads = {id(run) for run in lines[0]}
    merged: list[tuple[float, float]] = []
    state: list[tuple[bool, bool]] = []
    for left, right in best:
        inside = [run for line in lines for run in line if run.left < right and run.right > left]
        has = (any(id(run) in heads for run in inside), any(id(run) not in heads for run in inside))
        # A name at the left of its column, whose numbers stand at the right, is above none of them.
        if merged and {has, state[-1]} == {(True, False), (False, True)}:
            merged[-1], state[-1] = (merged[-1][0], right), (True, True)
        else:
            merged.append((left, right))
            state.append(has)
    return merged


def _clusters(lines: Sequence[Sequence[Run]]) -> list[tuple[float, float]]:
    clusters: list[tuple[float, float]] = []
    for left, right in sorted((run.left, run.right) for line in lines for run in line):
        if clusters and left <= clusters[-1][1] + _GAP:
            clusters[-1] = (clusters[-1][0], max(clusters[-1][1], right))
        else:
            clusters.append((left, right))
    return clusters


def _under(run: Run, columns: Sequence[tuple[float, float]]) -> list[int]:
    """Return the columns that a run stands over; the nearest one if it stands between them."""
    inside = [at for at, (left, right) in enumerate(columns) if run.left < right and run.right > left]
    centre = (run.left + run.right) / 2
    return inside or [min(range(len(columns)), key=lambda at: abs(sum(columns[at]) / 2 - centre))]


def aligned_table(lines: Sequence[list[Run]], drawings: Drawings) -> tuple[Box, PdfTable] | None:
    """Return the table that lines are, with its box; None if they are none."""
    several = [line for line in lines if _is_row(line)]
    columns = columns_of(several) if len(several) > 1 else []
    if len(columns) < 2:
        return None
    runs = [run for line in lines for run in line]
    box = (
        min(run.left for run in runs),
        min(run.bottom for run in runs),
        max(run.right for run in runs),
        max(run.top for run in runs),
    )
    width = box[2] - box[0]
    near = [
        rule
        for rule in drawings.horizontal
        if box[1] < rule.at < box[3] and rule.start < box[2] and rule.end > box[0]
    ]
    floors = [rule.at for rule in near if min(rule.end, box[2]) - max(rule.start, box[0]) >= _WIDE * width]
    rows = group_rows([_text_line(line, columns) for line in lines], floors)
    if len(rows) < 2:
        return None
    cells = [_cells(row, number, columns) for number, row in enumerate(rows)]
    _spread(cells, columns, near)
    fills = [row_colour(row[0].runs, drawings.fills) for row in rows]
    middles = [median(mean_of(line.runs) for line in row) for row in rows]
    ruled = frozenset(
        number
        for number, (upper, lower) in enumerate(pairwise(middles))
        if any(lower < floor < upper for floor in floors)
    )
    grid = Grid(columns, len(rows), [cell for row in cells for cell in row], fills, ruled)
    table = table_of(grid)
    is_parted = len(ruled) >= _PARTED * (len(rows) - 1)
    return (box, table) if table is not None and _is_table(table, is_parted=is_parted) else None


def _text_line(line: list[Run], columns: Sequence[tuple[float, float]]) -> TextLine:
    under = [_under(run, columns) for run in line]
    shared = frozenset(at for each in under if len(each) > 1 for at in each)
    return TextLine(line, frozenset(at for each in under for at in each), shared)


def _cells(row: Sequence[TextLine], number: int, columns: Sequence[tuple[float, float]]) -> list[Cell]:
    """Return the cells of a row."""
    cells: dict[int, Cell] = {}
    for run in (run for line in row for run in line.runs):
        under = _under(run, columns)
        cell = next((cells[at] for at in under if at in cells), None)
        if cell is None:
            cell = Cell(number, under[0], number, under[-1])
        cell.runs.append(run)
        cell.left, cell.right = min(cell.left, under[0]), max(cell.right, under[-1])
        cells.update(dict.fromkeys(under, cell))
    return list({id(cell): cell for cell in cells.values()}.values())


def _spread(
    rows: Sequence[list[Cell]], columns: Sequence[tuple[float, float]], rules: Sequence[Rule]
) -> None:
    """Let names at the top cover the columns that they stand over: those above the rule below them, or those
    whose own names, in the row below, are nearest to them.
    """
    for upper, lower in list(pairwise(rows))[: _MAX_HEAD - 1]:
        names = [cell for cell in lower if cell.left > 0]
        under = {cell.left for cell in lower}
        shared = [
            cell for cell in upper if cell.left > 0 and not under.isdisjoint(range(cell.left, cell.right + 1))
        ]
        above = {at for cell in upper for at in range(cell.left, cell.right + 1)}
        is_wide = any(cell.right > cell.left for cell in shared)
        if not shared or len(shared) >= len(names) or not (is_wide or under - above):
            continue
        if any(is_value(cell.plain) and not _YEAR.fullmatch(cell.plain) for cell in names):
            return
        spans: dict[int, list[int]] = {}
        for name in names:
            place = sum(columns[name.left]) / 2
            far = [abs(_centre(cell, rules, place) - place) for cell in shared]
            spans.setdefault(far.index(min(far)), []).append(name.left)
        for number, span in spans.items():
            shared[number].left, shared[number].right = min(span), max(span)


def _centre(cell: Cell, rules: Sequence[Rule], place: float) -> float:
    """Return the middle of a name; the place itself if the rule below the name covers it, too."""
    left, right = min(run.left for run in cell.runs), max(run.right for run in cell.runs)
    bottom = min(run.bottom for run in cell.runs)
    middle = (left + right) / 2
    height = max(run.size for run in cell.runs)
    under = [rule for rule in rules if rule.covers(middle) and 0 <= bottom - rule.at <= height]
    return place if any(rule.covers(place) for rule in under) else middle


def _is_table(table: PdfTable, *, is_parted: bool) -> bool:
    """Return whether cells are a table, not columns of text or the lines of an address. One without a head
    may be the rest of another. `is_parted` says that there are rules between most of its rows.
    """
    texts = [[cell.plain if cell else "" for cell in row] for _, row in table.body]
    columns = [[text for text in column if text] for column in zip(*texts, strict=True)]
    has_values = any(2 * sum(map(is_value, column)) > len(column) for column in columns[1:])
    is_large = bool(table.head) and len(columns) > 2 and len(texts) > 2
    if not (table.is_evident or has_values or is_large) or len(texts) + len(table.head) < 3:
        return False
    return is_parted or not any(_reads_on(column) for column in columns)


def _reads_on(column: Sequence[str]) -> bool:
    """Return whether the cells of a column are lines of a text."""
    small = [text for text in column[1:] if text[:1].islower()]
    letters = sum(map(len, column)) / max(1, len(column))
    return len(column) > 3 and letters >= _LETTERS and len(small) >= _READS_ON * (len(column) - 1)
