"""Runs of characters on a page of a PDF in reading order: text on one line without a wide gap, with its box
and font; columns from left to right, each from top to bottom.
"""

from __future__ import annotations

import ctypes
import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, groupby
from statistics import median
from typing import Any, ClassVar

from probative.corpus.readers.pdf_rules import Box, Underscores, Walls

# A gap of this many font sizes separates cells or columns; a space of justified text is at most one.
WIDE_GAP = 1.3
# A digit set this much smaller than its neighbours is a mark of a footnote.
_RAISED = 0.8
_RISE = 0.2
_MAX_NAME = 96
_UNIT = re.compile(r"(?:^|[\s\d])[cdkm]?m$")
_EXPONENTS = {"2": "²", "3": "³"}
# What pdfium gives for a hyphen at the end of a line.
HYPHENS = ("\x02", "\ufffe", "\u00ad", "\u2010", "-")
_LIGATURES = {"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st"}


@dataclass
class Run:
    """Text on one line: its box in points from the bottom left corner, font size and font."""

    text: str
    left: float
    bottom: float
    right: float
    top: float
    size: float
    font: str
    alone: ClassVar[bool] = False
    """Whether nothing stands on its line."""

    @property
    def bold(self) -> bool:
        return "bold" in self.font or "black" in self.font or "heavy" in self.font

    @property
    def middle(self) -> float:
        return (self.bottom + self.top) / 2

    @property
    def width(self) -> float:
        return self.right - self.left


@dataclass
class _Open:
    """A run that is being read."""

    letters: list[str] = field(default_factory=list)
    left: float = 0.0
    bottom: float = 0.0
    right: float = 0.0
    top: float = 0.0
    sizes: Counter[float] = field(default_factory=Counter)
    fonts: Counter[str] = field(default_factory=Counter)

    @property
    def size(self) -> float:
        return max(self.sizes, key=self.sizes.__getitem__, default=0.0)

    def add(self, letter: str, box: Box, size: float, font: str) -> None:
        left, bottom, right, top = box
        if not self.sizes:
            self.left, self.bottom, self.right, self.top = box
        raised = self._is_raised(letter, bottom, size)
        self.letters.append(self._mark(letter) if raised else letter)
        self.left, self.right = min(self.left, left), max(self.right, right)
        if not raised:
            self.bottom, self.top = min(self.bottom, bottom), max(self.top, top)
            self.sizes[size] += 1
        self.fonts[font] += 1

    def add_drawn(self, text: str) -> None:
        """Add what is drawn between two letters in the place of the space between them."""
        if text:
            while self.letters and self.letters[-1] == " ":
                self.letters.pop()
            self.letters.append(text)

    def _is_raised(self, letter: str, bottom: float, size: float) -> bool:
        """Return whether a letter is a small digit or star directly after a word."""
        if not self.letters or self.letters[-1] == " " or not (letter.isdigit() or letter in "*†‡"):
            return False
        smaller = size < self.size
        return size < _RAISED * self.size or (smaller and bottom > self.bottom + _RISE * self.size)

    def _mark(self, letter: str) -> str:
        """Return the mark of a footnote in brackets: "harbour.³" would hide the end of the sentence, and
        change a number. An exponent stays one: "12 m²".
        """
        is_exponent = _UNIT.search("".join(self.letters[-3:])) is not None and letter in _EXPONENTS
        return _EXPONENTS[letter] if is_exponent else f"[{letter}]"

    def run(self) -> Run | None:
        text = "".join(self.letters).replace("][", "").strip()
        if not text:
            return None
        font = max(self.fonts, key=self.fonts.__getitem__, default="")
        return Run(text, self.left, self.bottom, self.right, self.top, self.size, font)


def page_runs(textpage: Any, underscores: Underscores, walls: Walls) -> list[Run]:
    """Return the runs of a page in the order of the file, with underscores that are drawn as rules. A run
    ends at a wall.
    """
    runs: list[Run] = []
    current = _Open()
    last: Box = (0.0, 0.0, 0.0, 0.0)
    for letter, box, size, font in _letters(textpage):
        if box is None:
            if letter == "\n":
                current = _closed(runs, current)
            else:
                current.letters.append(" ")
            continue
        if current.sizes and (_starts_anew(current, box, size) or walls.between(last, box)):
            current = _closed(runs, current)
        if letter.isspace():
            current.letters.append(" ")
            continue
        if current.sizes:
            current.add_drawn(underscores.between(last, box, size))
        current.add(letter, box, size, font)
        last = box
    _closed(runs, current)
    return runs


def _closed(runs: list[Run], current: _Open) -> _Open:
    run = current.run()
    if run is not None:
        runs.append(run)
    return _Open()


def _starts_anew(current: _Open, box: Box, size: float) -> bool:
    """Return whether a letter is not on the line of a run, or too far from its end."""
    left, bottom, _, top = box
    gap = left - current.right
    height = max(size, current.size)
    on_line = current.bottom - 0.2 * height <= (bottom + top) / 2 <= current.top + 0.2 * height
    return gap > WIDE_GAP * height or gap < -2 * height or not on_line


def _letters(textpage: Any) -> Iterator[tuple[str, Box | None, float, str]]:
    """Yield each character with its box, font size and font; white space and line ends have no box."""
    import pypdfium2.raw as raw

    page = textpage.raw
    rect = raw.FS_RECTF()
    font, size, scale = "", 0.0, 1.0
    for index in range(raw.FPDFText_CountChars(page)):
        code = raw.FPDFText_GetUnicode(page, index)
        if code in (10, 13):
            font = ""
            yield "\n", None, 0.0, font
            continue
        letter = _letter(code)
        if code == 32 or not letter or raw.FPDFText_IsGenerated(page, index) == 1:
            font = ""
            yield " ", None, 0.0, font
            continue
        raw.FPDFText_GetLooseCharBox(page, index, ctypes.byref(rect))
        if not font:  # once a word: the calls are slow
            font, scale = _font_name(page, index), _scale(page, index)
        size = round(raw.FPDFText_GetFontSize(page, index) * scale * 2) / 2
        yield letter, (rect.left, rect.bottom, rect.right, rect.top), size, font


def _letter(code: int) -> str:
    if code == 0 or 0xD800 <= code <= 0xDFFF or code > 0x10FFFF:
        return ""
    letter = chr(code)
    return _LIGATURES.get(letter, letter)


def _scale(page: Any, index: int) -> float:
    """Return by how much a letter is drawn larger than its font size; browsers print at 0.75."""
    import pypdfium2.raw as raw

    matrix = raw.FS_MATRIX()
    if not raw.FPDFText_GetMatrix(page, index, matrix):
        return 1.0
    return math.hypot(matrix.c, matrix.d) or 1.0


def _font_name(page: Any, index: int) -> str:
    """Return the name of the font of a character, such as "helvetica-oblique"."""
    import pypdfium2.raw as raw

    buffer = ctypes.create_string_buffer(_MAX_NAME)
    raw.FPDFText_GetFontInfo(page, index, buffer, _MAX_NAME, ctypes.byref(ctypes.c_int()))
    # Subsets of fonts have six letters before their name: "ABCDEF+Times-Roman".
    return buffer.value.decode("utf-8", "replace").lower().rpartition("+")[2]


# Runs on one line differ in height by less than this share of their size.
_ON_LINE = 0.45


def text_lines(runs: Iterable[Run]) -> list[list[Run]]:
    """Return the lines of some runs from the top, each from left to right."""
    lines: list[list[Run]] = []
    for run in sorted(runs, key=lambda run: -run.middle):
        first = lines[-1][0] if lines else None
        is_next = first is None or run.alone or first.alone
        if (
            first is None
            or is_next
            or abs(first.middle - run.middle) >= _ON_LINE * min(run.size or 8, first.size or 8)
        ):
            lines.append([run])
        else:
            lines[-1].append(run)
    return [sorted(line, key=lambda run: run.left) for line in lines]


# A side of a gutter is prose if it has this many lines, of this many characters on average. Cells of a table
# are shorter, and must stay in their row.
_MIN_LINES = 3
_MIN_CHARACTERS = 18
_MIN_FILL = 0.55
# Narrower than this, in points, is a space between words.
_MIN_GUTTER = 6
_MAX_COLUMNS_DEPTH = 2


def regions(runs: Sequence[Run], depth: int = 0) -> Iterator[list[Run]]:
    """Yield groups of runs in reading order. Each is a part of one column, or spans the page."""
    gutter = _gutter(runs) if depth <= _MAX_COLUMNS_DEPTH else None
    if gutter is None:
        yield _by_line(runs)
        return
    # Stretches without columns stay together: the short last line of a paragraph does not cross the gutter.
    whole: list[Run] = []
    for band in _bands(runs, gutter):
        left = [run for run in band if run.right <= gutter]
        right = [run for run in band if run.left >= gutter]
        if len(left) + len(right) == len(band) and _is_prose(left) and _is_prose(right):
            if whole:
                yield _by_line(whole)
                whole = []
            yield from regions(left, depth + 1)
            yield from regions(right, depth + 1)
        else:
            whole += band
    if whole:
        yield _by_line(whole)


def _by_line(runs: Sequence[Run]) -> list[Run]:
    return sorted(runs, key=lambda run: (-run.middle, run.left))


def _bands(runs: Sequence[Run], gutter: float) -> Iterator[list[Run]]:
    """Yield stretches of the page, from the top, in which either every line or no line crosses the gutter."""
    band: list[Run] = []
    crossing = False
    for run in sorted(runs, key=lambda run: (-run.top, run.left)):
        crosses = run.left < gutter < run.right
        if band and crosses != crossing and _is_below(run, band):
            yield band
            band = []
        elif band and crosses != crossing:
            # A line beside a crossing one: the stretch is neither; keep it whole, as rows.
            band.append(run)
            continue
        if not band:
            crossing = crosses
        band.append(run)
    if band:
        yield band


def _is_below(run: Run, band: Sequence[Run]) -> bool:
    lowest = min(other.middle for other in band)
    return run.middle < lowest - 0.3 * run.size or run.top <= lowest


def _gutter(runs: Sequence[Run]) -> float | None:
    """Return the x of the emptiest vertical strip in the middle of the page; None if it parts nothing."""
    if len(runs) < 2 * _MIN_LINES:
        return None
    left, right = min(run.left for run in runs), max(run.right for run in runs)
    width = int(right - left)
    if width < 100:
        return None
    changes = [0] * (width + 3)
    for run in runs:
        changes[max(0, int(run.left - left))] += 1
        changes[min(width, int(run.right - left)) + 1] -= 1
    crossing = list(accumulate(changes[: width + 1]))
    first, last = width // 5, width - width // 5
    fewest = min(crossing[first:last])
    if fewest > len(runs) // 2:
        return None
    # The widest strip that only the fewest runs cross; it may reach beyond the middle of the page.
    empty = [x for x in range(first, last) if crossing[x] == fewest]
    strips = [list(group) for _, group in groupby(enumerate(empty), key=lambda pair: pair[1] - pair[0])]
    widest = max(strips, key=len)
    return left + widest[0][1] + len(widest) / 2 if len(widest) >= _MIN_GUTTER else None


def _is_prose(runs: Sequence[Run]) -> bool:
    """Return whether most runs are lines of text of about the same width; a table may be among them."""
    lines = [line[0] for line in text_lines(runs) if len(line) == 1]
    if len(lines) < _MIN_LINES:
        return False
    widest = max(run.width for run in lines)
    characters = sum(len(run.text) for run in lines)
    if 2 * characters < sum(len(run.text) for run in runs):
        return False
    is_long = characters >= _MIN_CHARACTERS * len(lines)
    return is_long and median(run.width for run in lines) >= _MIN_FILL * widest
