"""Views as HTML, for notebooks and pages.

Every function takes plain text and escapes it; only an `Html` value is taken as markup. There are no scripts
and no style sheets. A downloaded page names its colours in `page.css`. Elsewhere, as in a notebook, colours
are translucent and the text keeps the colour of the page, so that the result can be read on a light and on a
dark page.

>>> tag("b", "3 < 4")
'<b>3 &lt; 4</b>'
"""

from __future__ import annotations

import re
from html import escape as _escape

from probative.views import blocks, blocks_of

# The name of each tone in `page.css`, and its ground where there is no such style.
_TONES = {
    "good": ("supported", "rgba(46,160,67,.22)"),
    "bad": ("contradicted", "rgba(220,60,50,.22)"),
    "warning": ("insufficient", "rgba(210,153,34,.25)"),
    "neutral": ("neutral", "rgba(128,128,128,.2)"),
}
_GROUNDS = {tone: f"var(--{name}-ground,{ground})" for tone, (name, ground) in _TONES.items()}
_BAR = f"var(--supported,{_TONES['good'][1]})"
_LINE = "margin:.2em 0"
# The characters of a line for what fits itself to a width: a page scrolls.
WIDTH = 1_000

# Control characters, those that change the direction of writing, and halves of characters: none of them may
# stand in XML, or they would show another text than the one there is.
_HIDDEN = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]"
)


class Html(str):
    """Markup that is safe to show as it is."""

    __slots__ = ()


def visible(text: str) -> str:
    """Return a text without the characters that would hide or reverse it."""
    return _HIDDEN.sub("", text)


def escape(text: str) -> Html:
    r"""Return a text as HTML; an `Html` value stays as it is.

    >>> escape("<script>\x1b")
    '&lt;script&gt;'
    """
    return text if isinstance(text, Html) else Html(_escape(visible(text), quote=True))


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


def notebook(value: object) -> str | None:
    """Return the view of a result as HTML, or None if its type has none."""
    view = blocks_of(value)
    return None if view is None else str(tag("div", rendered(*view), style="max-width:60em;line-height:1.45"))


def rendered(*parts: blocks.Part) -> Html:
    """Return blocks and their parts as HTML.

    >>> rendered(blocks.line(blocks.strong("3 < 4")))
    '<div style="margin:.2em 0"><b>3 &lt; 4</b></div>'
    """
    return join(*map(_part, parts))


def _part(part: blocks.Part) -> Html:
    match part:
        case blocks.Span(text, look):
            return _span(text, look.split())
        case blocks.Bar():
            shape = f"display:inline-block;height:.8em;width:{10 * part.share:.1f}em;"
            return tag("span", style=f"{shape}background:{_BAR}")
        case blocks.Line(parts, indent):
            return tag("div", rendered(*parts), style=f"{_LINE} .2em {indent / 2:g}em" if indent else _LINE)
        case blocks.Prose(parts):
            return tag("div", rendered(*parts), style=f"white-space:pre-wrap;{_LINE}")
        case blocks.Heading(text):
            return tag("div", tag("b", text), style="margin-top:.6em")
        case blocks.Table():
            return _table(part)
        case blocks.Quotes(rows):
            return _table(blocks.Table([(label, _quote(text, location)) for label, text, location in rows]))
        case blocks.Folded(title, inner):
            return tag("details", tag("summary", title, style="cursor:pointer"), rendered(*inner))
        case blocks.Notes(texts):
            label = blocks.Span("note", "badge warning")
            return rendered(*(blocks.line(label, " ", text) for text in texts))
        case blocks.Code(text):
            return tag("pre", text)
        case blocks.Picture(svg):
            return Html(svg)
        case blocks.Fitted(make):
            return rendered(*make(WIDTH))
        case blocks.Only(medium, inner):
            return rendered(*inner) if medium == "page" else Html()
    return escape(part)


def _span(text: str, look: list[str]) -> Html:
    tone = next((word for word in look if word in _TONES), "neutral")
    if "place" in look:
        return rendered(blocks.line(blocks.faint(text)))
    if "badge" in look:
        colours = f"background:{_GROUNDS[tone]};color:var(--{_TONES[tone][0]},inherit)"
        return tag("span", text, style=f"{colours};border-radius:.6em;padding:.1em .6em")
    if tone in look:
        return tag("span", text, style=f"background:{_GROUNDS[tone]};padding:0 .15em")
    if "faint" in look:
        return tag("span", text, style="opacity:.7")
    name = {"strong": "b", "italic": "i"}.get(" ".join(look))
    return escape(text) if name is None else tag(name, text)


def _quote(text: str, location: str | None) -> blocks.Cell:
    return (text, blocks.Span(location, "place")) if location else text


def _table(table: blocks.Table) -> Html:
    right = {at for at, column in enumerate(table.columns) if column.align == "right"}

    def row(name: str, cells: list[Html]) -> Html:
        sides = ("right" if at in right else "left" for at in range(len(cells)))
        styles = (f"padding:.15em .6em;text-align:{side};vertical-align:top" for side in sides)
        return tag("tr", *(tag(name, cell, style=style) for cell, style in zip(cells, styles, strict=True)))

    titles = [escape(column.title) for column in table.columns]
    lines = [row("th", titles)] if any(titles) else []
    lines += [row("td", [_cell(cell) for cell in cells]) for cells in table.rows]
    return tag("table", tag("tbody", *lines), style=f"border-collapse:collapse;{_LINE}")


def _cell(cell: blocks.Cell) -> Html:
    return rendered(*cell) if isinstance(cell, tuple) else _part(cell)
