"""The blocks of a text in Markdown or plain words: what may have claims, with the headings above it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING, Literal

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

    `lead` is the text of the paragraph that introduces a list.
    """

    kind: BlockKind
    start: int
    end: int
    headings: tuple[str, ...] = ()
    lead: str = ""


def blocks_of(text: str) -> list[Block]:
    r"""Return the blocks of a text that may have claims, in order. Code, HTML and headings are none.

    >>> text = "# Ferries\n\nFares:\n\n- A ticket is 3 crowns.\n"
    >>> [(block.kind, text[block.start:block.end], block.headings, block.lead) for block in blocks_of(text)]
    [('paragraph', 'Fares:', ('Ferries',), ''), ('item', 'A ticket is 3 crowns.', ('Ferries',), 'Fares:')]
    """
    from markdown_it import MarkdownIt

    front = _FRONT_MATTER.match(text)
    begin = front.end() if front else 0
    lines = re.split(r"(?<=\n)|(?<=\r)(?!\n)", text[begin:])
    starts = list(accumulate((len(line) for line in lines), initial=begin))
    # Texts of models are indented at will: four spaces are no code.
    parser = MarkdownIt("commonmark").enable("table").disable(["code", "reference"])
    return _Reader(text, starts).blocks(parser.parse(text[begin:]))


class _Reader:
    """Follows the tokens of a text, and keeps the headings and the lead that are in force."""

    def __init__(self, text: str, starts: Sequence[int]) -> None:
        self._text = text
        self._starts = starts
        self._headings: list[tuple[int, str]] = []
        self._lead = ""
        self._found: list[Block] = []
        self._rows = 0

    def blocks(self, tokens: Sequence[Token]) -> list[Block]:
        """Return the blocks of the tokens."""
        lists = 0
        opened = ""
        for token in tokens:
            if token.type in ("bullet_list_open", "ordered_list_open"):
                lists += 1
            elif token.type in ("bullet_list_close", "ordered_list_close"):
                lists -= 1
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
            self._keep("row", first, after)
        elif after <= self._rows:
            return  # a cell of the row
        elif heading:
            self._enter(int(heading[1:]), token.content)
        else:
            self._keep("item" if in_list else "paragraph", first, after)
            if not in_list:
                block = self._found[-1]
                self._lead = self._text[block.start : block.end]

    def _enter(self, level: int, title: str) -> None:
        while self._headings and self._headings[-1][0] >= level:
            self._headings.pop()
        self._headings.append((level, re.sub(r"[*_`]", "", title).strip()))
        self._lead = ""

    def _keep(self, kind: BlockKind, first: int, after: int) -> None:
        start, end = self._starts[first], self._starts[after]
        marks = (_MARKS if kind != "row" else _QUOTE).match(self._text, start, end)
        start = marks.end() if marks else start
        while end > start and self._text[end - 1].isspace():
            end -= 1
        headings = tuple(title for _, title in self._headings)
        self._found.append(Block(kind, start, end, headings, self._lead if kind == "item" else ""))
