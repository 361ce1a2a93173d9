"""The blocks of a text in Markdown or plain words: what may have claims, with the headings above it."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING, Literal

from probative.corpus.documents.document import Heading
from probative.verify.rows import TableCell, cells_of_pairs, cells_of_row, plain_cell

if TYPE_CHECKING:
    from markdown_it.token import Token

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
    r"""Return the blocks of a text that may have claims, in order. Code, HTML and headings are none.

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
    # Texts of models are indented at will: four spaces are no code. Emphasis and links inside of lines are
    # not needed, and take the parser very long for some texts.
    parser = MarkdownIt("commonmark").enable("table").disable(["code", "reference", "inline"])
    return _Reader(text, starts, headings).blocks(parser.parse(text[begin:]))


class _Reader:
    """Follows the tokens of a text, and keeps the headings and the lead that are in force."""

    def __init__(self, text: str, starts: Sequence[int], headings: Sequence[Heading]) -> None:
        self._text = text
        self._known = sorted(headings, key=lambda heading: heading.start)
        self._starts = starts
        self._headings: list[tuple[int, str]] = []
        self._lead = ""
        self._found: list[Block] = []
        self._rows = 0
        self._columns: tuple[str, ...] | None = None

    def blocks(self, tokens: Sequence[Token]) -> list[Block]:
        """Return the blocks of the tokens."""
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
        return self._found

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
        self._found.append(Block("row" if cells else kind, start, end, self._above(), lead, cells))

    def _keep_row(self, start: int, end: int) -> None:
        """Add a row of a table with the columns of its cells; the first row names them."""
        cells = cells_of_row(self._text, start, end, self._columns or ())
        if self._columns is None:
            self._columns = tuple(plain_cell(self._text[cell.start : cell.end]) for cell in cells)
            cells = ()
        self._found.append(Block("row", start, end, self._above(), cells=cells))

    def _heading_at(self, start: int, end: int) -> Heading | None:
        """Return the heading of the document that has these characters; a list mark may stand before them."""
        index = bisect_right(self._known, start, key=lambda heading: heading.start) - 1
        return self._known[index] if index >= 0 and end <= self._known[index].end else None

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
