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
    """The edges at the entities of one group: the entity there, the relation, the entity at the other end."""

    near: Ints
    relation: Ints
    far: Ints

    def where(self, wanted: NDArray[np.bool_]) -> _Half:
        return _Half(self.near[wanted], self.relation[wanted], self.far[wanted])


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
    last = _by_middle(last.where(marks[last.far]))
    # Where each middle's edges begin in `last`, and how many they are; read only where written.
    middles, starts, counts = np.unique(last.far, return_index=True, return_counts=True)
    begins, many = np.empty((2, edges.entities), dtype=np.int64)
    begins[middles], many[middles] = starts, counts
    total = int(many[first.far].sum())
    if most is None or total <= most:
        return Paths(_joined(first, last, begins, many), total)
    kept = _least_connected(edges, first, many, most)
    marks[first.far] = False
    marks[kept] = True
    rows = _joined(first.where(marks[first.far]), last, begins, many)
    surplus = len(rows) - most  # of the last entity that was kept, only as many as there is room for
    out = np.flatnonzero(rows[:, 2] == kept[-1])[-surplus:] if surplus else np.empty(0, dtype=np.int64)
    return Paths(np.delete(rows, out, axis=0), total)


def _half(start: Longs, relation: Ints, far: Ints, entities: Ints) -> _Half:
    slices = [slice(start[entity], start[entity + 1]) for entity in entities]
    none = far[:0]
    return _Half(
        np.repeat(entities, [here.stop - here.start for here in slices]),
        np.concatenate([none, *(relation[here] for here in slices)]),
        np.concatenate([none, *(far[here] for here in slices)]),
    )


def _by_middle(last: _Half) -> _Half:
    """The second edges in the order (middle, relation, tail)."""
    order = np.lexsort((last.near, last.relation, last.far))
    return _Half(last.near[order], last.relation[order], last.far[order])


def _joined(first: _Half, last: _Half, begins: Longs, many: Longs) -> Ints:
    """Every first edge with every second edge that goes on from its end.

    The first edges come sorted by (head, relation, middle), the second ones by (relation, tail) within a
    middle, so the rows come out sorted.
    """
    repeats = many[first.far]
    before = np.repeat(np.cumsum(repeats) - repeats, repeats)
    at = np.repeat(begins[first.far], repeats) + np.arange(len(before)) - before
    rows = np.empty((len(at), 5), dtype=np.int32)
    for column, values in enumerate(first):
        rows[:, column] = np.repeat(values, repeats)
    rows[:, 3], rows[:, 4] = last.relation[at], last.near[at]
    return rows


def _least_connected(edges: Edges, first: _Half, many: Longs, most: int) -> Ints:
    """The least connected middles, as few as hold `most` paths."""
    middles, counts = np.unique(first.far, return_counts=True)
    order = np.lexsort((middles, edges.degree(middles)))
    paths = np.cumsum(counts[order] * many[middles[order]])
    kept: Ints = middles[order[: np.searchsorted(paths, most) + 1]]
    return kept
