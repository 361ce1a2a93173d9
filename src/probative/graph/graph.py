"""A knowledge graph, small or huge: what is in it, and what leads from where to where."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from probative.errors import InputError
from probative.evidence import Triple

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from probative.graph.edges import Edges
    from probative.graph.names import Names
    from probative.graph.paths import Paths


class Graph:
    """A graph of triples: entities and relations by number, with names for people.

    >>> graph = Graph.from_triples([("ferry", "part of", "fleet"), ("fleet", "owned by", "Sund Line")])
    >>> graph.entity_count, graph.relation_count, graph.edge_count
    (3, 2, 2)
    >>> ferry, line = graph.find("Ferry"), graph.find("sund_line")
    >>> [str(graph.triple(row)) for row in graph.out_edges(ferry)]
    ['(ferry, part of, fleet)']
    >>> [[graph.entities[row[0]], graph.entities[row[2]], graph.entities[row[4]]]
    ...  for row in graph.paths_between([ferry], [line]).rows]
    [['ferry', 'fleet', 'Sund Line']]
    """

    def __init__(
        self, edges: Edges, entities: Names, relations: Names, *, folder: Path | None = None
    ) -> None:
        self._edges = edges
        self._entities = entities
        self._relations = relations
        self.folder = folder
        """Where it was opened from, if it is an imported one."""

    @classmethod
    def from_triples(cls, triples: Iterable[tuple[str, str, str] | Triple]) -> Graph:
        """The graph of these triples; entities are numbered in the order in which they come."""
        import numpy as np

        from probative.graph.edges import built
        from probative.graph.names import Names

        entities: dict[str, int] = {}
        relations: dict[str, int] = {}
        numbers: list[int] = []
        for triple in triples:
            head, relation, tail = _parts(triple)
            numbers.append(entities.setdefault(head, len(entities)))
            numbers.append(relations.setdefault(relation, len(relations)))
            numbers.append(entities.setdefault(tail, len(entities)))
        if not numbers:
            raise InputError("a graph without edges", mend="give at least one (head, relation, tail)")
        heads, kinds, tails = np.array(numbers, dtype=np.int32).reshape(-1, 3).T
        edges = built(heads, kinds, tails, entities=len(entities), relations=len(relations))
        return cls(edges, Names.of(entities), Names.of(relations))

    @classmethod
    def open(cls, path: str | Path, *, columns: Sequence[str] | None = None) -> Graph:
        """The graph in a file."""
        order = list(columns or ("head", "relation", "tail"))
        where = [order.index(part) for part in ("head", "relation", "tail")]
        try:
            lines = Path(path).read_text(encoding="utf-8-sig").split("\n")
        except OSError as error:
            raise InputError(f"{path} cannot be read: {error.strerror}") from None
        cells = [line.rstrip("\r").split("\t") for line in lines if line.strip()]
        return cls.from_triples((row[where[0]], row[where[1]], row[where[2]]) for row in cells)

    @property
    def entities(self) -> Sequence[str]:
        """The entities' names by number, each decoded when it is asked for."""
        return self._entities

    @property
    def relations(self) -> Sequence[str]:
        """The relations' names by number."""
        return self._relations

    @property
    def entity_count(self) -> int:
        """How many entities there are."""
        return len(self._entities)

    @property
    def relation_count(self) -> int:
        """How many kinds of relation there are."""
        return len(self._relations)

    @property
    def edge_count(self) -> int:
        """How many edges there are."""
        return self._edges.count

    @cached_property
    def fingerprint(self) -> str:
        """Names the content: the same triples in the same order have the same."""
        digest = hashlib.sha256()
        edges, names = self._edges, (self._entities, self._relations)
        for array in (edges.out_start, edges.out_relation, edges.out_tail):
            digest.update(array.data)
        for some in names:
            digest.update(some.starts.data)
            digest.update(some.text.data)
        return digest.hexdigest()[:32]

    def find(self, name: str) -> int | None:
        """The entity of this name, whatever its case, spaces and underscores."""
        return self._entities.find(name)

    def out_edges(self, entity: int) -> NDArray[np.int32]:
        """The edges whose head this is: rows (head, relation, tail), sorted."""
        return self._edges.out_of(*self._checked([entity]))

    def in_edges(self, entity: int) -> NDArray[np.int32]:
        """The edges whose tail this is: rows (head, relation, tail), sorted."""
        return self._edges.into(*self._checked([entity]))

    def edges_between(self, group: Sequence[int], other: Sequence[int]) -> NDArray[np.int32]:
        """The edges from an entity of `group` to one of `other`: rows (head, relation, tail), sorted."""
        return self._edges.between(self._checked(group), self._checked(other))

    def paths_between(self, group: Sequence[int], other: Sequence[int], most: int | None = None) -> Paths:
        """The paths of two edges from an entity of `group` to one of `other` through one of neither.

        Rows are (head, relation, between, relation, tail), sorted. With `most`, only so many are given, those
        through the least connected entities; `total` says how many there are.
        """
        from probative.graph.paths import paths_between

        if most is not None and most < 0:
            raise InputError(f"most is a number of paths, not {most}")
        return paths_between(self._edges, self._checked(group), self._checked(other), most)

    def triple(self, row: Sequence[int]) -> Triple:
        """An edge in names."""
        head, relation, tail = row
        return Triple(
            head=self._entities[head], relation=self._relations[relation], tail=self._entities[tail]
        )

    def _checked(self, entities: Sequence[int]) -> list[int]:
        numbers = [int(entity) for entity in entities]
        for number in numbers:
            if not 0 <= number < self.entity_count:
                raise InputError(
                    f"the graph has {self.entity_count:,} entities, and none has the number {number}",
                    mend="numbers come from find, search and the rows of edges",
                )
        return numbers


def _parts(triple: tuple[str, str, str] | Triple) -> tuple[str, str, str]:
    if isinstance(triple, Triple):
        return triple.head, triple.relation, triple.tail
    if not isinstance(triple, str) and len(triple) == 3 and all(isinstance(part, str) for part in triple):
        head, relation, tail = triple
        return head, relation, tail
    raise InputError(f"a triple is (head, relation, tail), three strings, not {triple!r}")
