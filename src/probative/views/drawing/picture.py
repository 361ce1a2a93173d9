"""A picture of the entity groups and the connections between their members.

A solid line is expert knowledge, a dashed line is extrapolated, a crossed-out line is counterfactual. The SVG
needs no font, style sheet or script, and has its own background.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from html import escape

from probative.give.result import EntityGroup
from probative.text.words import clean
from probative.types import Triple
from probative.views.drawing.connections import Connection, Kind, plain
from probative.views.drawing.layout import Box, Cluster, make_clusters, place_clusters, text_width, wrapped
from probative.views.drawing.lines import MAX_LINES, Line, connect, point_at, route
from probative.views.drawing.shapes import PALE, PAPER, STYLES, crossed, frame, label, member, stroke, written

# The most entities outside all groups that are drawn; a baseline has no groups at all.
MAX_ALONE = 14
# How often the drawing is enlarged until no label covers another.
_ATTEMPTS = 7
_MARGIN = 28.0
_MIN_WIDTH = 640.0

_NOT_XML = re.compile("[\ufffe\uffff]")


def draw(
    groups: Sequence[EntityGroup],
    connections: Sequence[Connection],
    question: str,
    answer: str | None = None,
    *,
    rests_on: str = "",
    heading: bool = True,
) -> str:
    """Draw the groups and the connections of their members as a self-contained SVG. The question and the
    answer, with what it rests on, are written above them, unless `heading` is False.

    >>> from probative.give.result import Member
    >>> groups = [EntityGroup(members=(Member(name="moss"),)), EntityGroup(members=(Member(name="shade"),))]
    >>> triple = Triple(head="moss", relation="grows in", tail="shade")
    >>> picture = draw(groups, [Connection("expert", triple)], "Where does moss grow?", "in shade")
    >>> picture.startswith("<svg "), picture.count('class="line expert"')
    (True, 1)
    """
    groups = [_readable(group) for group in groups if group.members]
    connections = [
        connection._replace(triple=_readable_triple(connection.triple)) for connection in connections
    ]
    alone = _alone(groups, connections)
    clusters = make_clusters(groups, alone[:MAX_ALONE])
    lines, left_out = connect(clusters, connections)
    _place(clusters, lines)
    notes = [
        f"{count:,} more {things} are not drawn"
        for count, things in ((left_out, "connections"), (len(alone) - MAX_ALONE, "entities"))
        if count > 0
    ]
    title = (_safe(question), _answer(_safe(answer or ""), _safe(rests_on))) if heading else ()
    counts = Counter(connection.kind for connection in connections)
    return _composed(clusters, lines, title, _legend(clusters, counts, notes), _safe(question))


def _answer(answer: str, rests_on: str) -> str:
    basis = f" ({rests_on})" if rests_on else ""
    return f"Answer: {answer}{basis}" if answer else f"No answer{basis}"


def _place(clusters: Sequence[Cluster], lines: Sequence[Line]) -> None:
    """Set the places of all parts, farther and farther apart until no label covers another."""
    inner = [
        (line.start.cluster, line.start.position, line.end.position, line.width)
        for line in lines
        if line.inner and line.start is not line.end
    ]
    scale = 1.0 + len(lines) / MAX_LINES / 2
    for _ in range(_ATTEMPTS):
        place_clusters(clusters, inner, scale)
        if route(lines, clusters, scale):
            break
        scale *= 1.22


def _alone(groups: Sequence[EntityGroup], connections: Iterable[Connection]) -> list[str]:
    """Return the entities in no group, those of expert knowledge first."""
    grouped = {plain(member.name) for group in groups for member in group.members}
    named: dict[str, str] = {}
    for connection in connections:
        for name in (connection.triple.head, connection.triple.tail):
            if plain(name) not in grouped:
                named.setdefault(plain(name), name)
    return list(named.values())


def _safe(text: str) -> str:
    """Return a text on one line without the characters that XML forbids."""
    return _NOT_XML.sub("", clean(text.encode("utf-8", "replace").decode("utf-8")))


def _name(text: str) -> str:
    return _safe(text) or "(no name)"


def _readable(group: EntityGroup) -> EntityGroup:
    members = tuple(member.model_copy(update={"name": _name(member.name)}) for member in group.members)
    return group.model_copy(update={"members": members})


def _readable_triple(triple: Triple) -> Triple:
    return Triple(head=_name(triple.head), relation=_safe(triple.relation), tail=_name(triple.tail))


def _composed(
    clusters: Sequence[Cluster],
    lines: Sequence[Line],
    title: Sequence[str],
    legend: Sequence[tuple[str, str]],
    name: str,
) -> str:
    """Return the picture: the title and the answer, the groups with their lines, and the legend."""
    left, top, right, bottom = _bounds(clusters, lines)
    width = max(right - left + 2 * _MARGIN, _MIN_WIDTH)
    # The factor is for bold letters, which are wider.
    letters = int((width - 2 * _MARGIN) / (18 * 0.64))
    y = _MARGIN + 18.0
    above: list[str] = []
    for text, kind, size, pitch, most in zip(
        title, ("question", "answer"), (18, 15), (24, 21), (4, 3), strict=False
    ):
        for line in wrapped(text, int(letters * 18 / size), most):
            bold = kind == "question"
            above.append(written(line, _MARGIN, y, size, anchor="start", bold=bold, kind=kind))
            y += pitch
    head = y + 8
    below, deep = _rows(legend, width - 2 * _MARGIN)
    height = head + (bottom - top) + 30 + deep
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" '
        f'width="{width:.0f}" height="{height:.0f}" role="img" '
        'font-family="Helvetica, Arial, sans-serif">',
        f"<title>{escape(name)}</title>",
        f'<rect class="paper" width="100%" height="100%" fill="{PAPER}"/>',
        *above,
        f'<g transform="translate({width / 2 - (left + right) / 2:.1f} {head - top:.1f})">',
        *(frame(cluster) for cluster in clusters if cluster.framed),
        *(stroke(line) for line in lines),
        *(member(spot, cluster) for cluster in clusters for spot in cluster.spots),
        *(label(line) for line in lines),
        "</g>",
        f'<g class="legend" transform="translate({_MARGIN:.0f} {head + bottom - top + 30:.1f})">',
        *below,
        "</g>",
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _bounds(clusters: Sequence[Cluster], lines: Sequence[Line]) -> tuple[float, float, float, float]:
    boxes = [cluster.box for cluster in clusters] + [line.label for line in lines]
    boxes += [Box(*point_at(line.curve, step / 8), 0, 0) for line in lines for step in range(9)]
    if not boxes:
        return 0.0, 0.0, 0.0, 0.0
    return (
        min(box.x for box in boxes),
        min(box.y for box in boxes),
        max(box.x + box.width for box in boxes),
        max(box.y + box.height for box in boxes),
    )


def _legend(
    clusters: Sequence[Cluster], counts: Mapping[Kind, int], notes: Sequence[str]
) -> list[tuple[str, str]]:
    """Return a sample and a name for each kind of line and colour; notes have no sample."""
    entries: list[tuple[str, str]] = []
    for kind, style in STYLES.items():
        if kind in ("similar", "uncertain") and not counts[kind]:
            continue
        sample = f'<path d="M0 0L34 0" stroke="{style.colour}" stroke-width="{style.width:g}"{style.dashes}/>'
        if kind == "counterfactual":
            sample += f'<g stroke="{style.colour}">{crossed(Box(10, -7, 14, 14))}</g>'
        entries.append((sample, f"{style.name}: {counts[kind]:,}"))
    if any(cluster.framed for cluster in clusters):
        entries.append(
            ('<rect y="-8" width="34" height="16" rx="5" fill="#24466b"/>', "a group's own entity")
        )
    if any(cluster.intermediate for cluster in clusters):
        frame = 'fill="#fdf3e1" stroke="#d19a3a" stroke-dasharray="3 3"'
        entries.append((f'<rect y="-8" width="34" height="16" rx="5" {frame}/>', "intermediate group"))
    return [*entries, *(("", note) for note in notes)]


def _rows(entries: Sequence[tuple[str, str]], width: float) -> tuple[list[str], float]:
    """Return the entries of the legend in rows, and the height of them."""
    parts: list[str] = []
    x = y = 0.0
    for sample, name in entries:
        wide = (44 if sample else 0) + text_width(name, 12) + 26
        if x and x + wide > width:
            x, y = 0.0, y + 24
        text = written(
            name, 44 if sample else 0, 4, 12, colour=PALE, anchor="start", kind="" if sample else "note"
        )
        parts.append(f'<g transform="translate({x:.0f} {y:.0f})">{sample}{text}</g>')
        x += wide
    return parts, y + 12 + _MARGIN
