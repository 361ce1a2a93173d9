"""The shapes of a drawing as SVG: groups, members, lines with arrow heads, labels, text."""

from __future__ import annotations

from html import escape
from typing import NamedTuple

from probative.views.drawing.connections import Kind
from probative.views.drawing.layout import LABEL_SIZE, NAME_SIZE, Box, Cluster, Spot
from probative.views.drawing.lines import Line, Point

PAPER, INK, PALE = "#ffffff", "#1c2430", "#5a6676"


class LineStyle(NamedTuple):
    """How the lines of one kind are drawn, and what the legend calls them."""

    name: str
    colour: str
    width: float = 1.5
    dashes: str = ""


STYLES: dict[Kind, LineStyle] = {
    "expert": LineStyle("read in the graph", INK),
    "affirmative": LineStyle("extrapolated", "#1565a9", dashes=' stroke-dasharray="7 5"'),
    "similar": LineStyle("similar entities", "#6b3fa0", dashes=' stroke-dasharray="9 4 2 4"'),
    "counterfactual": LineStyle("counterfactual (judged false)", "#b3261e"),
    "uncertain": LineStyle("undecided", PALE, width=1.0),
}


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


def member(spot: Spot, cluster: Cluster) -> str:
    """Return a member; the entity that a group is built around is highlighted."""
    queried = cluster.framed and not spot.position
    fill, ink, edge = PAPER, INK, "#7b8ba0"
    if queried:
        fill = edge = "#8a5a00" if cluster.intermediate else "#24466b"
        ink = PAPER
    box = spot.box
    x, y = box.middle
    first = y - 8.0 * (len(spot.lines) - 1) + 4.5
    return (
        f'<g class="member{" queried" if queried else ""}"><title>{escape(spot.name)}</title>'
        f'<rect x="{box.x:.1f}" y="{box.y:.1f}" width="{box.width:.1f}" height="{box.height:.1f}" rx="9" '
        f'fill="{fill}" stroke="{edge}" stroke-width="1.3"/>'
        + "".join(
            written(line, x, first + 16 * number, NAME_SIZE, colour=ink, bold=queried)
            for number, line in enumerate(spot.lines)
        )
        + "</g>"
    )


def stroke(line: Line) -> str:
    """Return a line with its arrow head; a counterfactual line has a cross in its middle. One that can be
    chosen on the page has a wide invisible line, too.
    """
    style = STYLES[line.kind]
    start, *controls = line.curve
    letter = "Q" if len(controls) == 2 else "C"
    way = f"M{start[0]:.1f} {start[1]:.1f} {letter}" + " ".join(f"{x:.1f} {y:.1f}" for x, y in controls)
    title = "; ".join(str(triple) for triple in line.triples)
    width = 3.0 if line.deciding else style.width
    hit = f'<path d="{way}" stroke="transparent" stroke-width="14"/>' if line.ids else ""
    return (
        f'<g stroke="{style.colour}" stroke-width="{width:g}" fill="none"{_chosen_by(line)}>'
        f'<title>{escape(title)}</title>{hit}<path class="line {line.kind}" d="{way}"{style.dashes}/>'
        + (_arrow(line.curve[-2], line.curve[-1], style.colour) if line.kind != "similar" else "")
        + (crossed(line.cross) if line.crossed else "")
        + "</g>"
    )


def _chosen_by(line: Line) -> str:
    """Return the attributes by which the page finds a line: its ids and its kind."""
    return f' data-ids="{escape(" ".join(line.ids))}" data-kind="{line.kind}"' if line.ids else ""


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
        f'<g class="relation"{_chosen_by(line)}><rect x="{box.x:.1f}" y="{box.y:.1f}" '
        f'width="{box.width:.1f}" height="{box.height:.1f}" rx="3" fill="{PAPER}" fill-opacity="0.9"/>'
        + written(line.text, x, y + 4, LABEL_SIZE, colour=STYLES[line.kind].colour)
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
        f'text-anchor="{anchor}"{weight}>{escape(text)}</text>'
    )
