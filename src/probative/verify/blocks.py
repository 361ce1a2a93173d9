"""The blocks of a text that may have claims, with the headings above them; and rows of tables as claims."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING, Literal

from probative.corpus.documents.document import Heading

if TYPE_CHECKING:
    from markdown_it.token import Token

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
    cell = _CELL.match(text, begin, end)
    return cell.end() if cell is not None and cell.end() > begin else begin


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


BlockKind = Literal["paragraph", "item", "row"]

_FRONT_MATTER = re.compile(r"\ufeff?---[ \t]*\r?\n.*?\r?\n(?:---|\.\.\.)[ \t]*(?:\r?\n|\Z)", re.DOTALL)
# What stands before the words of a line: quotation marks of e-mails, list marks, task boxes.
_MARKS = re.compile(r"[ \t]*(?:>[ \t]?)*[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?(?:\[[ xX]\][ \t]+)?")
_QUOTE = re.compile(r"[ \t]*(?:>[ \t]?)*[ \t]*")


@dataclass(frozen=True)
class Block:
    """A paragraph, a list item or a row of a table: its characters in the text, and what stands above it.

    `lead` is the text of the paragraph that introduces a list; `cells` are those of a row.
    """

    kind: BlockKind
    start: int
    end: int
    headings: tuple[str, ...] = ()
    lead: str = ""
    cells: tuple[TableCell, ...] = ()


def blocks_of(text: str, headings: Sequence[Heading] = ()) -> list[Block]:
    r"""Return the blocks of a text that may have claims, in order. Code, HTML and headings are left out.

    `headings` are those of a document whose text has no marks for them.

    >>> text = "# Ferries\n\nFares:\n\n- A ticket is 3 crowns.\n"
    >>> [(block.kind, text[block.start:block.end], block.headings, block.lead) for block in blocks_of(text)]
    [('paragraph', 'Fares:', ('Ferries',), ''), ('item', 'A ticket is 3 crowns.', ('Ferries',), 'Fares:')]
    """
    from markdown_it import MarkdownIt

    front = _FRONT_MATTER.match(text)
    begin = front.end() if front else 0
    lines = re.split(r"(?<=\n)|(?<=\r)(?!\n)", text[begin:])
    starts = list(accumulate((len(line) for line in lines), initial=begin))
    # Models indent their texts at will: four spaces do not mean code. Emphasis and links inside of lines are
    # not needed, and take the parser very long for some texts.
    parser = MarkdownIt("commonmark").enable("table").disable(["code", "reference", "inline"])
    return _Reader(text, starts, headings).blocks(parser.parse(text[begin:]))


class _Reader:
    """Follows the tokens of a text, and keeps the headings and the lead that are in force."""

    def __init__(self, text: str, starts: Sequence[int], headings: Sequence[Heading]) -> None:
        self._text = text
        self._document_headings = sorted(headings, key=lambda heading: heading.start)
        self._starts = starts
        self._headings: list[tuple[int, str]] = []
        self._lead = ""
        self._blocks: list[Block] = []
        self._rows = 0
        self._columns: tuple[str, ...] | None = None

    def blocks(self, tokens: Sequence[Token]) -> list[Block]:
        lists = 0
        opened = ""
        for token in tokens:
            if token.type in ("bullet_list_open", "ordered_list_open"):
                lists += 1
            elif token.type in ("bullet_list_close", "ordered_list_close"):
                lists -= 1
            elif token.type == "table_open":
                self._columns = None
            elif token.type in ("heading_open", "paragraph_open"):
                opened = token.tag if token.type == "heading_open" else ""
            elif token.type in ("tr_open", "inline") and token.map is not None:
                self._add(token, opened, in_list=lists > 0)
        return self._blocks

    def _add(self, token: Token, heading: str, *, in_list: bool) -> None:
        assert token.map is not None
        first, after = token.map
        if token.type == "tr_open":
            self._rows = after
            self._keep_row(*self._span("row", first, after))
        elif after <= self._rows:
            return  # a cell of the row
        elif heading:
            self._enter(int(heading[1:]), token.content)
        else:
            self._keep("item" if in_list else "paragraph", *self._span("paragraph", first, after))

    def _enter(self, level: int, title: str) -> None:
        while self._headings and self._headings[-1][0] >= level:
            self._headings.pop()
        self._headings.append((level, re.sub(r"[*_`]", "", title).strip()))
        self._lead = ""

    def _keep(self, kind: BlockKind, start: int, end: int) -> None:
        if (heading := self._heading_at(start, end)) is not None:
            self._enter(heading.level, heading.text)
            return
        cells = cells_of_pairs(self._text, start, end) if kind == "paragraph" else ()
        if kind == "paragraph":
            self._lead = self._text[start:end]
        lead = self._lead if kind == "item" else ""
        self._blocks.append(Block("row" if cells else kind, start, end, self._above(), lead, cells))

    def _keep_row(self, start: int, end: int) -> None:
        """Add a row of a table with the columns of its cells; the first row names them."""
        cells = cells_of_row(self._text, start, end, self._columns or ())
        if self._columns is None:
            self._columns = tuple(plain_cell(self._text[cell.start : cell.end]) for cell in cells)
            cells = ()
        self._blocks.append(Block("row", start, end, self._above(), cells=cells))

    def _heading_at(self, start: int, end: int) -> Heading | None:
        """Return the heading of the document that has these characters; a list mark may stand before them."""
        index = bisect_right(self._document_headings, start, key=lambda heading: heading.start) - 1
        heading = self._document_headings[index] if index >= 0 else None
        return heading if heading is not None and end <= heading.end else None

    def _above(self) -> tuple[str, ...]:
        return tuple(title for _, title in self._headings)

    def _span(self, kind: BlockKind, first: int, after: int) -> tuple[int, int]:
        """Return the characters of lines without the marks before them and the white space behind them."""
        start, end = self._starts[first], self._starts[after]
        marks = (_MARKS if kind != "row" else _QUOTE).match(self._text, start, end)
        start = marks.end() if marks else start
        while end > start and self._text[end - 1].isspace():
            end -= 1
        return start, end
