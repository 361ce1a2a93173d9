"""Where people find some characters of a document: on a page, on a slide, in cells of a sheet."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, NamedTuple, Self

from probative.errors import InputError
from probative.types import Value

# Signs that would break a line, and percent signs that would be read as an escape, are escaped; everything
# else stays as people read it. In the name of a sheet, so are signs that end it, and the space of a URL.
_UNSAFE = r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff%s]|%%(?=[0-9A-Fa-f]{2})"
_UNSAFE_IN_NAME, _UNSAFE_IN_SHEET = re.compile(_UNSAFE % ""), re.compile(_UNSAFE % "&#+")
_ESCAPED = re.compile(r"(?:%[0-9A-Fa-f]{2})+")
LOCATOR = (
    r"(?:page=(?P<page>\d+)|slide=(?P<slide>\d+)"
    r"|sheet=(?P<sheet>[^&#]*)(?:&cells=(?P<cells>[A-Z]+\d+(?::[A-Z]+\d+)?))?)"
)
"""The pattern of a place in a citation."""


class Place(Value):
    """A part of a document as its readers call it: a page, a slide or cells of a sheet; nothing for others.

    >>> place = Place(sheet="Ropes & tar", cells="A4:D4")
    >>> place.locator, place.words
    ('sheet=Ropes %26 tar&cells=A4:D4', 'sheet Ropes & tar, A4:D4')
    >>> Place.parse("sheet=Ropes %26 tar&cells=A4:D4") == place, Place(slide=3).words, Place().locator
    (True, 'slide 3', '')
    """

    page: int | None = None
    slide: int | None = None
    sheet: str | None = None
    cells: str | None = None

    @property
    def locator(self) -> str:
        """The place as citations have it before the characters."""
        if self.sheet is not None:
            cells = f"&cells={self.cells}" if self.cells else ""
            return f"sheet={escaped(self.sheet, in_sheet=True)}{cells}"
        return self.words.replace(" ", "=")

    @property
    def words(self) -> str:
        """The place as people say it."""
        if self.sheet is not None:
            return f"sheet {self.sheet}, {self.cells}" if self.cells else f"sheet {self.sheet}"
        numbers = {"page": self.page, "slide": self.slide}
        return next((f"{name} {number}" for name, number in numbers.items() if number is not None), "")

    @classmethod
    def parse(cls, locator: str) -> Self:
        """Return the place that a locator describes; raises `InputError`."""
        match = re.fullmatch(LOCATOR, locator)
        if match is None:
            raise InputError(
                f"{locator!r} is not a place", hint="write it as page=3, slide=3 or sheet=A&cells=B2:D4"
            )
        return cls(**place_fields(match))


def place_fields(match: re.Match[str]) -> dict[str, Any]:
    """Return the fields of a place that `LOCATOR` matched."""
    numbers = {name: int(match[name]) for name in ("page", "slide") if match[name]}
    sheet = None if match["sheet"] is None else unescaped(match["sheet"])
    return {**numbers, "sheet": sheet, "cells": match["cells"]}


def escaped(name: str, *, in_sheet: bool = False) -> str:
    r"""Return the name of a file, or of a sheet, as citations write it.

    >>> escaped("50%.md"), escaped("a%41.md"), escaped("a&b\n"), escaped("a&b\n", in_sheet=True)
    ('50%.md', 'a%2541.md', 'a&b%0A', 'a%26b%0A')
    """
    return (_UNSAFE_IN_SHEET if in_sheet else _UNSAFE_IN_NAME).sub(_escape, name)


def unescaped(name: str) -> str:
    """Return the name that was escaped."""
    return _ESCAPED.sub(_unescape, name)


def _escape(match: re.Match[str]) -> str:
    text = match.group()
    try:
        # Names that are not valid UTF-8 reach Python as lone surrogates.
        raw = text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        raw = text.encode("utf-8", "surrogatepass")  # no file has such a name
    return "".join(f"%{byte:02X}" for byte in raw)


def _unescape(match: re.Match[str]) -> str:
    return bytes.fromhex(match.group().replace("%", "")).decode("utf-8", "surrogateescape")


class WordBox(NamedTuple):
    """A word that was read from a picture: its characters in the text of the document, and its box on the
    page, from the top left corner, as shares of the page's width and height.
    """

    start: int
    end: int
    left: float
    top: float
    right: float
    bottom: float


class Table(Value):
    """Rows of a table in the text of a document, one after the other, with two line ends between them.

    `names` are those of its columns, without their colons, each before its cells; without names, " | " is
    between the cells. `rows` has the number of characters of each cell: 0 for one that is left out.
    """

    start: int
    names: tuple[str, ...] = ()
    rows: tuple[tuple[int, ...], ...]


class Cells(Value):
    """The cells that some text of a document was read from; the text goes on to the next ones.

    Columns and rows count from 1. Without them, it is text about the whole sheet, such as its name.
    """

    start: int
    sheet: str
    left: int = 0
    top: int = 0
    right: int = 0
    bottom: int = 0


def range_of(cells: Sequence[Cells]) -> str | None:
    """Return the range around some cells of one sheet, as spreadsheets write it; None without cells.

    >>> rows = [Cells(start=0, sheet="Ropes", left=1, top=row, right=28, bottom=row) for row in (4, 5, 7)]
    >>> range_of(rows), range_of([rows[0].model_copy(update={"right": 1})]), range_of([])
    ('A4:AB7', 'A4', None)
    """
    with_cells = [each for each in cells if each.top]
    if not with_cells:
        return None
    first = f"{column_letters(min(each.left for each in with_cells))}{min(each.top for each in with_cells)}"
    last = (
        f"{column_letters(max(each.right for each in with_cells))}{max(each.bottom for each in with_cells)}"
    )
    return first if first == last else f"{first}:{last}"


def column_letters(number: int) -> str:
    """Return the name of a column, which counts from 1.

    >>> [column_letters(number) for number in (1, 26, 27, 703)]
    ['A', 'Z', 'AA', 'AAA']
    """
    letters = ""
    while number:
        number, digit = divmod(number - 1, 26)
        letters = chr(ord("A") + digit) + letters
    return letters
