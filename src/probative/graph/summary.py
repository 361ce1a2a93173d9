"""What a graph looks like: its size, how its edges are spread, its commonest relations, its hubs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from probative.graph.report import ImportReport
from probative.graph.vectors import VectorsMeta, stored_vectors
from probative.types import Triple, Value

if TYPE_CHECKING:
    from probative.graph.graph import Graph


class RelationShare(Value):
    """A relation, how many edges have it, and what share of all that is."""

    name: str
    edges: int
    share: float


class Hub(Value):
    """An entity in many edges."""

    name: str
    edges: int


class GraphInfo(Value):
    """A graph at a glance."""

    entities: int
    relations: int
    edges: int
    self_loops: int
    median_degree: float
    mean_degree: float
    largest_degree: int
    top_relations: tuple[RelationShare, ...]
    hubs: tuple[Hub, ...]
    embedded: tuple[VectorsMeta, ...]
    fingerprint: str
    report: ImportReport | None

    def _repr_html_(self) -> str:
        """Return the summary as a notebook shows it."""
        from probative.graph.html import info_html

        return info_html(self)


class Near(Value):
    """An entity near a name: how alike they are (a cosine), or None where only words were compared."""

    name: str
    cosine: float | None = None


class EntityLookup(Value):
    """What a graph has under a name: the entity itself, the nearest ones, and some of its edges."""

    asked: str
    name: str | None
    out_count: int
    in_count: int
    edges: tuple[Triple, ...]
    near: tuple[Near, ...]

    def _repr_html_(self) -> str:
        """Return the look-up as a notebook shows it."""
        from probative.graph.html import lookup_html

        return lookup_html(self)


def summary(graph: Graph, most: int = 10, *, cache: Path | None = None) -> GraphInfo:
    """A graph at a glance, with its `most` commonest relations and largest hubs. `cache` is where the vectors
    of graphs lie that have no folder of their own.

    >>> from probative.graph.graph import Graph
    >>> graph = Graph.from_triples([("ferry", "calls at", "quay"), ("crane", "stands on", "quay")])
    >>> info = summary(graph)
    >>> info.hubs[0].name, info.largest_degree, info.top_relations[0].share
    ('quay', 2, 0.5)
    """
    edges = graph.edges
    degrees = edges.degree(np.arange(graph.entity_count))
    counts = np.bincount(edges.out_relation, minlength=graph.relation_count)
    return GraphInfo(
        entities=graph.entity_count,
        relations=graph.relation_count,
        edges=graph.edge_count,
        self_loops=edges.self_loops,
        median_degree=float(np.median(degrees)),
        mean_degree=round(float(degrees.mean()), 2),
        largest_degree=int(degrees.max()),
        top_relations=tuple(
            RelationShare(name=graph.relations[at], edges=int(counts[at]), share=counts[at] / edges.count)
            for at in np.argsort(-counts, kind="stable")[:most].tolist()
        ),
        hubs=tuple(
            Hub(name=graph.entities[at], edges=int(degrees[at]))
            for at in np.argsort(-degrees, kind="stable")[:most].tolist()
        ),
        embedded=(
            *(stored_vectors(graph.folder) if graph.folder else ()),
            *(stored_vectors(cache, graph.fingerprint) if cache else ()),
        ),
        fingerprint=graph.fingerprint,
        report=graph.report,
    )


def look_up(graph: Graph, name: str, near: list[Near], n: int) -> EntityLookup:
    """What a graph has under a name, with at most `n` edges: those out of it first."""
    entity = graph.find(name)
    none = np.empty((0, 3), dtype=np.int32)
    out = none if entity is None else graph.out_edges(entity)
    into = none if entity is None else graph.in_edges(entity)
    rows = [*out[:n], *into[: max(0, n - len(out))]]
    return EntityLookup(
        asked=name,
        name=None if entity is None else graph.entities[entity],
        out_count=len(out),
        in_count=len(into),
        edges=tuple(graph.triple(row) for row in rows),
        near=tuple(near),
    )
