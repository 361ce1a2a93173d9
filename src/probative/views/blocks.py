"""The blocks that a view is made of. A medium renders them: `terminal` for a screen, `html` for a page.

A `Span` has a look: "strong", "faint" or "italic"; a tone ("good", "bad", "warning", "neutral"), which is a
coloured ground on a page; and "badge", which makes a verdict of a tone. Other words, such as "dim" or "bold
green", are the screen's own and change nothing on a page. Words of documents and models belong in spans: a
screen puts them on one line.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from probative.types import Verdict

Tone = Literal["good", "bad", "warning", "neutral"]
TONES: dict[Verdict, Tone] = {
    Verdict.SUPPORTED: "good",
    Verdict.CONTRADICTED: "bad",
    Verdict.INSUFFICIENT: "warning",
}
"""The tone of each verdict, in the order in which verdicts are listed."""
SIGNS = {Verdict.SUPPORTED: "✓", Verdict.CONTRADICTED: "✗", Verdict.INSUFFICIENT: "?"}
WORDS = {
    Verdict.SUPPORTED: "Supported",
    Verdict.CONTRADICTED: "Contradicted",
    Verdict.INSUFFICIENT: "Insufficient evidence",
}
"""The words of the page of the server, which downloaded pages and reports have, too."""


@dataclass(frozen=True)
class Span:
    """Words with a look."""

    text: str
    look: str = ""


@dataclass(frozen=True)
class Bar:
    """A bar as long as the share of `value` in `highest`; on a screen, `width` characters are the whole."""

    value: float
    highest: float
    width: int = 40
    look: str = "good"
    least: int = 0

    @property
    def share(self) -> float:
        """The share that is filled, from 0 to 1."""
        return min(1.0, max(0.0, self.value / self.highest)) if self.highest > 0 else 0.0


@dataclass(frozen=True)
class Line:
    """Parts on a line of their own; a screen cuts it at its width unless `wrap` is False."""

    parts: tuple[Part, ...]
    indent: int = 0
    wrap: bool = True


@dataclass(frozen=True)
class Prose:
    """A text that keeps its own line ends."""

    parts: tuple[Part, ...]


@dataclass(frozen=True)
class Heading:
    """The title of a part."""

    text: str


@dataclass(frozen=True)
class Column:
    """A column of a table. On a screen, a `fixed` one is never narrowed, a `fill` one takes the room that is
    left and is cut, and `least` is the smallest width.
    """

    title: str = ""
    align: Literal["left", "right", "center"] = "left"
    room: Literal["wrap", "fixed", "fill"] = "wrap"
    least: int = 0


@dataclass(frozen=True)
class Table:
    """Rows of cells. A header is shown if a column has a title; `gap` is the room between columns."""

    rows: Sequence[Sequence[Cell]]
    columns: Sequence[Column] = ()
    gap: int = 2
    indent: int = 0
    caption: str = ""


@dataclass(frozen=True)
class Quotes:
    """Sentences of documents, each with the label of its passage and, below it, its place if it has one."""

    rows: Sequence[tuple[str, str, str | None]]


@dataclass(frozen=True)
class Folded:
    """Blocks that a page hides until the title is clicked."""

    title: str
    blocks: tuple[Part, ...]


@dataclass(frozen=True)
class Notes:
    """The notes of a result."""

    texts: Sequence[str]


@dataclass(frozen=True)
class Code:
    """A text in its own form, such as JSON."""

    text: str


@dataclass(frozen=True)
class Picture:
    """A picture as SVG."""

    svg: str


@dataclass(frozen=True)
class Fitted:
    """Blocks that depend on the number of characters that fit on a line."""

    make: Callable[[int], Sequence[Block]]


@dataclass(frozen=True)
class Only:
    """Blocks for one medium."""

    medium: Literal["screen", "page"]
    blocks: tuple[Part, ...]


Block = Line | Prose | Heading | Table | Quotes | Folded | Notes | Code | Picture | Fitted | Only
Part = str | Span | Bar | Block
Cell = Part | tuple[Part, ...]


def line(*parts: Part, indent: int = 0, wrap: bool = True) -> Line:
    """Return a line; without parts, an empty one."""
    return Line(parts, indent, wrap)


def strong(text: str) -> Span:
    """Return words that matter most."""
    return Span(text, "strong")


def faint(text: str) -> Span:
    """Return words that matter less."""
    return Span(text, "faint")


def columns(*titles: str, right: Sequence[int] = ()) -> tuple[Column, ...]:
    """Return columns with these titles; those with the indexes `right` are aligned to the right."""
    return tuple(Column(title, "right" if at in right else "left") for at, title in enumerate(titles))


def screen(*blocks: Part) -> Only:
    """Return blocks that only a screen shows."""
    return Only("screen", blocks)


def page(*blocks: Part) -> Only:
    """Return blocks that only a page shows."""
    return Only("page", blocks)


def verdict_badge(verdict: Verdict, *, judged: bool = True) -> Span:
    """Return a verdict in its tone, or that nothing was judged, for a screen."""
    return Span(verdict.value if judged else "not judged", f"badge {TONES[verdict]}")


def page_badge(verdict: Verdict, *, judged: bool = True) -> Span:
    """Return a verdict in its tone with its sign, or that nothing was judged, for a page.

    >>> page_badge(Verdict.INSUFFICIENT).text
    '? Insufficient evidence'
    """
    words = f"{SIGNS[verdict]} {WORDS[verdict]}" if judged else "– Not judged"
    return Span(words, f"badge {TONES[verdict]}")


def fields(result: Any) -> list[Block]:
    """Return a row for each field of a result that has no view of its own, then its notes and its cost."""
    hidden = {"notes", "usage", "trace", "method", "model", "policy", "verdict_model"}
    values = {name: value for name, value in result.to_dict().items() if name not in hidden}
    rows = [
        (strong(name), Span(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)))
        for name, value in values.items()
        if value not in (None, "", [], {})
    ]
    return [Table(rows, columns("", "")), Notes(getattr(result, "notes", ())), cost(result)]


def cost(result: Any) -> Only:
    """Return the last line of a page: the method, the models and the cost of a result."""
    method = getattr(result, "method", None)
    names = (getattr(result, name, None) for name in ("model", "policy", "verdict_model"))
    parts = [f"method {method}" if method else None, *names, result.usage.describe()]
    return page(line(faint(", ".join(part for part in parts if part))))
