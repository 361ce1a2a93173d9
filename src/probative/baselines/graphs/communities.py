"""Communities of a graph: groups of entities with many edges among them and few to others (Louvain)."""

from __future__ import annotations

import importlib
from collections import Counter
from dataclasses import dataclass
from typing import Any

from probative.baselines.graphs.lru_cache import LRUCache
from probative.errors import InputError, MissingExtraError
from probative.graph.graph import Graph

Row = tuple[int, int, int]


@dataclass(frozen=True)
class Community:
    """Entities and the edges among them, both by prominence: those with the most edges first."""

    entities: tuple[int, ...]
    rows: tuple[Row, ...]


_KEPT = LRUCache[tuple[Community, ...]](4)


def communities(graph: Graph, seed: int, most_edges: int, most: int) -> tuple[Community, ...]:
    """The communities that hold an edge, the largest first. They are kept for the next question. A graph with
    too many edges or communities is refused.
    """
    if graph.edge_count > most_edges:
        raise InputError(
            f"graphrag sums up the whole graph, and this one has {graph.edge_count:,} edges, more than "
            f"most_edges={most_edges:,}",
            hint="raise most_edges if the cost is right, use a smaller graph, or another method, such as tog",
        )
    key = (graph.fingerprint, seed)
    known = _KEPT.get(key)
    if known is None:
        known = tuple(_found(graph, seed))
        _KEPT.put(key, known)
    if len(known) > most:
        raise InputError(
            f"graphrag asks the model twice about each community, and this graph has {len(known):,} of them, "
            f"more than most_communities={most:,}",
            hint="raise most_communities if the cost is right, use a smaller graph, or another method, such "
            "as tog",
        )
    return known


def _found(graph: Graph, seed: int) -> list[Community]:
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
    found = [
        Community(
            tuple(sorted(part, key=lambda entity: (-degree[entity], entity))),
            tuple(sorted(some, key=lambda row: (-degree[row[0]] - degree[row[2]], row))),
        )
        for part, some in zip(parts, inside, strict=True)
        if some
    ]
    return sorted(found, key=lambda one: (-len(one.entities), one.entities))


def _networkx() -> Any:
    try:
        return importlib.import_module("networkx")
    except ImportError:
        raise MissingExtraError("graphrag", "finding communities in a graph") from None
