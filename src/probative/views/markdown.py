"""Views as Markdown, for a wiki or an issue: what a page shows, in words and tables."""

from __future__ import annotations

import re
from collections.abc import Iterator

from probative.views import blocks, blocks_of
from probative.views.html import WIDTH, visible

_MARKUP = re.compile(r"([\\`*_\[\]<>|~])")


def markdown(value: object) -> str | None:
    """Return the view of a result as Markdown, or None if its type has none."""
    view = blocks_of(value)
    return None if view is None else rendered(*view)


def rendered(*parts: blocks.Part) -> str:
    r"""Return blocks as Markdown, with an empty line between them.

    >>> print(rendered(blocks.line(blocks.strong("a*b"), " <i>"), blocks.Table([("1", "2")])))
    **a\*b** \<i\>
    <BLANKLINE>
    |  |  |
    | --- | --- |
    | 1 | 2 |
    """
    return "\n\n".join(text for part in parts for text in _blocks(part) if text)


def heading(text: str, level: int = 1) -> str:
    """Return a heading."""
    return f"{'#' * level} {_escaped(text)}"


def _blocks(part: blocks.Part) -> Iterator[str]:
    match part:
        case blocks.Line(parts):
            # A block inside a line, such as the quotes of a conflict, stands below it.
            yield "".join(_words(each) for each in parts if isinstance(each, str | blocks.Span | blocks.Bar))
            yield from (text for each in parts if not isinstance(each, str) for text in _blocks(each))
        case blocks.Prose(parts):
            lines = "".join(each.text if isinstance(each, blocks.Span) else str(each) for each in parts)
            yield "\n".join(f"> {_first_escaped(line)}".rstrip() for line in lines.strip().split("\n"))
        case blocks.Heading(text):
            yield heading(text, 3)
        case blocks.Table():
            yield _table(part)
        case blocks.Quotes(rows):
            yield "\n".join(
                f"- {_escaped(f'{label} {text}{_place(location)}')}" for label, text, location in rows
            )
        case blocks.Folded(title, inner):
            yield heading(title, 3)
            yield rendered(*inner)
        case blocks.Notes(texts):
            yield "\n".join(f"> **note** {_escaped(text)}" for text in texts)
        case blocks.Code(text):
            fence = "`" * max(3, 1 + max(map(len, re.findall("`+", text)), default=0))
            yield f"{fence}\n{text}\n{fence}"
        case blocks.Fitted(make):
            yield rendered(*make(WIDTH))
        case blocks.Only("page", inner):
            yield rendered(*inner)


def _words(part: blocks.Part) -> str:
    match part:
        case blocks.Bar():
            return "█" * round(10 * part.share)
        case blocks.Span(text, "place"):
            return _escaped(_place(text))
        case blocks.Span(text, "italic") if text.strip():
            return f"*{_escaped(text.strip())}* "
        case blocks.Span(text, look) if text.strip() and look not in ("", "faint", "dim"):
            return f"**{_escaped(text.strip())}**"
        case blocks.Span(text):
            return _escaped(text)
        case str():
            return _escaped(part)
    return ""


def _table(table: blocks.Table) -> str:
    rows = [[_cell(cell) for cell in row] for row in table.rows]
    titles = [_escaped(column.title) for column in table.columns] or [""] * len(rows[0] if rows else ())
    sides = [column.align == "right" for column in table.columns] or [False] * len(titles)
    rule = ["--:" if right else "---" for right in sides]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (titles, rule, *rows))


def _cell(cell: blocks.Cell) -> str:
    return "".join(map(_words, cell)) if isinstance(cell, tuple) else _words(cell)


def _place(place: str | None) -> str:
    return f" ({place})" if place else ""


def _escaped(text: str) -> str:
    """Return words in which Markdown finds no markup, on one line; spaces at their ends stay."""
    return _MARKUP.sub(r"\\\1", re.sub(r"\s+", " ", visible(text)))


def _first_escaped(line: str) -> str:
    """Return a line that Markdown takes neither for a heading nor for an item of a list."""
    return re.sub(r"^\s*([#+-])", r"\\\1", _escaped(line))
