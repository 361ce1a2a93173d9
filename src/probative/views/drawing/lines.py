"""The connections of a drawing: which are drawn, their curves, and labels that do not cover each other."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from probative.types import Triple
from probative.views.drawing.connections import KINDS, Connection, Kind, plain
from probative.views.drawing.layout import LABEL_SIZE, NOWHERE, Box, Cluster, Spot, shortened, text_width

Point = tuple[float, float]

# With more lines a drawing cannot be read.
MAX_LINES = 60
_LABEL_LETTERS = 26
# The positions along a line for its label, the middle first.
_ALONG = [0.5 + sign * step * 0.035 for step in range(11) for sign in ((1, -1) if step else (1,))]
# The distance between parallel lines, in the middle.
_BETWEEN = 40.0
_CROSS = 7.0


@dataclass
class Line:
    """A connection in the drawing: from one member to another, with the triples that it shows and the ids
    that they have on the page.
    """

    kind: Kind
    start: Spot
    end: Spot
    triples: list[Triple]
    ids: list[str] = field(default_factory=list)
    deciding: bool = False
    curve: list[Point] = field(default_factory=list)
    label: Box = NOWHERE
    cross: Box = NOWHERE

    @property
    def crossed(self) -> bool:
        """Whether the line is crossed out."""
        return self.kind == "counterfactual"

    @property
    def text(self) -> str:
        """The relation; for several merged triples, the first relation and the number of the others."""
        more = f" +{len(self.triples) - 1}" if len(self.triples) > 1 else ""
        return shortened(self.triples[0].relation, _LABEL_LETTERS - len(more)) + more

    @property
    def inner(self) -> bool:
        """Whether the line connects two members of one group."""
        return self.start.cluster == self.end.cluster

    @property
    def width(self) -> float:
        """The width of the label."""
        return text_width(self.text, LABEL_SIZE) + 8


def connect(clusters: Sequence[Cluster], connections: Sequence[Connection]) -> tuple[list[Line], int]:
    """Return the lines to draw, and the number of triples that are left out. If there are too many lines,
    those of one kind from one member to another are merged; if there are still too many, those that decided
    are kept first, then expert lines, then equal numbers of the other kinds.
    """
    places: dict[str, list[Spot]] = {}
    for cluster in clusters:
        for spot in cluster.spots:
            places.setdefault(plain(spot.name), []).append(spot)
    lines: list[Line] = []
    for kind, triple, identity, deciding in connections:
        heads, tails = (places.get(plain(name), ()) for name in (triple.head, triple.tail))
        ends = _ends(heads, tails, within=kind in ("affirmative", "similar"))
        if ends is not None:
            lines.append(Line(kind, *ends, [triple], [identity] if identity else [], deciding))
    drawn = _first(_merged(lines) if len(lines) > MAX_LINES else lines)
    return drawn, len(connections) - sum(len(line.triples) for line in drawn)


def _ends(heads: Sequence[Spot], tails: Sequence[Spot], *, within: bool) -> tuple[Spot, Spot] | None:
    """Choose the two members between which a triple is drawn if its entities are in several groups. Two
    groups are preferred, and there the group's own entity, because expert and counterfactual knowledge is
    always between groups. With `within`, a connection of a group's own entity within its group is preferred.
    """
    pairs = [(head, tail) for head in heads for tail in tails]
    if not pairs:
        return None

    def rank(ends: tuple[Spot, Spot]) -> tuple[int, int]:
        head, tail = ends
        not_own = (head.position != 0) + (tail.position != 0)
        if head is tail:
            return 3, not_own
        if head.cluster != tail.cluster:
            return 1, not_own
        return 0 if within and not_own < 2 else 2, not_own

    return min(pairs, key=rank)


def _merged(lines: Sequence[Line]) -> list[Line]:
    """Merge the lines of one kind from one member to another."""
    merged: dict[tuple[Kind, int, int], Line] = {}
    for line in lines:
        key = (line.kind, id(line.start), id(line.end))
        if key in merged:
            merged[key].triples.extend(line.triples)
            merged[key].ids.extend(line.ids)
            merged[key].deciding |= line.deciding
        else:
            merged[key] = line
    return list(merged.values())


def _first(lines: Sequence[Line]) -> list[Line]:
    """Return the lines that are drawn, in their order."""
    turns = dict.fromkeys(KINDS, 0)
    ranked: list[tuple[bool, bool, bool, int, int]] = []
    for index, line in enumerate(lines):
        late = (not line.deciding, line.kind != "expert", line.kind == "uncertain")
        ranked.append((*late, turns[line.kind], index))
        turns[line.kind] += 1
    return [lines[index] for index in sorted(rank[-1] for rank in sorted(ranked)[:MAX_LINES])]


def route(lines: Sequence[Line], clusters: Sequence[Cluster], scale: float = 1.0) -> bool:
    """Set the curve and the label of every line; return whether no label covers anything."""
    slots = _slots(lines, clusters)
    bundles: dict[tuple[int, int], list[Line]] = {}
    for line in lines:
        low, high = sorted((id(line.start), id(line.end)))
        bundles.setdefault((low, high), []).append(line)
    for bundle in bundles.values():
        for number, line in enumerate(bundle):
            if line.start is line.end:
                line.curve = _loop(line.start.box, clusters[line.start.cluster], number)
            elif line.inner:
                line.curve = _outside(line, clusters[line.start.cluster], number)
            else:
                # Parallel lines bend apart, whichever way each of them leads.
                way = 1.0 if line.start is bundle[0].start else -1.0
                bend = way * (number - (len(bundle) - 1) / 2) * _BETWEEN * scale
                line.curve = _across(line, clusters, slots, bend)
    crosses = [_mark(line, lines[:number]) for number, line in enumerate(lines) if line.crossed]
    taken = [spot.box for cluster in clusters for spot in cluster.spots] + crosses
    taken += [cluster.label for cluster in clusters if cluster.framed]
    sampled = [(line, [point_at(line.curve, step / 14) for step in range(1, 14)]) for line in lines]
    tips = [line.curve[-1] for line in lines]
    clear = True
    # Short lines have the least choice, so they choose first.
    for line in sorted(lines, key=lambda line: math.dist(line.curve[0], line.curve[-1])):
        others = [point for other, points in sampled if other is not line for point in points]
        line.label, free = _label(line, taken, others, tips)
        clear = clear and free
        taken.append(line.label)
    return clear


def _mark(line: Line, before: Sequence[Line]) -> Box:
    """Set the box of the cross on a line: in its middle, or next to it if another cross is there."""
    others = [other.cross for other in before if other.crossed]
    boxes = [_square(point_at(line.curve, along)) for along in (0.5, 0.46, 0.54, 0.42, 0.58)]
    line.cross = next((box for box in boxes if not any(box.meets(other, 3) for other in others)), boxes[0])
    return line.cross


def _square(middle: Point) -> Box:
    return Box(middle[0] - _CROSS, middle[1] - _CROSS, 2 * _CROSS, 2 * _CROSS)


def _label(
    line: Line, taken: Sequence[Box], others: Sequence[Point], tips: Sequence[Point]
) -> tuple[Box, bool]:
    """Return the position along the line that covers the least, and whether it covers no box."""
    best: tuple[int, Box] | None = None
    for along in _ALONG:
        x, y = point_at(line.curve, along)
        box = Box(x - line.width / 2, y - 8, line.width, 16)
        blocked = sum(box.meets(other, 1.0) for other in taken)
        hidden = sum(box.meets(Box(x - 5, y - 5, 10, 10)) for x, y in tips)
        cost = 1000 * blocked + 8 * hidden
        if best is None or cost < best[0]:  # the points only add to the cost, and are many
            cost += sum(box.holds(*point) for point in others)
        if best is None or cost < best[0]:
            best = (cost, box)
        if cost == 0:
            break
    assert best is not None
    return best[1], best[0] < 1000


def point_at(curve: Sequence[Point], along: float) -> Point:
    """Return a point of a Bézier curve of any degree; `along` is between 0 and 1.

    >>> point_at([(0, 0), (5, 10), (10, 0)], 0.5)
    (5.0, 5.0)
    """
    points = list(curve)
    while len(points) > 1:
        points = [(a[0] + (b[0] - a[0]) * along, a[1] + (b[1] - a[1]) * along) for a, b in pairwise(points)]
    return points[0]


_OUT: dict[str, Point] = {"left": (-1, 0), "right": (1, 0), "top": (0, -1), "bottom": (0, 1)}


def _outside(line: Line, cluster: Cluster, number: int) -> list[Point]:
    """Return a curve between two members of a group, on its outer side."""
    out_x, out_y = _OUT[cluster.side]
    pair = (min(line.start.position, line.end.position), max(line.start.position, line.end.position))
    reach = cluster.reach.get(pair, 40.0) + number * cluster.between
    (x1, y1), (x2, y2) = (
        (
            spot.box.middle[0] + out_x * (spot.box.width / 2 + 2),
            spot.box.middle[1] + out_y * (spot.box.height / 2 + 2),
        )
        for spot in (line.start, line.end)
    )
    # Several connections of one member must not start at the same point.
    nudge = 5.0 * (pair[1] - pair[0] - 1) + 3.0 * number
    way = 1.0 if line.start.position < line.end.position else -1.0
    x1, x2 = x1 + abs(out_y) * way * nudge, x2 - abs(out_y) * way * nudge
    y1, y2 = y1 + abs(out_x) * way * nudge, y2 - abs(out_x) * way * nudge
    return [(x1, y1), ((x1 + x2) / 2 + out_x * reach, (y1 + y2) / 2 + out_y * reach), (x2, y2)]


def _loop(box: Box, cluster: Cluster, number: int) -> list[Point]:
    """Return a curve from a member to itself."""
    x, y = box.middle
    out_x, out_y = _OUT[cluster.side]
    far = 60.0 + 30.0 * number
    edge_x, edge_y = x + out_x * box.width / 2, y + out_y * box.height / 2
    side_x, side_y = abs(out_y) * 10, abs(out_x) * 8
    return [
        (edge_x - side_x, edge_y - side_y),
        (edge_x - 3 * side_x + out_x * far, edge_y - 3 * side_y + out_y * far),
        (edge_x + 3 * side_x + out_x * far, edge_y + 3 * side_y + out_y * far),
        (edge_x + side_x, edge_y + side_y),
    ]


def _slots(lines: Sequence[Line], clusters: Sequence[Cluster]) -> dict[tuple[int, int], float]:
    """Return where along the inner side of a member each connection to another group starts, from -1 to 1, in
    the order of the other ends, so that the connections do not cross near the member.
    """
    leaving: dict[int, list[tuple[float, int, int, Line]]] = {}
    for number, line in enumerate(lines):
        if line.inner:
            continue
        for spot, other in ((line.start, line.end), (line.end, line.start)):
            along = other.box.middle[0 if clusters[spot.cluster].across else 1]
            leaving.setdefault(id(spot), []).append((along, id(other) == id(line.start), number, line))
    slots: dict[tuple[int, int], float] = {}
    for member, ends in leaving.items():
        ends.sort(key=lambda end: end[:3])
        for index, (_, _, _, line) in enumerate(ends):
            slots[member, id(line)] = (2 * index + 1) / len(ends) - 1
    return slots


def _across(
    line: Line, clusters: Sequence[Cluster], slots: dict[tuple[int, int], float], bend: float
) -> list[Point]:
    """Return a curve between two groups that leaves each member towards the middle of the drawing."""
    (x1, y1), (x2, y2) = line.start.box.middle, line.end.box.middle
    length = math.dist((x1, y1), (x2, y2)) or 1.0
    aside = (-(y2 - y1) / length * bend * 1.33, (x2 - x1) / length * bend * 1.33)
    ends: list[tuple[Point, Point]] = []
    for spot, other in ((line.start, line.end), (line.end, line.start)):
        cluster, box = clusters[spot.cluster], spot.box
        x, y = box.middle
        if not cluster.framed:
            far = other.box.middle
            control = (x + (far[0] - x) * 0.4 + aside[0], y + (far[1] - y) * 0.4 + aside[1])
            ends.append((_border(box, control), control))
            continue
        out_x, out_y = _OUT[cluster.side]
        slot = slots[id(spot), id(line)]
        x += -out_x * (box.width / 2 + 3) + abs(out_y) * slot * (box.width / 2 - 14)
        y += -out_y * (box.height / 2 + 3) + abs(out_x) * slot * (box.height / 2 - 7)
        reach = 0.34 * length
        ends.append(((x, y), (x - out_x * reach + aside[0], y - out_y * reach + aside[1])))
    (start, first), (end, second) = ends
    return [start, first, second, end]


def _border(box: Box, towards: Point) -> Point:
    """Return the point where the line from the centre of a box to a point leaves it, with a small gap."""
    x, y = box.middle
    dx, dy = towards[0] - x, towards[1] - y
    if not dx and not dy:
        return x, y
    reach = min(
        (box.width / 2 + 3) / abs(dx) if dx else math.inf, (box.height / 2 + 3) / abs(dy) if dy else math.inf
    )
    return x + dx * reach, y + dy * reach
