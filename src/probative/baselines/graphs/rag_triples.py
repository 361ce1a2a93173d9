"""Retrieval over triples: those whose text is nearest to the question, and the answer from them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from probative.baselines.graphs.lru_cache import LRUCache
from probative.baselines.graphs.methods import answer_from
from probative.baselines.graphs.options import GiveBaselineOptions
from probative.engine.search import Search, encode
from probative.engine.tools import Tools
from probative.give.examples import examples_for
from probative.give.query import Query
from probative.give.result import Example, GiveResult, Knowledge
from probative.graph.graph import Graph
from probative.graph.graph_with_index import GraphWithIndex
from probative.models.contract import Encoder
from probative.trace import step
from probative.types import Triple

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# Of an entity with more edges than this (on a large graph), the first are candidates.
MOST_OF_ENTITY = 200


class Encoded(NamedTuple):
    """Triples with distinct texts, and a vector for each."""

    triples: list[Triple]
    vectors: NDArray[np.float32]


# Vectors of some tens of thousands of triples take some tens of megabytes.
_KEPT = LRUCache[Encoded](2)


def by_rag_triples(
    query: Query,
    source: GraphWithIndex,
    tools: Tools,
    options: GiveBaselineOptions,
    examples: Sequence[Example] | None = None,
) -> Search[GiveResult]:
    """The answer from the triples (10 by default) with the highest cosine with the question, of equals the
    first in the graph.
    """
    notes: list[str] = []
    worked = examples_for(query, options.examples, examples)
    (question,) = yield from encode([" ".join([query.text, *query.choices])], step="retrieve")
    if source.graph.edge_count <= options.encode_up_to:
        candidates = encoded(source.graph, tools.encoder)
        notes.append(f"the nearest of all {len(candidates.triples):,} triples")
    else:
        triples = edges_near(source, question, options.near, notes)
        vectors = yield from encode([triple.sentence for triple in triples], step="retrieve")
        candidates = Encoded(triples, _rows(vectors))
    nearest = best(candidates, question, options.triples)
    found = yield from answer_from(nearest, query, worked, tools, options, notes, "text")
    return GiveResult(answer=found.answer, knowledge=Knowledge(expert=found.read), notes=notes)


def encoded(graph: Graph, encoder: Encoder) -> Encoded:
    """All triples of a graph with their vectors. They are kept, so that the next question on the same graph
    does not encode them again.
    """
    key = (graph.fingerprint, encoder.fingerprint)
    known = _KEPT.get(key)
    if known is None:
        triples = distinct(
            graph.triple(row) for entity in range(graph.entity_count) for row in graph.out_edges(entity)
        )
        with step("encode triples"):
            known = Encoded(triples, encoder.encode([triple.sentence for triple in triples]))
        _KEPT.put(key, known)
    return known


def edges_near(
    source: GraphWithIndex, question: NDArray[np.float32], near: int, notes: list[str]
) -> list[Triple]:
    """The edges of the entities nearest to the question, into them and out of them."""
    entities = [entity for entity, _ in source.index.nearest(question[None, :], near)[0]]
    found: list[Triple] = []
    crowded = 0
    for entity in entities:
        edges = [*source.graph.out_edges(entity), *source.graph.in_edges(entity)]
        crowded += len(edges) > MOST_OF_ENTITY
        found.extend(source.graph.triple(row) for row in edges[:MOST_OF_ENTITY])
    triples = distinct(found)
    notes.append(
        f"the nearest of {len(triples):,} triples of the {len(entities)} entities nearest to the question "
        f"(the graph has {source.graph.edge_count:,})"
    )
    if crowded:
        notes.append(f"entities with more than {MOST_OF_ENTITY} edges, of which the first count: {crowded}")
    return triples


def distinct(triples: Iterable[Triple]) -> list[Triple]:
    """Triples whose texts differ, in their order.

    >>> moss = Triple(head="moss", relation="grows", tail="slowly")
    >>> len(distinct([moss, moss]))
    1
    """
    first: dict[str, Triple] = {}
    for triple in triples:
        first.setdefault(triple.sentence, triple)
    return list(first.values())


def best(candidates: Encoded, question: NDArray[np.float32], most: int) -> list[Triple]:
    """The triples nearest to the question, the nearest first."""
    import numpy as np

    if not candidates.triples:
        return []
    cosines = candidates.vectors @ question
    order = np.argsort(-cosines, kind="stable")[:most]
    return [candidates.triples[place] for place in order]


def _rows(vectors: Sequence[NDArray[np.float32]]) -> NDArray[np.float32]:
    import numpy as np

    return np.asarray(vectors, dtype=np.float32)
