"""What is drawn on a page of a PDF beside its text: rules of tables, fills behind cells, underscores."""

from __future__ import annotations

import ctypes
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from operator import attrgetter
from typing import Any, NamedTuple, Self

Box = tuple[float, float, float, float]
"""Left, bottom, right and top, in points from the bottom left corner."""
# A page with more drawings than this has a picture of them; so has one with more points, or more rules.
_MAX_DRAWINGS, _MAX_POINTS, MAX_RULES = 20_000, 50_000, 500
_MAX_FILLS, _MAX_CORNERS = 2_000, 8
# In points: a rule is flat. TeX's are 0.4 points high, others up to 2; pdfium adds a margin.
_FLAT = 3.2
# In points: an underscore is short and flatter.
_MAX_HEIGHT = 2.0
_WIDTHS = (1.5, 14.0)
# In font sizes: a rule of another width is a blank to fill in or a bar.
_EM_WIDTHS = (0.2, 0.75)
# In font sizes, from the bottom of the letters' boxes: where the base line may be.
_HEIGHTS = (-0.15, 0.4)
# In font sizes: a wider gap between a rule and a letter is a space.
_SPACE = 0.2
# In points: rules this near are one, with such gaps between its dashes; a shorter one is no border.
_NEAR, _DASH, _MIN_LENGTH = 1.5, 3.5, 6.0


class Rule(NamedTuple):
    """A line: the height of a horizontal one, or the x of a vertical one, and from where to where it goes."""

    at: float
    start: float
    end: float

    def covers(self, place: float, slack: float = 0.0) -> bool:
        return self.start - slack <= place <= self.end + slack


class Fill(NamedTuple):
    """A rectangle with a colour."""

    box: Box
    colour: int


@dataclass
class Drawings:
    """The drawings of a page that matter to its text; `short` are those that may be underscores."""

    horizontal: Sequence[Rule] = ()
    vertical: Sequence[Rule] = ()
    fills: Sequence[Fill] = ()
    short: Sequence[Box] = ()


def drawings_of(page: Any) -> Drawings:
    """Return the drawings of a page; none if there are too many, as in a picture."""
    import pypdfium2.raw as raw

    if raw.FPDFPage_CountObjects(page) > _MAX_DRAWINGS:
        return Drawings()
    horizontal: list[Rule] = []
    vertical: list[Rule] = []
    fills: list[Fill] = []
    short: list[Box] = []
    points = 0
    for item in page.get_objects(filter=[raw.FPDF_PAGEOBJ_PATH], max_depth=1):
        box = item.get_bounds()
        if 0 <= box[3] - box[1] <= _MAX_HEIGHT and _WIDTHS[0] <= box[2] - box[0] <= _WIDTHS[1]:
            short.append(box)
        if _add_flat(box, horizontal, vertical):
            continue
        points += raw.FPDFPath_CountSegments(item)
        if points > _MAX_POINTS:
            return Drawings(short=short)
        is_filled, is_drawn = _draw_mode(item)
        for part in _parts(item):
            across, up = [x for x, _ in part], [y for _, y in part]
            around = (min(across), min(up), max(across), max(up))
            if _add_flat(around, horizontal, vertical):
                continue
            if is_drawn:
                for (left, bottom), (right, top) in pairwise(part):
                    edge = (min(left, right), min(bottom, top), max(left, right), max(bottom, top))
                    _add_flat(edge, horizontal, vertical)
            is_box = len(part) < _MAX_CORNERS and set(across) == {around[0], around[2]}
            if is_filled and len(fills) < _MAX_FILLS and is_box and set(up) == {around[1], around[3]}:
                fills.append(Fill(around, _colour(item)))
    return Drawings(joined_rules(horizontal), joined_rules(vertical), fills, short)


def _add_flat(box: Box, horizontal: list[Rule], vertical: list[Rule]) -> bool:
    """Add a flat box to the rules it belongs to; return whether it is flat."""
    left, bottom, right, top = box
    if top - bottom <= _FLAT and right - left > top - bottom:
        horizontal.append(Rule((bottom + top) / 2, left, right))
        return True
    if right - left <= _FLAT and top - bottom > right - left:
        vertical.append(Rule((left + right) / 2, bottom, top))
        return True
    return False


def _draw_mode(item: Any) -> tuple[bool, bool]:
    """Return whether a path is filled, and whether its lines are drawn."""
    import pypdfium2.raw as raw

    filled, drawn = ctypes.c_int(), raw.FPDF_BOOL()
    raw.FPDFPath_GetDrawMode(item, filled, drawn)
    return bool(filled.value), bool(drawn.value)


def _parts(item: Any) -> Iterator[list[tuple[float, float]]]:
    """Yield the points of each part of a path, on the page; parts with curves are left out."""
    import pypdfium2.raw as raw

    matrix = raw.FS_MATRIX()
    raw.FPDFPageObj_GetMatrix(item, matrix)
    x, y = ctypes.c_float(), ctypes.c_float()
    part: list[tuple[float, float]] = []
    is_curved = False
    for index in range(raw.FPDFPath_CountSegments(item)):
        segment = raw.FPDFPath_GetPathSegment(item, index)
        kind = raw.FPDFPathSegment_GetType(segment)
        if kind == raw.FPDF_SEGMENT_MOVETO:
            if len(part) > 1 and not is_curved:
                yield part
            part, is_curved = [], False
        is_curved = is_curved or kind == raw.FPDF_SEGMENT_BEZIERTO
        raw.FPDFPathSegment_GetPoint(segment, x, y)
        across, up = x.value, y.value
        part.append(
            (matrix.a * across + matrix.c * up + matrix.e, matrix.b * across + matrix.d * up + matrix.f)
        )
        if raw.FPDFPathSegment_GetClose(segment):
            part.append(part[0])
    if len(part) > 1 and not is_curved:
        yield part


def _colour(item: Any) -> int:
    import pypdfium2.raw as raw

    red, green, blue, alpha = (ctypes.c_uint() for _ in range(4))
    raw.FPDFPageObj_GetFillColor(item, red, green, blue, alpha)
    return red.value << 16 | green.value << 8 | blue.value


def joined_rules(rules: Iterable[Rule]) -> list[Rule]:
    """Return rules with those joined that are one: its dashes, its edges, or borders of cells one after the
    other. None if there are too many for tables.

    >>> joined_rules([Rule(50, 10, 20), Rule(50.4, 22, 40), Rule(90, 0, 30), Rule(60, 0, 4)])
    [Rule(at=50, start=10, end=40), Rule(at=90, start=0, end=30)]
    """
    joined: list[Rule] = []
    level: list[Rule] = []
    for rule in [*sorted(rules), Rule(float("inf"), 0, 0)]:
        if level and rule.at - level[0].at > _NEAR:
            joined += _joined_level(level)
            level = []
        level.append(rule)
    return joined if len(joined) <= MAX_RULES else []


def _joined_level(level: list[Rule]) -> Iterator[Rule]:
    """Yield the rules of one height, joined."""
    current, *others = sorted(level, key=attrgetter("start"))
    for rule in others:
        if rule.start <= current.end + _DASH:
            current = current._replace(end=max(current.end, rule.end))
            continue
        if current.end - current.start >= _MIN_LENGTH:
            yield current
        current = rule
    if current.end - current.start >= _MIN_LENGTH:
        yield current


# The picture that corners are placed on: pdfium gives whole numbers.
_GRID = 1_000_000
# In points: a length on the page.
_UNIT = 1_000.0


@dataclass(frozen=True)
class Shares:
    """Where the boxes of a file are on the page as it is shown, which may be turned or cut: three corners of
    the page, as shares of its width and height from the top left.
    """

    origin: tuple[float, float]
    right: tuple[float, float]
    up: tuple[float, float]

    @classmethod
    def of(cls, page: Any) -> Self:
        """Return those of a page."""
        import pypdfium2.raw as raw

        across, down = ctypes.c_int(), ctypes.c_int()
        corners = []
        for x, y in ((0.0, 0.0), (_UNIT, 0.0), (0.0, _UNIT)):
            raw.FPDF_PageToDevice(page, 0, 0, _GRID, _GRID, 0, x, y, across, down)
            corners.append((across.value / _GRID, down.value / _GRID))
        return cls(*corners)

    def at(self, x: float, y: float) -> tuple[float, float]:
        """Return where a point is."""
        one, other = (
            start + (right - start) * x / _UNIT + (up - start) * y / _UNIT
            for start, right, up in zip(self.origin, self.right, self.up, strict=True)
        )
        return one, other

    def box(self, box: Box) -> Box:
        """Return a box: left, top, right and bottom, within the page."""
        (one, first), (other, last) = self.at(box[0], box[1]), self.at(box[2], box[3])
        edges = (min(one, other), min(first, last), max(one, other), max(first, last))
        left, top, right, bottom = (round(min(1.0, max(0.0, edge)), 4) for edge in edges)
        return left, top, right, bottom


class Walls:
    """Knows the vertical rules of a page: no run of letters goes through one.

    >>> Walls([Rule(20.0, 90.0, 120.0)]).between((10.0, 98.0, 19.5, 108.0), (24.5, 98.0, 30.0, 108.0))
    True
    """

    def __init__(self, vertical: Iterable[Rule] = ()) -> None:
        self._rules = sorted(vertical)
        self._places = [rule.at for rule in self._rules]

    def between(self, before: Box, after: Box) -> bool:
        """Return whether a wall stands between the boxes of two letters of a line."""
        if not self._rules or after[0] <= before[2]:
            return False
        first, last = bisect_left(self._places, before[2]), bisect_right(self._places, after[0])
        middle = (after[1] + after[3]) / 2
        return any(rule.covers(middle) for rule in self._rules[first:last])


class Underscores:
    """Finds underscores between two letters of a line. TeX draws them as short rules, since its text fonts
    have no such letter.

    >>> rules = Underscores([(20.0, 99.5, 24.0, 100.5)])
    >>> rules.between((10.0, 98.0, 19.5, 108.0), (24.5, 98.0, 30.0, 108.0), 10.0)
    '_'
    >>> rules.between((10.0, 98.0, 16.0, 108.0), (24.5, 98.0, 30.0, 108.0), 10.0)
    ' _'
    >>> rules.between((10.0, 78.0, 19.5, 88.0), (24.5, 78.0, 30.0, 88.0), 10.0)
    ''
    """

    def __init__(self, rules: Iterable[Box] = ()) -> None:
        self._rules = sorted(rules)
        self._lefts = [rule[0] for rule in self._rules]

    def between(self, before: Box, after: Box, size: float) -> str:
        """Return the underscores between the boxes of two letters, with the spaces around them."""
        if not self._rules or after[0] - before[2] < _EM_WIDTHS[0] * size:
            return ""
        slack = 0.1 * size
        first = bisect_left(self._lefts, before[2] - slack)
        last = bisect_right(self._lefts, after[0])
        text, end = "", before[2]
        for left, bottom, right, top in self._rules[first:last]:
            on_line = _HEIGHTS[0] * size <= (bottom + top) / 2 - before[1] <= _HEIGHTS[1] * size
            fits = _EM_WIDTHS[0] * size <= right - left <= _EM_WIDTHS[1] * size
            if on_line and fits and right <= after[0] + slack:
                text += f"{' ' if left - end > _SPACE * size else ''}_"
                end = right
        return text + (" " if text and after[0] - end > _SPACE * size else "")
