"""The graph of a data set, or a random part of its triples."""

from __future__ import annotations

import random
import threading
from functools import lru_cache
from pathlib import Path

from probative import Graph
from probative.bench.data.graph_qa import open_graph
from probative.errors import InputError

WHOLE = 100
# Cases may run in many threads: without it, each would read the graph for itself.
_READING = threading.Lock()


def graph_part(data: Path, name: str, percent: int = WHOLE, seed: int = 0) -> Graph:
    """Return a graph with `percent` of its triples, drawn with the seed; a larger part contains the smaller
    ones. Entities without a drawn triple are not in it.
    """
    if not 1 <= percent <= WHOLE:
        raise InputError(f"the part of a graph must be between 1 and 100 percent, got {percent}")
    with _READING:
        return _graph_part(data, name, percent, seed)


@lru_cache(maxsize=4)
def _graph_part(data: Path, name: str, percent: int, seed: int) -> Graph:
    whole = open_graph(data, name)
    if percent == WHOLE:
        return whole
    rows = [row for entity in range(whole.entity_count) for row in whole.out_edges(entity).tolist()]
    order = list(range(len(rows)))
    random.Random(f"{seed} {name}").shuffle(order)
    kept = sorted(order[: max(1, round(len(rows) * percent / WHOLE))])
    return Graph.from_triples(whole.triple(rows[index]) for index in kept)
