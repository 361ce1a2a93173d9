"""Paths of two edges from one group of entities to another through a third entity.

The successors of one group and the predecessors of the other are marked in an array with a byte for each
entity, so the tens of thousands of edges of a hub are compared in a few passes over arrays.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from probative.graph.edges import Edges, Ints, Longs, distinct


class Paths(NamedTuple):
    """Paths of two edges: rows (head, relation, middle, relation, tail), and the number of all paths."""

    rows: Ints
    total: int


class _Half(NamedTuple):
    """The edges at a group: the position in the group (`near`), the relation, and the other entity (`far`).

    Both ends have numpy's index type, because they are used as indexes several times.
    """

    near: NDArray[np.intp]
    relation: Ints
    far: NDArray[np.intp]

    def where(self, mask: NDArray[np.bool_]) -> _Half:
        positions = mask.nonzero()[0]
        return _Half(self.near[positions], self.relation[positions], self.far[positions])


class _Onward(NamedTuple):
    """The second edges by the middle entity: those of `middles[m]` are `counts[m]` edges from `starts[m]` on,
    sorted by (relation, tail).
    """

    middles: NDArray[np.intp]
    relation: NDArray[np.int64]
    tail: NDArray[np.int64]
    starts: NDArray[np.int64]
    counts: NDArray[np.int64]


def paths_between(
    edges: Edges,
    group: Sequence[int],
    other: Sequence[int],
    limit: int | None = None,
    *,
    through_members: bool = False,
) -> Paths:
    """Return the paths of two edges from `group` to `other` through an entity of neither, sorted; with
    `through_members`, through any entity.

    With `limit`, paths through the least connected entities are kept: an entity that is connected to the two
    groups and to little else says more about them than a hub does.
    """
    heads, tails = distinct(group), distinct(other)
    first = _half(edges.out_start, edges.out_relation, edges.out_tail, heads)
    last = _half(edges.in_start, edges.in_relation, edges.in_head, tails)
    marks = np.zeros(edges.entities, dtype=np.bool_)
    marks[last.far] = True
    if not through_members:
        marks[heads] = False
        marks[tails] = False
    first = first.where(marks[first.far])
    if not len(first.far):
        return Paths(np.empty((0, 5), dtype=np.int32), 0)
    marks[last.far] = False  # only these: most of a million marks were never set
    marks[first.far] = True
    last = last.where(marks[last.far])
    # The position of an entity in `middles`; only the positions that were written are read.
    position = np.empty(edges.entities, dtype=np.int32)
    onward = _onward(last, position, edges.relations, len(tails))
    middle = position[first.far]
    total = int(onward.counts[middle].sum())
    if limit is None or total <= limit:
        return Paths(_joined(first, middle, onward, heads, tails), total)
    least = _least_connected(edges, onward, middle, limit)
    chosen = np.zeros(len(onward.middles), dtype=np.bool_)
    chosen[least] = True
    rows = _joined(first.where(chosen[middle]), middle[chosen[middle]], onward, heads, tails)
    surplus = len(rows) - limit  # only the last middle entity that was kept can exceed the limit
    of_last = (rows[:, 2] == onward.middles[least[-1]]).nonzero()[0]
    return Paths(np.delete(rows, of_last[len(of_last) - surplus :], axis=0), total)


def _half(start: Longs, relation: Ints, far: Ints, entities: Ints) -> _Half:
    spans = [slice(start[entity], start[entity + 1]) for entity in entities]
    empty = far[:0]
    return _Half(
        np.repeat(np.arange(len(entities)), [span.stop - span.start for span in spans]),
        np.concatenate([empty, *(relation[span] for span in spans)]),
        np.concatenate([empty, *(far[span] for span in spans)]).astype(np.intp),
    )


def _onward(last: _Half, position: Ints, relations: int, tails: int) -> _Onward:
    """Sort the second edges by (middle, relation, tail), each packed into one number, which sorts faster."""
    ends = np.sort(last.far)
    middles = ends[np.concatenate(([True], ends[1:] != ends[:-1]))]
    position[middles] = np.arange(len(middles), dtype=np.int32)
    keys = (position[last.far].astype(np.int64) * relations + last.relation) * tails + last.near
    keys.sort()
    rest, tail = np.divmod(keys, tails)
    middle, relation = np.divmod(rest, relations)
    counts = np.bincount(middle, minlength=len(middles))
    return _Onward(middles, relation, tail, np.cumsum(counts) - counts, counts)


def _joined(first: _Half, middle: Ints, onward: _Onward, heads: Ints, tails: Ints) -> Ints:
    """Join every first edge with every second edge that starts at its end.

    The first edges are sorted by (head, relation, middle), and the second edges of one middle entity by
    (relation, tail), so the rows are sorted.
    """
    repeats = onward.counts[middle]
    which = np.repeat(np.arange(len(middle)), repeats)
    offset = onward.starts[middle] - (np.cumsum(repeats) - repeats)
    then = offset[which] + np.arange(len(which))
    rows = np.empty((len(which), 5), dtype=np.int32)
    rows[:, 0] = heads[first.near[which]]
    rows[:, 1] = first.relation[which]
    rows[:, 2] = first.far[which]
    rows[:, 3] = onward.relation[then]
    rows[:, 4] = tails[onward.tail[then]]
    return rows


def _least_connected(edges: Edges, onward: _Onward, middle: Ints, limit: int) -> NDArray[np.int64]:
    """Return the least connected middle entities that together have at least `limit` paths."""
    paths = np.bincount(middle, minlength=len(onward.middles)) * onward.counts
    order = np.lexsort((onward.middles, edges.degree(onward.middles)))
    least: NDArray[np.int64] = order[: np.searchsorted(np.cumsum(paths[order]), limit) + 1]
    return least
