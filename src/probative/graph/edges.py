"""The edges of a graph as integer arrays, and the queries on them.

Every edge is stored twice, in two orders:

- by head, then relation, then tail: the edges out of an entity are one slice;
- by tail, then head, then relation: the edges into an entity are one slice, and a binary search in it finds
  the edges from one head, however many edges a hub has.

The slice of entity `e` is `out_start[e] : out_start[e + 1]`, and likewise for `in_start`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int32]
Longs = NDArray[np.int64]

# The limit of a sort key that packs head, relation and tail into one int64.
_MAX_KEY = 2**63


@dataclass(frozen=True)
class Edges:
    """All distinct edges of a graph."""

    out_start: Longs
    out_relation: Ints
    out_tail: Ints
    in_start: Longs
    in_head: Ints
    in_relation: Ints
    relations: int

    @property
    def entities(self) -> int:
        """The number of entities."""
        return len(self.out_start) - 1

    @property
    def count(self) -> int:
        """The number of edges."""
        return len(self.out_tail)

    @property
    def self_loops(self) -> int:
        """The number of edges from an entity to itself."""
        return int(np.count_nonzero(self._heads() == self.out_tail))

    def rows(self) -> Ints:
        """Return every edge as a row (head, relation, tail), sorted."""
        return np.column_stack((self._heads(), self.out_relation, self.out_tail))

    def _heads(self) -> Ints:
        return np.repeat(np.arange(self.entities, dtype=np.int32), np.diff(self.out_start))

    def degree(self, entities: NDArray[np.integer]) -> Longs:
        """Return the number of edges at each entity; a self-loop counts twice."""
        out, into = self.out_start, self.in_start
        degrees: Longs = out[entities + 1] - out[entities] + into[entities + 1] - into[entities]
        return degrees

    def degree_of(self, entity: int) -> int:
        """Return the number of edges at one entity; a self-loop counts twice."""
        out, into = self.out_start, self.in_start
        return int(out[entity + 1] - out[entity] + into[entity + 1] - into[entity])

    def out_of(self, entity: int) -> Ints:
        """Return the edges whose head is `entity`, sorted."""
        span = slice(self.out_start[entity], self.out_start[entity + 1])
        heads = np.full(span.stop - span.start, entity, dtype=np.int32)
        return np.column_stack((heads, self.out_relation[span], self.out_tail[span]))

    def into(self, entity: int) -> Ints:
        """Return the edges whose tail is `entity`, sorted."""
        span = slice(self.in_start[entity], self.in_start[entity + 1])
        tails = np.full(span.stop - span.start, entity, dtype=np.int32)
        return np.column_stack((self.in_head[span], self.in_relation[span], tails))

    def between(self, group: Sequence[int], other: Sequence[int]) -> Ints:
        """Return the edges from an entity of `group` to an entity of `other`, sorted."""
        heads = distinct(group)
        count = len(heads)
        # One search finds both ends of each head's run: its start, and the start of the next number.
        probes = np.concatenate((heads, heads + 1))
        blocks: list[Ints] = []
        for tail in distinct(other).tolist():
            start = self.in_start[tail]
            bounds = self.in_head[start : self.in_start[tail + 1]].searchsorted(probes)
            for index in (bounds[:count] < bounds[count:]).nonzero()[0]:
                relations = self.in_relation[start + bounds[index] : start + bounds[count + index]]
                rows = np.empty((len(relations), 3), dtype=np.int32)
                rows[:, 0], rows[:, 1], rows[:, 2] = heads[index], relations, tail
                blocks.append(rows)
        if not blocks:
            return np.empty((0, 3), dtype=np.int32)
        rows = np.concatenate(blocks)
        return rows[np.lexsort((rows[:, 2], rows[:, 1], rows[:, 0]))]


def distinct(entities: Sequence[int]) -> Ints:
    """Return the distinct entities, sorted."""
    return np.array(sorted(set(entities)), dtype=np.int32)


def build_edges(heads: Ints, kinds: Ints, tails: Ints, *, entities: int, relations: int) -> Edges:
    """Build the edges from heads, relations (`kinds`) and tails in any order; duplicates are dropped.

    >>> heads, tails = np.array([1, 0, 1], dtype=np.int32), np.array([0, 1, 0], dtype=np.int32)
    >>> build_edges(heads, np.zeros(3, dtype=np.int32), tails, entities=2, relations=1).rows().tolist()
    [[0, 0, 1], [1, 0, 0]]
    """
    if entities * entities * relations < _MAX_KEY:
        # One packed number an edge sorts several times faster than three columns, and needs no index array.
        keys = (heads.astype(np.int64) * relations + kinds) * entities + tails
        keys.sort()
        keys = keys[np.concatenate(([True], keys[1:] != keys[:-1]))]
        rest, tails = np.divmod(keys, entities)
        heads, kinds = np.divmod(rest, relations)
        keys = (tails * entities + heads) * relations + kinds
        keys.sort()
        rest, in_relation = np.divmod(keys, relations)
        in_tail, in_head = np.divmod(rest, entities)
    else:
        order = np.lexsort((tails, kinds, heads))
        rows = np.column_stack((heads[order], kinds[order], tails[order]))
        is_new = np.ones(len(rows), dtype=np.bool_)
        is_new[1:] = (rows[1:] != rows[:-1]).any(axis=1)
        heads, kinds, tails = rows[is_new].T
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
    """Return where the slice of each entity begins, and at the end where the last slice ends."""
    starts = np.zeros(count + 1, dtype=np.int64)
    np.cumsum(np.bincount(sorted_entities, minlength=count), out=starts[1:])
    return starts
