"""Runs of characters on a page of a PDF: text on one line without a wide gap, with its box and font."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

# A gap of this many font sizes separates cells or columns; a space of justified text is at most one.
WIDE_GAP = 1.3
# A digit set this much smaller than its neighbours is a mark of a footnote.
_RAISED = 0.8
_BOLD = 600
# What pdfium gives for a hyphen at the end of a line.
HYPHENS = ("\x02", "\ufffe", "\u00ad", "\u2010", "-")
_LIGATURES = {"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st"}


@dataclass
class Run:
    """Text on one line: its box in points from the bottom left corner, font size and weight."""

    text: str
    left: float
    bottom: float
    right: float
    top: float
    size: float
    bold: bool

    @property
    def middle(self) -> float:
        """The height of the middle of the line."""
        return (self.bottom + self.top) / 2

    @property
    def width(self) -> float:
        """The width of the box."""
        return self.right - self.left


@dataclass
class _Open:
    """A run that is being read."""

    letters: list[str] = field(default_factory=list)
    left: float = 0.0
    bottom: float = 0.0
    right: float = 0.0
    top: float = 0.0
    sizes: dict[float, int] = field(default_factory=dict)
    bold: int = 0

    @property
    def size(self) -> float:
        return max(self.sizes, key=lambda size: self.sizes[size]) if self.sizes else 0.0

    def add(self, letter: str, box: tuple[float, float, float, float], size: float, bold: bool) -> None:
        left, bottom, right, top = box
        if not self.sizes:
            self.left, self.bottom, self.right, self.top = box
        raised = bool(self.sizes) and size < _RAISED * self.size
        if raised and (letter.isdigit() or letter in "*†‡"):
            # "harbour.³" would hide the end of the sentence and change a number.
            self.letters.append(f"[{letter}]")
        else:
            self.letters.append(letter)
        self.left, self.right = min(self.left, left), max(self.right, right)
        if not raised:
            self.bottom, self.top = min(self.bottom, bottom), max(self.top, top)
            self.sizes[size] = self.sizes.get(size, 0) + 1
        self.bold += bold

    def run(self) -> Run | None:
        text = "".join(self.letters).replace("][", "").strip()
        if not text:
            return None
        count = sum(self.sizes.values())
        return Run(text, self.left, self.bottom, self.right, self.top, self.size, 2 * self.bold > count)


def page_runs(textpage: Any) -> list[Run]:
    """Return the runs of a page in the order of the file."""
    runs: list[Run] = []
    current = _Open()
    for letter, box, size, bold in _letters(textpage):
        if box is None:
            if letter == "\n":
                current = _closed(runs, current)
            else:
                current.letters.append(" ")
            continue
        if current.sizes and _starts_anew(current, box, size):
            current = _closed(runs, current)
        if letter.isspace():
            current.letters.append(" ")
        else:
            current.add(letter, box, size, bold)
    _closed(runs, current)
    return runs


def _closed(runs: list[Run], current: _Open) -> _Open:
    run = current.run()
    if run is not None:
        runs.append(run)
    return _Open()


def _starts_anew(current: _Open, box: tuple[float, float, float, float], size: float) -> bool:
    """Return whether a letter is not on the line of a run, or too far from its end."""
    left, bottom, _, top = box
    gap = left - current.right
    height = max(size, current.size)
    off_line = (bottom + top) / 2 > current.top + 0.2 * height or (
        bottom + top
    ) / 2 < current.bottom - 0.2 * height
    return gap > WIDE_GAP * height or gap < -2 * height or off_line


def _letters(
    textpage: Any,
) -> Iterator[tuple[str, tuple[float, float, float, float] | None, float, bool]]:
    """Yield each character with its box, font size and whether it is bold; white space and line ends that
    pdfium adds have no box.
    """
    import pypdfium2.raw as raw

    page = textpage.raw
    bold_fonts: dict[tuple[float, int], bool] = {}
    rect = raw.FS_RECTF()
    for index in range(raw.FPDFText_CountChars(page)):
        code = raw.FPDFText_GetUnicode(page, index)
        if code in (10, 13):
            yield "\n", None, 0.0, False
            continue
        letter = _letter(code)
        generated = raw.FPDFText_IsGenerated(page, index) == 1
        if code == 32 or generated or not letter:
            yield (letter if letter in HYPHENS else " "), None, 0.0, False
            continue
        raw.FPDFText_GetLooseCharBox(page, index, ctypes.byref(rect))
        size = round(raw.FPDFText_GetFontSize(page, index) * 2) / 2
        weight = raw.FPDFText_GetFontWeight(page, index)
        bold = weight >= _BOLD if weight > 0 else _bold_by_name(page, index, bold_fonts, (size, weight))
        yield letter, (rect.left, rect.bottom, rect.right, rect.top), size, bold


def _letter(code: int) -> str:
    if code == 0 or 0xD800 <= code <= 0xDFFF or code > 0x10FFFF:
        return ""
    letter = chr(code)
    return _LIGATURES.get(letter, letter)


def _bold_by_name(
    page: Any, index: int, _known: dict[tuple[float, int], bool], _key: tuple[float, int]
) -> bool:
    import pypdfium2.raw as raw

    buffer = ctypes.create_string_buffer(64)
    flags = ctypes.c_int()
    raw.FPDFText_GetFontInfo(page, index, buffer, 64, ctypes.byref(flags))
    return b"bold" in buffer.value.lower() or b"black" in buffer.value.lower()
