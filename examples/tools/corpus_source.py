"""Reading the sources of the example corpus: Markdown with a few lines of metadata in front."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from markdown_it import MarkdownIt
from markdown_it.token import Token

Kind = Literal["heading", "paragraph", "bullet", "number", "table"]
NOTE = re.compile(r"^\[\^(\d+)\]: (.+)\n?", re.MULTILINE)
NOTE_MARK = re.compile(r"\[\^(\d+)\]")


@dataclass(frozen=True)
class Run:
    """A piece of a line in one type face; `note` marks the number of a footnote."""

    text: str
    bold: bool = False
    italic: bool = False
    note: bool = False


@dataclass(frozen=True)
class Block:
    """A heading, a paragraph, an item of a list, or a table (with `rows` of cells)."""

    kind: Kind
    runs: tuple[Run, ...] = ()
    level: int = 0
    rows: tuple[tuple[tuple[Run, ...], ...], ...] = ()


@dataclass(frozen=True)
class Page:
    """The blocks between two page breaks, and the footnotes that belong to them, by number."""

    blocks: tuple[Block, ...]
    notes: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Source:
    """One source: its metadata, its text as written, and the pages read from it."""

    metadata: dict[str, str]
    body: str
    pages: tuple[Page, ...]


def read_source(path: Path) -> Source:
    """Read a source file."""
    _, front, body = path.read_text(encoding="utf-8").split("---\n", 2)
    metadata = dict(line.split(": ", 1) for line in front.splitlines())
    return Source(metadata, body, tuple(_page(part) for part in body.split("\\newpage\n")))


def _page(text: str) -> Page:
    notes = dict(NOTE.findall(text))
    tokens = MarkdownIt().enable("table").parse(NOTE.sub("", text))
    return Page(tuple(_blocks(tokens)), notes)


def _blocks(tokens: list[Token]) -> list[Block]:
    blocks: list[Block] = []
    lists: list[Kind] = []
    rows: list[list[tuple[Run, ...]]] = []
    level = 0
    for token in tokens:
        match token.type:
            case "bullet_list_open":
                lists.append("bullet")
            case "ordered_list_open":
                lists.append("number")
            case "bullet_list_close" | "ordered_list_close":
                lists.pop()
            case "heading_open" | "heading_close":
                level = int(token.tag[1]) if token.type == "heading_open" else 0
            case "table_open":
                rows = []
            case "tr_open":
                rows.append([])
            case "table_close":
                blocks.append(Block("table", rows=tuple(map(tuple, rows))))
                rows = []
            case "inline" if rows:
                rows[-1].append(_runs(token))
            case "inline":
                kind: Kind = "heading" if level else lists[-1] if lists else "paragraph"
                blocks.append(Block(kind, _runs(token), level))
            case _:
                pass
    return blocks


def _runs(token: Token) -> tuple[Run, ...]:
    runs: list[Run] = []
    bold = italic = False
    for child in token.children or []:
        match child.type:
            case "strong_open" | "strong_close":
                bold = child.type == "strong_open"
            case "em_open" | "em_close":
                italic = child.type == "em_open"
            case "softbreak":
                runs.append(Run(" ", bold, italic))
            case _:
                for i, piece in enumerate(NOTE_MARK.split(child.content)):
                    if piece:
                        runs.append(Run(piece, bold, italic, note=i % 2 == 1))
    return tuple(runs)
