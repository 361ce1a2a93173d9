"""The edges of a graph as integer arrays, and what is asked of them.

Every edge stands twice, in the two orders that make the questions cheap:

- by head, then relation, then tail: the edges out of an entity are one slice;
- by tail, then head, then relation: the edges into an entity are one slice, and whether another entity is
  a head in it is a binary search, however many edges a hub has.

`out_start[e] : out_start[e + 1]` is the slice of entity `e`, and likewise for `in_start`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int32]
Longs = NDArray[np.int64]

# What a sort key of three numbers in one may be at most.
_LARGEST = 2**63


@dataclass(frozen=True)
class Edges:
    """All edges, each once."""

    out_start: Longs
    out_relation: Ints
    out_tail: Ints
    in_start: Longs
    in_head: Ints
    in_relation: Ints
    relations: int

    @property
    def entities(self) -> int:
        """How many entities there are."""
        return len(self.out_start) - 1

    @property
    def count(self) -> int:
        """How many edges there are."""
        return len(self.out_tail)

    @property
    def self_loops(self) -> int:
        """How many edges lead from an entity to itself."""
        heads = np.repeat(np.arange(self.entities, dtype=np.int32), np.diff(self.out_start))
        return int(np.count_nonzero(heads == self.out_tail))

    def rows(self) -> Ints:
        """Every edge, sorted."""
        heads = np.repeat(np.arange(self.entities, dtype=np.int32), np.diff(self.out_start))
        return np.column_stack((heads, self.out_relation, self.out_tail))

    def degree(self, entities: NDArray[np.integer]) -> Longs:
        """How many edges each of these entities is in; a self-loop counts twice."""
        out, into = self.out_start, self.in_start
        degrees: Longs = out[entities + 1] - out[entities] + into[entities + 1] - into[entities]
        return degrees

    def degree_of(self, entity: int) -> int:
        """How many edges this entity is in; a self-loop counts twice."""
        out, into = self.out_start, self.in_start
        return int(out[entity + 1] - out[entity] + into[entity + 1] - into[entity])

    def out_of(self, entity: int) -> Ints:
        """The edges whose head this is, sorted."""
        here = slice(self.out_start[entity], self.out_start[entity + 1])
        heads = np.full(here.stop - here.start, entity, dtype=np.int32)
        return np.column_stack((heads, self.out_relation[here], self.out_tail[here]))

    def into(self, entity: int) -> Ints:
        """The edges whose tail this is, sorted."""
        here = slice(self.in_start[entity], self.in_start[entity + 1])
        tails = np.full(here.stop - here.start, entity, dtype=np.int32)
        return np.column_stack((self.in_head[here], self.in_relation[here], tails))

    def between(self, group: Sequence[int], other: Sequence[int]) -> Ints:
        """The edges from one group to another, sorted."""
        heads = distinct(group)
        count = len(heads)
        # One search finds where each head's edges begin and where they end: before the next number.
        probes = np.concatenate((heads, heads + 1))
        found: list[Ints] = []
        for tail in distinct(other).tolist():
            start = self.in_start[tail]
            bounds = self.in_head[start : self.in_start[tail + 1]].searchsorted(probes)
            for at in (bounds[:count] < bounds[count:]).nonzero()[0]:
                relations = self.in_relation[start + bounds[at] : start + bounds[count + at]]
                rows = np.empty((len(relations), 3), dtype=np.int32)
                rows[:, 0], rows[:, 1], rows[:, 2] = heads[at], relations, tail
                found.append(rows)
        if not found:
            return np.empty((0, 3), dtype=np.int32)
        rows = np.concatenate(found)
        return rows[np.lexsort((rows[:, 2], rows[:, 1], rows[:, 0]))]


def distinct(entities: Sequence[int]) -> Ints:
    """A group of entities, each once, in order."""
    return np.array(sorted(set(entities)), dtype=np.int32)


def build_edges(heads: Ints, kinds: Ints, tails: Ints, *, entities: int, relations: int) -> Edges:
    """The edges of these heads, relations and tails, in any order; repeated ones are dropped.

    >>> one, two = np.array([1, 0, 1], dtype=np.int32), np.array([0, 1, 0], dtype=np.int32)
    >>> build_edges(one, np.zeros(3, dtype=np.int32), two, entities=2, relations=1).rows().tolist()
    [[0, 0, 1], [1, 0, 0]]
    """
    if entities * entities * relations < _LARGEST:
        # One number an edge sorts several times faster than three, and its sorting needs no index.
        keys = (heads.astype(np.int64) * relations + kinds) * entities + tails
        keys.sort()
        keys = keys[np.concatenate(([True], keys[1:] != keys[:-1]))]
        left, tails = np.divmod(keys, entities)
        heads, kinds = np.divmod(left, relations)
        keys = (tails * entities + heads) * relations + kinds
        keys.sort()
        left, in_relation = np.divmod(keys, relations)
        in_tail, in_head = np.divmod(left, entities)
    else:
        order = np.lexsort((tails, kinds, heads))
        rows = np.column_stack((heads[order], kinds[order], tails[order]))
        new = np.ones(len(rows), dtype=np.bool_)
        new[1:] = (rows[1:] != rows[:-1]).any(axis=1)
        heads, kinds, tails = rows[new].T
        order = np.lexsort((kinds, heads, tails))
        in_tail, in_head, in_relation = tails[order], heads[order], kinds[order]
    return Edges(
        out_start=_starts(heads, entities),
        out_relation=kinds.astype(np.int32),
        out_tail=tails.astype(np.int32),
        in_start=_starts(in_tail, entities),
        in_head=in_head.astype(np.int32),
        in_relation=in_relation.astype(np.int32),
        relations=relations,
    )


def _starts(sorted_entities: NDArray[np.integer], count: int) -> Longs:
    """Where each entity's slice begins, and where the last one ends."""
    starts = np.zeros(count + 1, dtype=np.int64)
    np.cumsum(np.bincount(sorted_entities, minlength=count), out=starts[1:])
    return starts
