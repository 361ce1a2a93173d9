"""Intermediate node group discovery (section 3.4.2): the two-hop path between groups that helps most.

    (u, r, m, s, v) with (u, r, m) and (m, s, v) in the graph, u in N_i, v in N_j

By default m is in no group, which the paper does not ask for (`through_members`). The model chooses one of
the paths, and the group around its middle m joins the others.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import permutations
from typing import TYPE_CHECKING, NamedTuple

from probative.engine.search import Search, generate
from probative.give.candidates import known_members
from probative.give.knowledge import SHARE
from probative.give.numbered import numbered_list
from probative.give.options import GiveOptions
from probative.give.result import EntityGroup, Path
from probative.give.run import Run
from probative.models.types import Request
from probative.text.prompts import fenced, fill, read_prompt

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Row = tuple[int, int, int, int, int]
"""Head, relation, middle, relation, tail."""

# The most paths between two groups that are compared, unless all are wanted: between two hubs there can be
# millions.
MAX_PATHS_PER_PAIR = 2_000


class Middle(NamedTuple):
    """The chosen path and the entity in its middle."""

    path: Path
    entity: int


def find_middle(
    run: Run[GiveOptions], groups: Sequence[EntityGroup], question_vector: NDArray[np.float32]
) -> Search[Middle | None]:
    """Let the model choose among the paths whose middle is nearest to the question; None if there are no
    paths. If the reply names no path, the nearest is taken and a note says so.
    """
    rows = _paths(run, groups)
    if not rows:
        return None
    offered = _nearest(run, rows, question_vector)
    if len(rows) > len(offered):
        run.note(f"two-hop paths: {len(rows):,}, of which the model saw the {len(offered)} nearest")
    paths = [Path(first=run.graph.triple(row[:3]), second=run.graph.triple(row[2:])) for row in offered]
    chosen = 0
    if len(paths) > 1:
        prompt = fill(
            read_prompt("probative.give", "path"),
            question=fenced(run.query.with_choices),
            paths=numbered_list([fenced(str(path)) for path in paths]),
        )
        (reply,) = yield from generate([Request.user(prompt, max_tokens=16)], step="intermediate group")
        named = named_path(reply.text, len(paths))
        if named is None:
            run.note("the model named none of the two-hop paths, so the nearest was taken")
        chosen = named or 0
    return Middle(paths[chosen], offered[chosen][2])


def _paths(run: Run[GiveOptions], groups: Sequence[EntityGroup]) -> list[Row]:
    """Return the distinct two-hop paths of three entities between ordered pairs of groups; without
    `through_members`, those whose middle is in no group.
    """
    through = run.options.through_members
    members = set() if through else {entity for group in groups for entity in known_members(group)}
    paths: dict[Row, None] = {}
    not_compared = 0
    limit = None if run.options.paths is None else MAX_PATHS_PER_PAIR
    for group, other in permutations(groups, 2):
        ends = known_members(group), known_members(other)
        rows, total = run.graph.paths_between(*ends, limit, through_members=through)
        not_compared += total - len(rows)
        for head, first, middle, second, tail in rows.tolist():
            if middle not in members and len({head, middle, tail}) == 3:
                paths[head, first, middle, second, tail] = None
    if not_compared:
        run.note(
            f"two-hop paths beyond {MAX_PATHS_PER_PAIR:,} between two groups, not compared: {not_compared:,}"
        )
    return list(paths)


def _nearest(run: Run[GiveOptions], rows: Sequence[Row], question_vector: NDArray[np.float32]) -> list[Row]:
    """Return the paths whose middle is nearest to the question. The middles take turns, because one middle
    with many relations on both sides would fill the list.
    """
    middles = list(dict.fromkeys(row[2] for row in rows))
    cosines = run.source.index.vectors(middles) @ question_vector
    order = sorted(range(len(middles)), key=lambda index: (-cosines[index], index))
    rank = {middles[index]: position for position, index in enumerate(order)}
    turns: dict[int, int] = {}
    ranked = []
    for row in rows:
        turns[row[2]] = turns.get(row[2], -1) + 1
        ranked.append((turns[row[2]], rank[row[2]], row))
    nearest_first = [row for _, _, row in sorted(ranked)]
    if run.options.paths is not None:
        return nearest_first[: run.options.paths]
    return _fitting(run, nearest_first)


def _fitting(run: Run[GiveOptions], rows: Sequence[Row]) -> list[Row]:
    """Return the first paths, as many as the model's window holds."""
    model = run.tools.model
    if model.window is None:
        return list(rows)
    room = int(model.window * SHARE)
    fitting: list[Row] = []
    for number, row in enumerate(rows, 1):
        path = Path(first=run.graph.triple(row[:3]), second=run.graph.triple(row[2:]))
        room -= model.count_tokens(numbered_list([fenced(str(path))])) + len(str(number))
        if room < 0 and fitting:
            break
        fitting.append(row)
    return fitting


def named_path(text: str, count: int) -> int | None:
    """Return the index of the path that a reply names by its number from 1, or None.

    >>> named_path("2", 3), named_path("Number 3, because", 3), named_path("9", 3), named_path("the first", 3)
    (1, 2, None, None)
    """
    numbers = [int(number) for number in re.findall(r"\d+", text)]
    return numbers[0] - 1 if numbers and 1 <= numbers[0] <= count else None
