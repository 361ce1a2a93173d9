"""The shapes of a drawing as SVG: groups, members, lines with arrow heads, labels, text."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from probative.views.drawing.layout import LABEL_SIZE, NAME_SIZE, Box, Cluster
from probative.views.drawing.lines import Kind, Line, Point

PAPER, INK, PALE = "#ffffff", "#1c2430", "#5a6676"
COLOURS: dict[Kind, str] = {"expert": "#1c2430", "affirmative": "#1565a9", "counterfactual": "#b3261e"}
DASHES: dict[Kind, str] = {"expert": "", "affirmative": "7 5", "counterfactual": ""}


def frame(cluster: Cluster) -> str:
    """Return the frame and the caption of a group."""
    box, tint, edge = cluster.box, "#eef3f9", "#9fb3c8"
    dashes = ""
    if cluster.intermediate:
        tint, edge, dashes = "#fdf3e1", "#d19a3a", ' stroke-dasharray="3 3"'
    kind = "group intermediate" if cluster.intermediate else "group"
    x, y = cluster.label.middle
    return (
        f'<rect class="{kind}" x="{box.x:.1f}" y="{box.y:.1f}" width="{box.width:.1f}" '
        f'height="{box.height:.1f}" rx="12" fill="{tint}" stroke="{edge}"{dashes}/>'
        + written(cluster.caption, x, y + 4, LABEL_SIZE, colour=PALE, kind="caption")
    )


def member(box: Box, lines: Sequence[str], name: str, queried: bool, intermediate: bool) -> str:
    """Return a member; the entity that a group is built around is highlighted."""
    fill, ink, edge = (PAPER, INK, "#7b8ba0")
    if queried:
        fill, ink, edge = (
            ("#8a5a00", "#ffffff", "#8a5a00") if intermediate else ("#24466b", "#ffffff", "#24466b")
        )
    x, y = box.middle
    first = y - 8.0 * (len(lines) - 1) + 4.5
    return (
        f'<g class="member{" queried" if queried else ""}"><title>{xml(name)}</title>'
        f'<rect x="{box.x:.1f}" y="{box.y:.1f}" width="{box.width:.1f}" height="{box.height:.1f}" rx="9" '
        f'fill="{fill}" stroke="{edge}" stroke-width="1.3"/>'
        + "".join(
            written(line, x, first + 16 * number, NAME_SIZE, colour=ink, bold=queried)
            for number, line in enumerate(lines)
        )
        + "</g>"
    )


def stroke(line: Line) -> str:
    """Return a line with its arrow head; a counterfactual line has a cross in its middle."""
    colour = COLOURS[line.kind]
    start, *controls = line.curve
    letter = "Q" if len(controls) == 2 else "C"
    way = " ".join(f"{x:.1f} {y:.1f}" for x, y in controls)
    title = "; ".join(str(triple) for triple in line.triples)
    dashes = f' stroke-dasharray="{DASHES[line.kind]}"' if DASHES[line.kind] else ""
    parts = [
        f'<g stroke="{colour}" stroke-width="1.5" fill="none"><title>{xml(title)}</title>'
        f'<path class="line {line.kind}" d="M{start[0]:.1f} {start[1]:.1f} {letter}{way}"{dashes}/>',
        _arrow(line.curve[-2], line.curve[-1], colour),
    ]
    if line.crossed:
        parts.append(crossed(line.cross))
    return "".join([*parts, "</g>"])


def crossed(box: Box) -> str:
    """Return a cross."""
    x, y, far, low = box.x, box.y, box.x + box.width, box.y + box.height
    return (
        f'<path class="cross" d="M{x:.1f} {y:.1f}L{far:.1f} {low:.1f}M{far:.1f} {y:.1f}L{x:.1f} {low:.1f}" '
        'stroke-width="2.4"/>'
    )


def _arrow(before: Point, tip: Point, colour: str) -> str:
    dx, dy = tip[0] - before[0], tip[1] - before[1]
    length = (dx * dx + dy * dy) ** 0.5 or 1.0
    dx, dy = dx / length, dy / length
    corners = [tip] + [
        (tip[0] - 9 * dx + side * 3.6 * dy, tip[1] - 9 * dy - side * 3.6 * dx) for side in (1, -1)
    ]
    points = " ".join(f"{x:.1f},{y:.1f}" for x, y in corners)
    return f'<polygon class="arrow" points="{points}" fill="{colour}" stroke="none"/>'


def label(line: Line) -> str:
    """Return the relation of a line on a white background."""
    box = line.label
    x, y = box.middle
    return (
        f'<g class="relation"><rect x="{box.x:.1f}" y="{box.y:.1f}" width="{box.width:.1f}" '
        f'height="{box.height:.1f}" rx="3" fill="{PAPER}" fill-opacity="0.9"/>'
        + written(line.text, x, y + 4, LABEL_SIZE, colour=COLOURS[line.kind])
        + "</g>"
    )


def written(
    text: str,
    x: float,
    y: float,
    size: float,
    *,
    colour: str = INK,
    anchor: str = "middle",
    bold: bool = False,
    kind: str = "",
) -> str:
    """Return one line of text."""
    named = f' class="{kind}"' if kind else ""
    weight = ' font-weight="bold"' if bold else ""
    return (
        f'<text{named} x="{x:.1f}" y="{y:.1f}" font-size="{size:g}" fill="{colour}" '
        f'text-anchor="{anchor}"{weight}>{xml(text)}</text>'
    )


def xml(text: str) -> str:
    """Return a text escaped for XML."""
    return escape(text, quote=True)
