"""Rows of tables as claims: what each cell says about the thing that the row is about."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

# A cell ends at a bar that is not escaped.
_CELL = re.compile(r"(?:\\.|[^|\\])*")
# A row as the readers of documents write it: "Route: Harbour; Fare: 3.20".
_PAIR = r"[^:;|\n]{1,60}: [^;\n]*[^;\s]"
_PAIRS = re.compile(rf"{_PAIR}(?:; {_PAIR})+")
_ONE_PAIR = re.compile(r"(?P<column>[^:;|\n]{1,60}): (?P<value>[^;\n]*[^;\s])")
_LETTER = re.compile(r"[^\W\d_]")
_MARKUP = re.compile(r"\\(?=[|\\*_`])|[*_`]+")
# Longer values are sentences of their own, which name what they are about.
_MAX_SUBJECT = 80


@dataclass(frozen=True)
class TableCell:
    """The characters of a cell, and the name of its column; empty without one."""

    column: str
    start: int
    end: int


def cells_of_row(text: str, start: int, end: int, columns: Sequence[str]) -> tuple[TableCell, ...]:
    r"""Return the cells of a row in Markdown.

    >>> row = "| Aske \\| mill | 1790 |"
    >>> [row[cell.start:cell.end] for cell in cells_of_row(row, 0, len(row), ("name", "built"))]
    ['Aske \\| mill', '1790']
    """
    begin = start + (text[start:end].startswith("|"))
    spans: list[tuple[int, int]] = []
    while begin < end:
        after = min(end, _match_end(text, begin, end))
        spans.append((begin, after))
        begin = after + 1
    cells = []
    for index, (first, after) in enumerate(spans):
        inside = text[first:after]
        left = first + len(inside) - len(inside.lstrip())
        right = max(left, first + len(inside.rstrip()))
        cells.append(TableCell(columns[index] if index < len(columns) else "", left, right))
    return tuple(cells)


def _match_end(text: str, begin: int, end: int) -> int:
    found = _CELL.match(text, begin, end)
    return found.end() if found is not None and found.end() > begin else begin


def cells_of_pairs(text: str, start: int, end: int) -> tuple[TableCell, ...]:
    """Return the cells of a row that is written as names and values; none if a text is no such row.

    >>> row = "Route: Harbour; Fare: 3.20"
    >>> [(cell.column, row[cell.start:cell.end]) for cell in cells_of_pairs(row, 0, len(row))]
    [('Route', 'Harbour'), ('Fare', '3.20')]
    >>> cells_of_pairs("Fares: see below.", 0, 17)
    ()
    """
    if _PAIRS.fullmatch(text, start, end) is None:
        return ()
    return tuple(
        TableCell(pair["column"].strip(), *pair.span("value"))
        for pair in _ONE_PAIR.finditer(text, start, end)
    )


def plain_cell(text: str) -> str:
    """Return a cell without emphasis and escapes.

    >>> plain_cell("**Fare** in _crowns_")
    'Fare in crowns'
    """
    return " ".join(_MARKUP.sub("", text).split())


def row_statements(columns: Sequence[str], values: Sequence[str]) -> list[tuple[int, str]]:
    """Return the index of each cell that says something about the row, and that as a sentence.

    A row is about its first cell with a word: numbers before it only count the rows. Without such a cell, it
    is about the first one, with the name of its column.

    >>> row_statements(["Mill", "Year built", "Height"], ["Aske", "1790", "–"])
    [(1, 'The year built of Aske is 1790.')]
    >>> row_statements(["Year", "Passengers"], ["2019", "148,210"])
    [(1, 'The passengers of year 2019 is 148,210.')]
    """
    filled = [index for index, value in enumerate(values) if re.search(r"\w", value)]
    if len(filled) < 2:
        return []
    short = [index for index in filled if len(values[index]) <= _MAX_SUBJECT]
    named = [index for index in short if _LETTER.search(values[index])]
    about = named[0] if named else filled[0]
    subject = plain_cell(values[about])
    if not named:
        subject = f"{_small(columns[about])} {subject}".strip()
    return [
        (index, _sentence(subject, _small(columns[index]), plain_cell(values[index]).rstrip(".")))
        for index in filled
        if index > about
    ]


def _sentence(subject: str, column: str, value: str) -> str:
    """Return what a cell says.

    Of four forms, this one, "For S, the C is V." and "S: the C is V." had the right verdict on all of 36
    claims about rows and plain sentences, "S: C: V." on 33.
    """
    return f"The {column} of {subject} is {value}." if column else f"{subject}: {value}."


def _small(column: str) -> str:
    """Return the name of a column as it stands inside a sentence."""
    column = column.rstrip(":")
    return column[:1].lower() + column[1:] if column[1:2].islower() else column
