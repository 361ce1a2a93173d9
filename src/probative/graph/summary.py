"""A summary of a graph: its size, degrees, commonest relations and hubs; and the look-up of one entity."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from probative.graph.formats.sources import ImportReport
from probative.graph.vectors import VectorsMeta, stored_vectors
from probative.types import Triple, Value

if TYPE_CHECKING:
    from probative.graph.graph import Graph


class RelationShare(Value):
    """A relation, its number of edges, and their share of all edges."""

    name: str
    edges: int
    share: float


class Hub(Value):
    """An entity with many edges."""

    name: str
    edges: int


class GraphInfo(Value):
    """The summary of a graph."""

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


class Near(Value):
    """An entity near a name, with their cosine, or None if only words were compared."""

    name: str
    cosine: float | None = None


class EntityLookup(Value):
    """The entity with a name, the nearest entities, and some of its edges.

    `name` is None if the graph has no such entity.
    """

    query: str
    name: str | None
    out_count: int
    in_count: int
    edges: tuple[Triple, ...]
    near: tuple[Near, ...]
    notes: tuple[str, ...] = ()


def summary(graph: Graph, n: int = 10, *, cache: Path | None = None) -> GraphInfo:
    """Summarize a graph, with its `n` commonest relations and `n` largest hubs. `cache` is the folder with
    the vectors of graphs that have no folder of their own.

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
            RelationShare(
                name=graph.relations[number], edges=int(counts[number]), share=counts[number] / edges.count
            )
            for number in np.argsort(-counts, kind="stable")[:n].tolist()
        ),
        hubs=tuple(
            Hub(name=graph.entities[number], edges=int(degrees[number]))
            for number in np.argsort(-degrees, kind="stable")[:n].tolist()
        ),
        embedded=(
            *(stored_vectors(graph.folder, graph.fingerprint) if graph.folder else ()),
            *(stored_vectors(cache, graph.fingerprint, graph.fingerprint) if cache else ()),
        ),
        fingerprint=graph.fingerprint,
        report=graph.report,
    )


def look_up(graph: Graph, name: str, near: Sequence[Near], n: int, notes: Sequence[str] = ()) -> EntityLookup:
    """Look up an entity by its name, with at most `n` of its edges, outgoing edges first."""
    entity = graph.find(name)
    none = np.empty((0, 3), dtype=np.int32)
    out = none if entity is None else graph.out_edges(entity)
    into = none if entity is None else graph.in_edges(entity)
    rows = [*out[:n], *into[: max(0, n - len(out))]]
    return EntityLookup(
        query=name,
        name=None if entity is None else graph.entities[entity],
        out_count=len(out),
        in_count=len(into),
        edges=tuple(graph.triple(row) for row in rows),
        near=tuple(near),
        notes=tuple(notes),
    )
