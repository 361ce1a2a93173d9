"""Underscores that TeX draws as short rules, since its text fonts have no such letter."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from typing import Any

Box = tuple[float, float, float, float]
"""Left, bottom, right and top, in points from the bottom left corner."""
# A page with more drawings than this has a picture of them.
_MAX_DRAWINGS = 20_000
# In points: a rule is flat and short. TeX's is 0.3 em wide and 0.4 points high; pdfium adds a margin.
_MAX_HEIGHT = 2.0
_WIDTHS = (1.5, 14.0)
# In font sizes: a rule of another width is a blank to fill in or a bar.
_EM_WIDTHS = (0.2, 0.75)
# In font sizes, from the bottom of the letters' boxes: where the base line may be.
_HEIGHTS = (-0.15, 0.4)
# In font sizes: a wider gap between a rule and a letter is a space.
_SPACE = 0.2


def short_rules(page: Any) -> list[Box]:
    """Return the flat, short drawings of a page."""
    import pypdfium2.raw as raw

    if raw.FPDFPage_CountObjects(page) > _MAX_DRAWINGS:
        return []
    boxes = (item.get_bounds() for item in page.get_objects(filter=[raw.FPDF_PAGEOBJ_PATH], max_depth=1))
    return [
        box
        for box in boxes
        if 0 <= box[3] - box[1] <= _MAX_HEIGHT and _WIDTHS[0] <= box[2] - box[0] <= _WIDTHS[1]
    ]


class Underscores:
    """Finds the rules between two letters of a line.

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
