"""The layout of a drawing: groups around a circle, each a row or a column of its members.

A group at the top or the bottom is a row, and a group at a side is a column, so every member faces the
middle, where the connections between groups run. Connections within a group run on its outer side.
"""

from __future__ import annotations

import math
import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from probative.give.result import EntityGroup

NAME_SIZE = 13
LABEL_SIZE = 11
# The width of a character in relation to its height, with a margin: the reader's font is unknown.
_NARROW, _WIDE = 0.56, 1.05
_NAME_WIDTH = 17
_NAME_LINES = 3
_PAD = 16
# The room between two groups for the labels of the connections.
_APART = 150

Side = Literal["left", "right", "top", "bottom"]


class Box(NamedTuple):
    """A rectangle: its upper left corner, width and height."""

    x: float
    y: float
    width: float
    height: float

    @property
    def middle(self) -> tuple[float, float]:
        """The centre."""
        return self.x + self.width / 2, self.y + self.height / 2

    def meets(self, other: Box, gap: float = 0.0) -> bool:
        """Return whether two rectangles overlap, or are nearer than `gap`.

        >>> Box(0, 0, 10, 10).meets(Box(12, 0, 5, 5)), Box(0, 0, 10, 10).meets(Box(12, 0, 5, 5), gap=3)
        (False, True)
        """
        return (
            self.x < other.x + other.width + gap
            and other.x < self.x + self.width + gap
            and self.y < other.y + other.height + gap
            and other.y < self.y + self.height + gap
        )

    def holds(self, x: float, y: float) -> bool:
        """Return whether a point lies inside."""
        return self.x <= x <= self.x + self.width and self.y <= y <= self.y + self.height

    def moved(self, dx: float, dy: float) -> Box:
        """Return the rectangle moved by (dx, dy)."""
        return Box(self.x + dx, self.y + dy, self.width, self.height)


NOWHERE = Box(0, 0, 0, 0)


@dataclass
class Spot:
    """A member of a group in the drawing; `position` is its place in the group."""

    name: str
    lines: list[str]
    cluster: int
    position: int
    box: Box = NOWHERE


@dataclass
class Cluster:
    """A group in the drawing. `framed` is False for an entity that belongs to no group and is drawn alone."""

    caption: str
    spots: list[Spot]
    intermediate: bool = False
    framed: bool = True
    side: Side = "left"
    box: Box = NOWHERE
    label: Box = NOWHERE
    # How far the connections within the group reach out on its outer side.
    gutter: float = 0.0
    # How much further out each of several connections between the same two members is drawn.
    between: float = 0.0
    reach: dict[tuple[int, int], float] = field(default_factory=dict)

    @property
    def across(self) -> bool:
        """Whether the group is a row rather than a column."""
        return self.side in ("top", "bottom")


def text_width(text: str, size: float) -> float:
    """Return the approximate width of a text.

    >>> text_width("moss", 10) < text_width("光合作用", 10)
    True
    """
    wide = sum(unicodedata.east_asian_width(letter) in "WF" for letter in text)
    return size * (_WIDE * wide + _NARROW * (len(text) - wide))


def wrapped(text: str, width: int, max_lines: int) -> list[str]:
    """Split a text into lines of about `width` narrow characters; a text that does not fit ends with an
    ellipsis.

    >>> wrapped("traumatic aortic injury", 17, 3), wrapped("abcdefghij", 4, 2)
    (['traumatic aortic', 'injury'], ['abcd', 'efg…'])
    """
    lines: list[str] = []
    for word in text.split():
        if lines and _columns(lines[-1]) + 1 + _columns(word) <= width:
            lines[-1] += " " + word
            continue
        while _columns(word) > width:
            cut = max(1, next(end for end in range(1, len(word) + 1) if _columns(word[: end + 1]) > width))
            lines.append(word[:cut])
            word = word[cut:]
        lines.append(word)
    if len(lines) > max_lines:
        lines = [*lines[: max_lines - 1], shortened(lines[max_lines - 1] + "…", width)]
    return lines or [""]


def shortened(text: str, width: int) -> str:
    """Cut a text to at most `width` narrow characters, with an ellipsis at the end.

    >>> shortened("location of", 8), shortened("part of", 8)
    ('locatio…', 'part of')
    """
    if _columns(text) <= width:
        return text
    text = text.rstrip("…")
    while _columns(text) > width - 1:
        text = text[:-1]
    return text.rstrip() + "…"


def _columns(text: str) -> int:
    return sum(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in text)


def make_clusters(groups: Sequence[EntityGroup], alone: Sequence[str]) -> list[Cluster]:
    """Return the groups, then the entities that belong to no group. An intermediate group is first, so it is
    drawn at the top, between the others.
    """
    ordered = sorted(groups, key=lambda group: not group.intermediate)
    clusters: list[Cluster] = []
    for group in ordered:
        kind = "intermediate group" if group.intermediate else "group"
        names = [member.name for member in group.members]
        caption = shortened(f"{kind}: {group.name}", 44)
        clusters.append(Cluster(caption, _spots(names, len(clusters)), group.intermediate))
    for name in alone:
        clusters.append(Cluster("", _spots([name], len(clusters)), framed=False))
    return clusters


def _spots(names: Sequence[str], cluster: int) -> list[Spot]:
    return [
        Spot(name, wrapped(name, _NAME_WIDTH, _NAME_LINES), cluster, position)
        for position, name in enumerate(names)
    ]


def angles(count: int) -> list[float]:
    """Return the angles of the groups around the middle, in radians, counter-clockwise on the screen.

    >>> [round(math.degrees(angle)) for angle in angles(2)], [round(math.degrees(a)) for a in angles(3)]
    ([180, 0], [-90, -210, -330])
    """
    first = -90.0 if count % 2 else 180.0
    return [math.radians(first - 360.0 * number / count) for number in range(count)]


def _side(angle: float) -> Side:
    across, down = math.cos(angle), math.sin(angle)
    if abs(across) >= abs(down) - 1e-9:  # the same side for all four corners
        return "left" if across < 0 else "right"
    return "top" if down < 0 else "bottom"


def place_clusters(
    clusters: Sequence[Cluster], inner: Sequence[tuple[int, int, int, float]], scale: float
) -> None:
    """Set the boxes of all groups and members. `inner` are the connections within groups: the group, the
    positions of the two members, and the width of the label. A larger scale leaves more room for labels.
    """
    for cluster, angle in zip(clusters, angles(len(clusters)), strict=True):
        cluster.side = _side(angle)
        _arrange(cluster, [(a, b, width) for at, a, b, width in inner if clusters[at] is cluster], scale)
    if len(clusters) < 2:
        return
    sizes = [cluster.box for cluster in clusters]
    radius = 150.0
    while True:
        moved = [
            box.moved(
                1.35 * radius * math.cos(angle) - box.width / 2, radius * math.sin(angle) - box.height / 2
            )
            for box, angle in zip(sizes, angles(len(sizes)), strict=True)
        ]
        if not any(moved[a].meets(moved[b], _APART * scale) for a in range(len(moved)) for b in range(a)):
            break
        radius *= 1.08
    for cluster, box in zip(clusters, moved, strict=True):
        dx, dy = box.x - cluster.box.x, box.y - cluster.box.y
        cluster.box = box
        cluster.label = cluster.label.moved(dx, dy)
        for spot in cluster.spots:
            spot.box = spot.box.moved(dx, dy)


def _arrange(cluster: Cluster, inner: Sequence[tuple[int, int, float]], scale: float) -> None:
    """Arrange the members in a row or a column, with a gutter on the outer side for inner connections."""
    across = cluster.across
    widths = [max(text_width(line, NAME_SIZE) for line in spot.lines) + 22 for spot in cluster.spots]
    width, gap = max(widths), 22.0 * scale
    cluster.reach = {}
    step = 44.0 * scale if across else 12.0 * scale
    widest = max((label for _, _, label in inner), default=0.0)
    for a, b, _ in inner:
        pair = (min(a, b), max(a, b))
        over = step * (pair[1] - pair[0] - 1)
        cluster.reach[pair] = (46.0 if across else max(widest, 44.0) + 34.0) + over
    pairs = Counter((min(a, b), max(a, b)) for a, b, _ in inner)
    cluster.between = 2 * (18.0 if across else widest + 4)
    far = max(
        (cluster.reach[pair] + cluster.between * (count - 1) for pair, count in pairs.items()), default=0.0
    )
    # A quadratic curve reaches half as far as its control point.
    cluster.gutter = far / 2 + (14 if across else widest / 2 + 10) if inner else 0.0
    at = 0.0
    for spot in cluster.spots:
        height = 16.0 * len(spot.lines) + 14
        spot.box = Box(at, 0, width, height) if across else Box(0, at, width, height)
        at += (width if across else height) + gap
    tallest = max(spot.box.height for spot in cluster.spots)
    length = at - gap
    caption = (text_width(cluster.caption, LABEL_SIZE) + 8, 18.0) if cluster.framed else (0.0, 0.0)
    pad = _PAD if cluster.framed else 0
    inside = (length, tallest + cluster.gutter) if across else (width + cluster.gutter, length)
    whole = (max(inside[0], caption[0]) + 2 * pad, inside[1] + 2 * pad + caption[1])
    # The caption is at the top, or at the bottom for a group at the bottom: away from the connections.
    top = 0.0 if cluster.side == "bottom" else caption[1]
    left = (whole[0] - inside[0]) / 2
    right_of = cluster.gutter if cluster.side == "left" else 0.0
    below = cluster.gutter if cluster.side == "top" else 0.0
    for spot in cluster.spots:
        sunk = (tallest - spot.box.height) / 2 if across else 0.0
        spot.box = spot.box.moved(left + right_of, pad + top + below + sunk)
    cluster.box = Box(0, 0, *whole)
    cluster.label = Box((whole[0] - caption[0]) / 2, whole[1] - caption[1] - 4 if not top else 4, *caption)
