"""Views as HTML, for notebooks and pages.

Every function takes plain text and escapes it; only an `Html` value is taken as markup. There are no scripts
and no style sheets. Colours are translucent and the text keeps the colour of the page, so that the result can
be read on a light and on a dark page.

>>> tag("b", "3 < 4")
'<b>3 &lt; 4</b>'
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from html import escape as _escape
from typing import cast

from probative.views import blocks_of
from probative.views.blocks import (
    Bar,
    Cell,
    Code,
    Fitted,
    Folded,
    Heading,
    Line,
    Notes,
    Only,
    Part,
    Picture,
    Prose,
    Quotes,
    Span,
    Table,
    Tone,
)

_COLOURS: dict[Tone, str] = {
    "good": "rgba(46,160,67,.22)",
    "bad": "rgba(220,60,50,.22)",
    "warning": "rgba(210,153,34,.25)",
    "neutral": "rgba(128,128,128,.2)",
}
_FADED = "opacity:.7"
# The characters of a line for what fits itself to a width: a page scrolls.
_WIDTH = 1_000
_CELL = "padding:.15em .6em;text-align:{side};vertical-align:top"

# Control characters, those that change the direction of writing, and halves of characters: none of them may
# stand in XML, or they would show another text than the one there is.
_HIDDEN = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]"
)


class Html(str):
    """Markup that is safe to show as it is."""

    __slots__ = ()


def escape(text: str) -> Html:
    r"""Return a text as HTML; an `Html` value stays as it is.

    >>> escape("<script>\x1b")
    '&lt;script&gt;'
    """
    return text if isinstance(text, Html) else Html(_escape(_HIDDEN.sub("", text), quote=True))


def join(*parts: str) -> Html:
    """Return the parts after one another, each escaped unless it is markup."""
    return Html("".join(escape(part) for part in parts))


def tag(name: str, *content: str, **attributes: str) -> Html:
    """Return an element with escaped content; an attribute without a value is left out.

    >>> tag("i", "a & b", tag("b", "c"), style="color:red", class_="")
    '<i style="color:red">a &amp; b<b>c</b></i>'
    """
    written = "".join(f' {key.rstrip("_")}="{escape(value)}"' for key, value in attributes.items() if value)
    return Html(f"<{name}{written}>{join(*content)}</{name}>")


def badge(text: str, tone: Tone = "neutral") -> Html:
    """Return a short text on a coloured ground, for a verdict."""
    return tag("span", text, style=f"background:{_COLOURS[tone]};border-radius:.6em;padding:.1em .6em")


def highlight(text: str, tone: Tone = "good") -> Html:
    """Return a text on a coloured ground, for evidence."""
    return tag("span", text, style=f"background:{_COLOURS[tone]};padding:0 .15em")


def faded(*content: str) -> Html:
    """Return content that matters less."""
    return tag("span", *content, style=_FADED)


def heading(text: str) -> Html:
    """Return the title of a part of a result."""
    return tag("div", tag("b", text), style="margin-top:.6em")


def paragraph(*content: str) -> Html:
    """Return content on a line of its own."""
    return tag("div", *content, style="margin:.2em 0")


def bar(value: float, highest: float, tone: Tone = "good") -> Html:
    """Return a bar whose length is the share of `value` in `highest`.

    >>> "width:5.0em" in bar(1.0, 2.0)
    True
    """
    share = min(1.0, max(0.0, value / highest)) if highest > 0 else 0.0
    style = f"display:inline-block;height:.8em;width:{10 * share:.1f}em;background:{_COLOURS[tone]}"
    return tag("span", "", style=style)


def table(rows: Iterable[Sequence[str]], header: Sequence[str] = (), numeric: Iterable[int] = ()) -> Html:
    """Return a table; the columns with the indexes `numeric` are aligned to the right.

    >>> table([["<a>", "1"]], numeric=[1]).count("<td")
    2
    """
    right = set(numeric)

    def line(name: str, cells: Sequence[str]) -> Html:
        styles = [_CELL.format(side="right" if at in right else "left") for at in range(len(cells))]
        return tag("tr", *(tag(name, cell, style=style) for cell, style in zip(cells, styles, strict=True)))

    lines = ([line("th", header)] if header else []) + [line("td", cells) for cells in rows]
    return tag("table", tag("tbody", *lines), style="border-collapse:collapse;margin:.2em 0")


def details(title: str, *content: str) -> Html:
    """Return content that is hidden until its title is clicked."""
    return tag("details", tag("summary", title, style="cursor:pointer"), *content)


def notes(texts: Iterable[str]) -> Html:
    """Return the notes of a result, each on a line of its own."""
    return join(*(paragraph(badge("note", "warning"), " ", text) for text in texts))


def notebook(value: object) -> str | None:
    """Return the view of a result as HTML, or None if its type has none."""
    blocks = blocks_of(value)
    if blocks is None:
        return None
    return str(tag("div", rendered(*blocks), style="max-width:60em;line-height:1.45"))


def rendered(*parts: Part) -> Html:
    """Return blocks and their parts as HTML."""
    return join(*map(_part, parts))


def _part(part: Part) -> Html:
    match part:
        case Span():
            return _span(part)
        case Bar(value, highest):
            return bar(value, highest)
        case Line(parts, indent):
            style = f"margin:.2em 0 .2em {indent / 2:g}em" if indent else "margin:.2em 0"
            return tag("div", rendered(*parts), style=style)
        case Prose(parts):
            return tag("div", rendered(*parts), style="white-space:pre-wrap;margin:.2em 0")
        case Heading(text):
            return heading(text)
        case Table():
            return _table(part)
        case Quotes(rows):
            cells = [(label, (text, Span(place, "place")) if place else text) for label, text, place in rows]
            return _table(Table(cells))
        case Folded(title, blocks):
            return details(title, rendered(*blocks))
        case Notes(texts):
            return notes(texts)
        case Code(text):
            return tag("pre", text)
        case Picture(svg):
            return Html(svg)
        case Fitted(make):
            return rendered(*make(_WIDTH))
        case Only(medium, blocks):
            return rendered(*blocks) if medium == "page" else Html()
    return escape(part)


def _span(span: Span) -> Html:
    look = span.look.split()
    tone = cast(Tone, next((word for word in look if word in _COLOURS), "neutral"))
    if "place" in look:
        return paragraph(faded(span.text))
    if "badge" in look:
        return badge(span.text, tone)
    if tone in look:
        return highlight(span.text, tone)
    if "faint" in look:
        return faded(span.text)
    name = {"strong": "b", "italic": "i"}.get(span.look)
    return escape(span.text) if name is None else tag(name, span.text)


def _table(block: Table) -> Html:
    titles = [column.title for column in block.columns]
    right = [at for at, column in enumerate(block.columns) if column.align == "right"]
    rows = [[_cell(cell) for cell in row] for row in block.rows]
    return table(rows, titles if any(titles) else (), right)


def _cell(cell: Cell) -> Html:
    return rendered(*cell) if isinstance(cell, tuple) else _part(cell)
