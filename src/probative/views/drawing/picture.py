"""A picture of the entity groups and the connections between their members.

A solid line is expert knowledge, a dashed line is extrapolated, a crossed-out line is counterfactual. The SVG
needs no font, style sheet or script, and has its own background.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from probative.give.result import EntityGroup, Knowledge
from probative.text.cleaning import clean
from probative.types import Triple
from probative.views.drawing.layout import (
    Box,
    Cluster,
    make_clusters,
    place_clusters,
    text_width,
    wrapped,
)
from probative.views.drawing.lines import MAX_LINES, Kind, Line, connect, plain, point_at, route
from probative.views.drawing.shapes import (
    COLOURS,
    DASHES,
    PALE,
    PAPER,
    crossed,
    frame,
    label,
    member,
    stroke,
    written,
    xml,
)

# The most entities outside all groups that are drawn; a baseline has no groups at all.
MAX_ALONE = 14
# How often the drawing is enlarged until no label covers another.
_ATTEMPTS = 7
_MARGIN = 28.0
_MIN_WIDTH = 640.0

_NAMES: dict[Kind, str] = {
    "expert": "read in the graph",
    "affirmative": "extrapolated",
    "counterfactual": "counterfactual (judged false)",
}
_NOT_XML = re.compile("[\ufffe\uffff]")


def draw(
    groups: Sequence[EntityGroup],
    knowledge: Knowledge,
    question: str,
    answer: str | None = None,
    *,
    heading: bool = True,
) -> str:
    """Draw the groups and the knowledge that connects their members as a self-contained SVG; without
    `heading`, the question and the answer are not written above them.

    >>> from probative.give.result import Member
    >>> groups = [EntityGroup(members=(Member(name="moss"),)), EntityGroup(members=(Member(name="shade"),))]
    >>> triple = Triple(head="moss", relation="grows in", tail="shade")
    >>> picture = draw(groups, Knowledge(expert=(triple,)), "Where does moss grow?", "in shade")
    >>> picture.startswith("<svg "), picture.count('class="line expert"')
    (True, 1)
    """
    groups = [group for group in groups if group.members]
    alone, too_many = _alone(groups, knowledge)
    clusters = make_clusters([_readable(group) for group in groups], [_name(name) for name in alone])
    lines, left_out = connect(clusters, _readable_knowledge(knowledge))
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
    return _composed(clusters, lines, knowledge, (question, answer), left_out, too_many, heading)


def _alone(groups: Sequence[EntityGroup], knowledge: Knowledge) -> tuple[list[str], int]:
    """Return the entities in no group, those of expert knowledge first, and the number left out."""
    grouped = {plain(_name(member.name)) for group in groups for member in group.members}
    named: dict[str, str] = {}
    for triple in (*knowledge.expert, *knowledge.affirmative, *knowledge.counterfactual):
        for name in (triple.head, triple.tail):
            if plain(_name(name)) not in grouped:
                named.setdefault(plain(_name(name)), name)
    names = list(named.values())
    return names[:MAX_ALONE], max(0, len(names) - MAX_ALONE)


def _safe(text: str) -> str:
    """Return a text on one line without the characters that XML forbids."""
    return _NOT_XML.sub("", clean(text.encode("utf-8", "replace").decode("utf-8")))


def _name(text: str) -> str:
    return _safe(text) or "(no name)"


def _readable(group: EntityGroup) -> EntityGroup:
    members = tuple(member.model_copy(update={"name": _name(member.name)}) for member in group.members)
    return group.model_copy(update={"members": members})


def _readable_knowledge(knowledge: Knowledge) -> Knowledge:
    def safe(triples: Iterable[Triple]) -> tuple[Triple, ...]:
        return tuple(
            Triple(head=_name(triple.head), relation=_safe(triple.relation), tail=_name(triple.tail))
            for triple in triples
        )

    return Knowledge(
        affirmative=safe(knowledge.affirmative),
        counterfactual=safe(knowledge.counterfactual),
        expert=safe(knowledge.expert),
    )


def _composed(
    clusters: Sequence[Cluster],
    lines: Sequence[Line],
    knowledge: Knowledge,
    texts: tuple[str, str | None],
    left_out: int,
    too_many: int,
    heading: bool,
) -> str:
    left, top, right, bottom = _bounds(clusters, lines)
    width = max(right - left + 2 * _MARGIN, _MIN_WIDTH)
    # The factor is for bold letters, which are wider.
    letters = int((width - 2 * _MARGIN) / (18 * 0.64))
    question, answer = _safe(texts[0]), _safe(texts[1] or "")
    title, answer_lines = [], []
    if heading:
        title = wrapped(question, letters, 4)
        answer_lines = wrapped(f"Answer: {answer}" if answer else "No answer", int(letters * 18 / 15), 3)
    head = _MARGIN + 24.0 * len(title) + 21.0 * len(answer_lines) + 26
    notes = []
    if left_out:
        notes.append(f"{left_out:,} more connections are not drawn")
    if too_many:
        notes.append(f"{too_many:,} more entities are not drawn")
    legend, deep = _legend(clusters, knowledge, notes, width)
    height = head + (bottom - top) + 30 + deep
    moved = (width / 2 - (left + right) / 2, head - top)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" '
        f'width="{width:.0f}" height="{height:.0f}" role="img" '
        'font-family="Helvetica, Arial, sans-serif">',
        f"<title>{xml(question)}</title>",
        f'<rect class="paper" width="100%" height="100%" fill="{PAPER}"/>',
        *(
            written(line, _MARGIN, _MARGIN + 18 + 24 * number, 18, anchor="start", bold=True, kind="question")
            for number, line in enumerate(title)
        ),
        *(
            written(
                line, _MARGIN, _MARGIN + 18 + 24 * len(title) + 21 * number, 15, anchor="start", kind="answer"
            )
            for number, line in enumerate(answer_lines)
        ),
        f'<g transform="translate({moved[0]:.1f} {moved[1]:.1f})">',
        *(frame(cluster) for cluster in clusters if cluster.framed),
        *(stroke(line) for line in lines),
        *(
            member(
                spot.box, spot.lines, spot.name, cluster.framed and not spot.position, cluster.intermediate
            )
            for cluster in clusters
            for spot in cluster.spots
        ),
        *(label(line) for line in lines),
        "</g>",
        f'<g class="legend" transform="translate({_MARGIN:.0f} {head + bottom - top + 30:.1f})">',
        *legend,
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
    clusters: Sequence[Cluster], knowledge: Knowledge, notes: Sequence[str], width: float
) -> tuple[list[str], float]:
    """Return the legend of lines and colours, and its height."""
    entries: list[tuple[str, str]] = []
    for kind, name in _NAMES.items():
        sample = (
            f'<path d="M0 0L34 0" stroke="{COLOURS[kind]}" stroke-width="1.5"'
            + (f' stroke-dasharray="{DASHES[kind]}"' if DASHES[kind] else "")
            + "/>"
        )
        if kind == "counterfactual":
            sample += f'<g stroke="{COLOURS[kind]}">{crossed(Box(10, -7, 14, 14))}</g>'
        entries.append((sample, f"{name}: {len(getattr(knowledge, kind)):,}"))
    if any(cluster.framed for cluster in clusters):
        entries.append(
            ('<rect y="-8" width="34" height="16" rx="5" fill="#24466b"/>', "a group's own entity")
        )
    if any(cluster.intermediate for cluster in clusters):
        frame = 'fill="#fdf3e1" stroke="#d19a3a" stroke-dasharray="3 3"'
        sample = f'<rect y="-8" width="34" height="16" rx="5" {frame}/>'
        entries.append((sample, "intermediate group"))
    entries += [("", note) for note in notes]
    parts: list[str] = []
    x = y = 0.0
    for sample, name in entries:
        wide = (44 if sample else 0) + text_width(name, 12) + 26
        if x and x + wide > width - 2 * _MARGIN:
            x, y = 0.0, y + 24
        text = written(
            name, 44 if sample else 0, 4, 12, colour=PALE, anchor="start", kind="" if sample else "note"
        )
        parts.append(f'<g transform="translate({x:.0f} {y:.0f})">{sample}{text}</g>')
        x += wide
    return parts, y + 12 + _MARGIN
