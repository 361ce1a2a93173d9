"""Intermediate node group discovery (section 3.4.2): the two-hop path between groups that helps most."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import permutations
from typing import TYPE_CHECKING, NamedTuple

from probative.engine.search import Search, generate
from probative.give.candidates import known
from probative.give.numbered import listed
from probative.give.options import GiveOptions
from probative.give.query import Query
from probative.give.result import EntityGroup, Path
from probative.graph.graph_with_index import GraphWithIndex
from probative.models.types import Request
from probative.text.prompts import fenced, fill, read_prompt

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# Of a pair of groups at most so many paths are compared; between two hubs there can be millions.
MOST_A_PAIR = 2_000


class Middle(NamedTuple):
    """The chosen path and the entity in its middle."""

    path: Path
    entity: int


def find_middle(
    query: Query,
    groups: Sequence[EntityGroup],
    source: GraphWithIndex,
    question_vector: NDArray[np.float32],
    options: GiveOptions,
    notes: list[str],
) -> Search[Middle | None]:
    """The path that the model chooses among those whose middle is nearest to the question; None if there is
    none. A reply that names no path takes the nearest, with a note.
    """
    rows = _paths(groups, source, notes)
    if not rows:
        return None
    shown = _nearest(rows, source, question_vector, options.paths)
    if len(rows) > len(shown):
        notes.append(f"two-hop paths: {len(rows):,}, of which the model saw the {len(shown)} nearest")
    paths = [Path(first=source.graph.triple(row[:3]), second=source.graph.triple(row[2:])) for row in shown]
    place = 0
    if len(paths) > 1:
        prompt = fill(
            read_prompt("probative.give", "path"),
            question=fenced(query.asked),
            paths=listed([fenced(str(path)) for path in paths]),
        )
        replies = yield from generate([Request.user(prompt, max_tokens=16)], step="intermediate group")
        chosen = named_path(replies[0].text, len(paths))
        if chosen is None and replies[0].finish_reason != "dry-run":
            notes.append("the model named none of the two-hop paths; the nearest was taken")
        place = chosen or 0
    return Middle(paths[place], shown[place][2])


def _paths(
    groups: Sequence[EntityGroup], source: GraphWithIndex, notes: list[str]
) -> list[tuple[int, int, int, int, int]]:
    """All two-hop paths between ordered pairs of groups, each once; none through an entity of any group."""
    inside = {entity for group in groups for entity in known(group)}
    found: dict[tuple[int, int, int, int, int], None] = {}
    uncounted = 0
    for group, other in permutations(groups, 2):
        rows, total = source.graph.paths_between(known(group), known(other), MOST_A_PAIR)
        uncounted += total - len(rows)
        for head, first, middle, second, tail in rows.tolist():
            if middle not in inside and head != tail:
                found[head, first, middle, second, tail] = None
    if uncounted:
        notes.append(f"two-hop paths beyond {MOST_A_PAIR:,} between two groups, not compared: {uncounted:,}")
    return list(found)


def _nearest(
    rows: Sequence[tuple[int, int, int, int, int]],
    source: GraphWithIndex,
    question_vector: NDArray[np.float32],
    most: int,
) -> list[tuple[int, int, int, int, int]]:
    """The paths whose middle is nearest to the question, in that order, the middles taking turns: else one
    middle with many relations on either side would fill the list.
    """
    middles = list(dict.fromkeys(row[2] for row in rows))
    cosines = source.index.vectors(middles) @ question_vector
    rank = {
        middles[place]: at
        for at, place in enumerate(sorted(range(len(middles)), key=lambda place: (-cosines[place], place)))
    }
    turn: dict[int, int] = {}
    ranked = []
    for row in rows:
        turn[row[2]] = turn.get(row[2], -1) + 1
        ranked.append((turn[row[2]], rank[row[2]], row))
    return [row for _, _, row in sorted(ranked)[:most]]


def named_path(text: str, count: int) -> int | None:
    """The place of the path that a reply names by its number from 1; None for another reply.

    >>> named_path("2", 3), named_path("Number 3, because", 3), named_path("9", 3), named_path("the first", 3)
    (1, 2, None, None)
    """
    numbers = [int(number) for number in re.findall(r"\d+", text)]
    return numbers[0] - 1 if numbers and 1 <= numbers[0] <= count else None
