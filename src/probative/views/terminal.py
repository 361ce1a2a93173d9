"""Views on a screen. Text of others must not steer the terminal: all of it passes through `plain`."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from probative.views import blocks, blocks_of

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table as RichTable
    from rich.text import Text

# Whole escape sequences: CSI (colours, cursor), strings up to their end (OSC: titles, links, the clipboard;
# DCS, SOS, PM, APC), and two-character ones. A string without an end loses only its beginning, so that no
# text can be hidden behind one.
_SEQUENCES = re.compile(
    "(?:\x1b\\[|\x9b)[0-?]*[ -/]*[@-~]"
    "|(?:\x1b[\\]PX^_]|[\x90\x98\x9d\x9e\x9f])(?:[^\x07\x1b\x9c\n]*(?:\x07|\x1b\\\\|\x9c))?"
    "|\x1b[ -/]*[0-~]"
)
# Characters that change the direction of writing, and with it the order in which a line is read.
_DIRECTION = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
# The styles of the looks; other words of a look are styles themselves.
_STYLES = {
    "strong": "bold",
    "badge": "bold",
    "faint": "dim",
    "good": "green",
    "bad": "red",
    "warning": "yellow",
    "neutral": "cyan",
}


def plain(text: str) -> str:
    r"""Return a text on one line, without escape sequences, control and direction characters.

    >>> plain("Ada \x1b[31mBerg\x1b]52;c;aGk=\x07\nsailed\u202e")
    'Ada Berg sailed'
    """
    return " ".join(_without_controls(text).split())


def plain_lines(text: str) -> str:
    r"""Return a text like `plain`, but keep its line ends and its spaces.

    >>> plain_lines("no such file: \x1b[2Ja\r\n  → name another")
    'no such file: a\n  → name another'
    """
    return "\n".join(_without_controls(line).rstrip() for line in text.split("\n"))


def _without_controls(text: str) -> str:
    text = _SEQUENCES.sub("", text.encode("utf-8", "replace").decode())
    return "".join(
        " " if unicodedata.category(character) in ("Cc", "Zl", "Zp") or character in _DIRECTION else character
        for character in text
    )


def console(*, stderr: bool = False) -> Console:
    """Return a console that prints only what it is given: no highlighting, no emoji codes."""
    from rich.console import Console

    return Console(stderr=stderr, highlight=False, emoji=False)


def show_result(value: object, **context: Any) -> None:
    """Print the view of a result; `context` is what only the caller knows, such as the text of a proof."""
    show_blocks(blocks_of(value, **context) or ())


def show_blocks(view: Iterable[blocks.Part]) -> None:
    """Print blocks."""
    terminal = console()
    for block in view:
        _show(terminal, block)


def _show(terminal: Console, block: blocks.Part) -> None:
    match block:
        case blocks.Line(parts, indent, wrap):
            terminal.print(_text(parts, indent), soft_wrap=not wrap)
        case blocks.Prose(parts):
            terminal.print(_prose(parts))
        case blocks.Heading(text):
            _show(terminal, blocks.line(blocks.Span(text, "strong")))
        case blocks.Table():
            terminal.print(_table(block))
        case blocks.Quotes(rows):
            for label, text, location in rows:
                terminal.print(_text((blocks.Span(label, "green"), " ", blocks.Span(text)), 2))
                if location:
                    terminal.print(_text((blocks.Span(location, "cyan"),), 6))
        case blocks.Notes(texts):
            for note in texts:
                terminal.print(_text((blocks.Span(f"note: {note}", "yellow"),)))
        case blocks.Folded(title, inner):
            for each in (blocks.line(title), *inner):
                _show(terminal, each)
        case blocks.Fitted(make):
            for each in make(terminal.width):
                _show(terminal, each)
        case blocks.Only("screen", inner):
            for each in inner:
                _show(terminal, each)


def _text(parts: Iterable[blocks.Part], indent: int = 0) -> Text:
    from rich.text import Text

    text = Text(" " * indent)
    for part in parts:
        match part:
            case blocks.Span(words, look):
                text.append(plain(words), style=_style(look))
            case blocks.Bar():
                length = max(part.least, round(part.width * part.share))
                text.append("█" * length, style=_style(part.look))
            case str():
                text.append(_without_controls(part))
    return text


def _prose(parts: Iterable[blocks.Part]) -> Text:
    """Return a text with its line ends; the spaces at the end of a part separate it from the next one."""
    from rich.text import Text

    text = Text()
    for part in parts:
        words, look = (part.text, part.look) if isinstance(part, blocks.Span) else (str(part), "")
        text.append(plain_lines(words) + " " * (len(words) - len(words.rstrip(" "))), style=_style(look))
    return text


def _style(look: str) -> str:
    return " ".join(_STYLES.get(word, word) for word in look.split())


def _table(block: blocks.Table) -> RichTable:
    from rich.table import Table as RichTable

    table = RichTable(
        box=None,
        pad_edge=False,
        padding=(0, block.gap, 0, 0),
        expand=any(column.room == "fill" for column in block.columns),
        show_header=any(column.title for column in block.columns),
        caption=block.caption or None,
        caption_justify="left",
    )
    for column in block.columns:
        fills = column.room == "fill"
        table.add_column(
            _text([column.title]),
            justify=column.align,
            no_wrap=column.room != "wrap",
            overflow="ellipsis" if fills else "fold",
            ratio=1 if fills else None,
            min_width=column.least or None,
        )
    for row in block.rows:
        cells = [_cell(cell) for cell in row]
        if block.indent:
            cells[0].pad_left(block.indent)
        table.add_row(*cells)
    return table


def _cell(cell: blocks.Cell) -> Text:
    return _text(cell if isinstance(cell, tuple) else (cell,))
