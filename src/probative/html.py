"""HTML for notebooks: what the `_repr_html_` of results is made of.

Every function takes plain text and escapes it; only an `Html` value is taken as markup. There are no scripts
and no style sheets. Colours are translucent and the text keeps the colour of the page, so that the result can
be read on a light and on a dark page. This module is below all others because `Usage` has a view, too.

>>> tag("b", "3 < 4")
'<b>3 &lt; 4</b>'
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from html import escape as _escape
from typing import Literal

Tone = Literal["good", "bad", "warning", "neutral"]

_COLOURS: dict[Tone, str] = {
    "good": "rgba(46,160,67,.22)",
    "bad": "rgba(220,60,50,.22)",
    "warning": "rgba(210,153,34,.25)",
    "neutral": "rgba(128,128,128,.2)",
}
_FADED = "opacity:.7"
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


def tag(name: str, *content: str, style: str = "") -> Html:
    """Return an element with escaped content.

    >>> tag("i", "a & b", tag("b", "c"), style="color:red")
    '<i style="color:red">a &amp; b<b>c</b></i>'
    """
    attribute = f' style="{escape(style)}"' if style else ""
    return Html(f"<{name}{attribute}>{join(*content)}</{name}>")


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


def result(*content: str) -> str:
    """Return the whole view of a result, as `_repr_html_` gives it."""
    return str(tag("div", *content, style="max-width:60em;line-height:1.45"))
