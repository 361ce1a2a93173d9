"""Communities of a graph (Louvain): groups of entities with many edges inside and few to other groups."""

from __future__ import annotations

import importlib
from collections import Counter
from dataclasses import dataclass
from typing import Any

from probative.baselines.graphs.lru_cache import LRUCache
from probative.baselines.graphs.options import GiveBaselineOptions
from probative.errors import InputError, MissingExtraError
from probative.graph.graph import Graph

Row = tuple[int, int, int]


@dataclass(frozen=True)
class Community:
    """Entities and the edges between them, both sorted by degree, highest first."""

    entities: tuple[int, ...]
    rows: tuple[Row, ...]


_CACHE = LRUCache[tuple[Community, ...]](4)


def communities(graph: Graph, options: GiveBaselineOptions) -> tuple[Community, ...]:
    """Return the communities that contain an edge, largest first; they are cached for the next question. A
    graph with too many edges or communities raises an InputError.
    """
    if graph.edge_count > options.max_edges:
        raise InputError(
            f"graphrag summarises the whole graph, but this one has {graph.edge_count:,} edges, more than "
            f"max_edges={options.max_edges:,}",
            hint="raise max_edges if you accept the cost, or use a smaller graph or another method: tog",
        )
    key = (graph.fingerprint, options.seed)
    parts = _CACHE.get(key)
    if parts is None:
        parts = tuple(_louvain(graph, options.seed))
        _CACHE.put(key, parts)
    if len(parts) > options.max_communities:
        raise InputError(
            f"graphrag makes two calls for each community, but this graph has {len(parts):,} communities, "
            f"more than max_communities={options.max_communities:,}",
            hint="raise max_communities if you accept the cost, or use a smaller graph or another "
            "method: tog",
        )
    return parts


def _louvain(graph: Graph, seed: int) -> list[Community]:
    """Compute the communities that contain an edge, largest first."""
    networkx = _networkx()
    rows: list[Row] = [
        (head, relation, tail)
        for entity in range(graph.entity_count)
        for head, relation, tail in graph.out_edges(entity).tolist()
    ]
    degree = Counter(end for head, _, tail in rows for end in (head, tail))
    weights = Counter((min(head, tail), max(head, tail)) for head, _, tail in rows if head != tail)
    net = networkx.Graph()
    net.add_nodes_from(range(graph.entity_count))
    net.add_weighted_edges_from((a, b, weight) for (a, b), weight in sorted(weights.items()))
    parts = networkx.community.louvain_communities(net, weight="weight", seed=seed)
    part_of = {entity: number for number, part in enumerate(parts) for entity in part}
    inside: list[list[Row]] = [[] for _ in parts]
    for row in rows:
        if part_of[row[0]] == part_of[row[2]]:
            inside[part_of[row[0]]].append(row)
    parts_with_edges = [
        Community(
            tuple(sorted(part, key=lambda entity: (-degree[entity], entity))),
            tuple(sorted(edges, key=lambda row: (-degree[row[0]] - degree[row[2]], row))),
        )
        for part, edges in zip(parts, inside, strict=True)
        if edges
    ]
    return sorted(parts_with_edges, key=lambda community: (-len(community.entities), community.entities))


def _networkx() -> Any:
    try:
        return importlib.import_module("networkx")
    except ImportError:
        raise MissingExtraError("graphrag", "finding communities in a graph") from None
