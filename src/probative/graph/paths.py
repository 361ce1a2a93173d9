"""Two-hop paths: what leads from one group of entities to another through a third thing.

The entities after the one group and those before the other are marked in an array of one byte an entity,
so a hub's tens of thousands of edges are compared by a few passes over arrays, never one by one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from probative.graph.edges import Edges, Ints, Longs, distinct


class Paths(NamedTuple):
    """Paths of two edges: rows (head, relation, between, relation, tail), and how many there are in all."""

    rows: Ints
    total: int


class _Half(NamedTuple):
    """The edges at the entities of one group: which of the group, the relation, the entity at the other end.

    The ends are of the type that numpy indexes with: they are used as indexes again and again.
    """

    near: NDArray[np.intp]
    relation: Ints
    far: NDArray[np.intp]

    def where(self, wanted: NDArray[np.bool_]) -> _Half:
        at = wanted.nonzero()[0]
        return _Half(self.near[at], self.relation[at], self.far[at])


class _Onward(NamedTuple):
    """The second edges, by the entity they start from: from `starts[m]` on, `counts[m]` are those of the m-th
    entity between, in the order (relation, tail).
    """

    middles: NDArray[np.intp]
    relation: NDArray[np.int64]
    tail: NDArray[np.int64]
    starts: NDArray[np.int64]
    counts: NDArray[np.int64]


def paths_between(edges: Edges, group: Sequence[int], other: Sequence[int], most: int | None = None) -> Paths:
    """The paths of two edges from one group to another through an entity of neither, sorted.

    With `most`, those through the least connected entities are kept: what stands between two things
    and little else says more about them than a hub does.
    """
    heads, tails = distinct(group), distinct(other)
    first = _half(edges.out_start, edges.out_relation, edges.out_tail, heads)
    last = _half(edges.in_start, edges.in_relation, edges.in_head, tails)
    marks = np.zeros(edges.entities, dtype=np.bool_)
    marks[last.far] = True
    marks[heads] = False
    marks[tails] = False
    first = first.where(marks[first.far])
    if not len(first.far):
        return Paths(np.empty((0, 5), dtype=np.int32), 0)
    marks[last.far] = False  # only these: most of a million marks were never touched
    marks[first.far] = True
    last = last.where(marks[last.far])
    place = np.empty(edges.entities, dtype=np.int32)  # of an entity among those between; read where written
    onward = _onward(last, place, edges.relations, len(tails))
    at = place[first.far]
    total = int(onward.counts[at].sum())
    if most is None or total <= most:
        return Paths(_joined(first, at, onward, heads, tails), total)
    kept = _least_connected(edges, onward, at, most)
    chosen = np.zeros(len(onward.middles), dtype=np.bool_)
    chosen[kept] = True
    rows = _joined(first.where(chosen[at]), at[chosen[at]], onward, heads, tails)
    surplus = len(rows) - most  # of the last entity that was kept, only as many as there is room for
    over = (rows[:, 2] == onward.middles[kept[-1]]).nonzero()[0]
    return Paths(np.delete(rows, over[len(over) - surplus :], axis=0), total)


def _half(start: Longs, relation: Ints, far: Ints, entities: Ints) -> _Half:
    slices = [slice(start[entity], start[entity + 1]) for entity in entities]
    none = far[:0]
    return _Half(
        np.repeat(np.arange(len(entities)), [here.stop - here.start for here in slices]),
        np.concatenate([none, *(relation[here] for here in slices)]),
        np.concatenate([none, *(far[here] for here in slices)]).astype(np.intp),
    )


def _onward(last: _Half, place: Ints, relations: int, tails: int) -> _Onward:
    """The second edges sorted by (entity between, relation, tail): as one number each, to be sorted fast."""
    ends = np.sort(last.far)
    middles = ends[np.concatenate(([True], ends[1:] != ends[:-1]))]
    place[middles] = np.arange(len(middles), dtype=np.int32)
    keys = (place[last.far].astype(np.int64) * relations + last.relation) * tails + last.near
    keys.sort()
    left, tail = np.divmod(keys, tails)
    middle, relation = np.divmod(left, relations)
    counts = np.bincount(middle, minlength=len(middles))
    return _Onward(middles, relation, tail, np.cumsum(counts) - counts, counts)


def _joined(first: _Half, at: Ints, onward: _Onward, heads: Ints, tails: Ints) -> Ints:
    """Every first edge with every second edge that goes on from its end.

    The first edges come sorted by (head, relation, between), the second ones by (relation, tail) within one
    between, so the rows come out sorted.
    """
    repeats = onward.counts[at]
    which = np.repeat(np.arange(len(at)), repeats)
    offset = onward.starts[at] - (np.cumsum(repeats) - repeats)
    then = offset[which] + np.arange(len(which))
    rows = np.empty((len(which), 5), dtype=np.int32)
    rows[:, 0] = heads[first.near[which]]
    rows[:, 1] = first.relation[which]
    rows[:, 2] = first.far[which]
    rows[:, 3] = onward.relation[then]
    rows[:, 4] = tails[onward.tail[then]]
    return rows


def _least_connected(edges: Edges, onward: _Onward, at: Ints, most: int) -> NDArray[np.int64]:
    """The least connected entities between, as few as hold `most` paths."""
    paths = np.bincount(at, minlength=len(onward.middles)) * onward.counts
    order = np.lexsort((onward.middles, edges.degree(onward.middles)))
    kept: NDArray[np.int64] = order[: np.searchsorted(np.cumsum(paths[order]), most) + 1]
    return kept
