"""Retrieval of triples: the answer from the triples whose text is nearest to the question."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from probative.baselines.graphs.answers import BaselineRun, answer_from
from probative.baselines.graphs.lru_cache import LRUCache
from probative.baselines.graphs.options import GiveBaselineOptions
from probative.engine.methods import Method
from probative.engine.search import Search, encode
from probative.give.result import GiveResult, Knowledge
from probative.graph.graph import Graph
from probative.models.encoder import Encoder
from probative.trace import step
from probative.types import Triple

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# The most edges of one entity that are candidates on a large graph.
MAX_EDGES_PER_ENTITY = 200


class EncodedTriples(NamedTuple):
    """Triples with distinct texts, and a vector for each."""

    triples: list[Triple]
    vectors: NDArray[np.float32]


# The vectors of 30,000 triples take about 46 MB.
_CACHE = LRUCache[EncodedTriples](2)


def by_rag_triples(run: BaselineRun) -> Search[GiveResult]:
    """Answer from the triples with the highest cosine with the question; among equals, the first in the graph
    is preferred.
    """
    query, options = run.query, run.options
    (question,) = yield from encode([" ".join([query.text, *query.choices])], step="retrieve")
    if run.graph.edge_count <= options.max_encoded_edges:
        candidates = encode_graph(run.graph, run.tools.encoder)
        run.note(f"the nearest of all {len(candidates.triples):,} triples")
    else:
        triples = edges_near(run, question)
        vectors = yield from encode([triple.sentence for triple in triples], step="retrieve")
        candidates = EncodedTriples(triples, _rows(vectors))
    nearest = nearest_triples(candidates, question, options.triples)
    staged = yield from answer_from(run, nearest, "text")
    return GiveResult(answer=staged.answer, knowledge=Knowledge(expert=staged.read), notes=run.notes)


def encode_graph(graph: Graph, encoder: Encoder) -> EncodedTriples:
    """Return all triples of a graph with their vectors, which are cached for the next question."""
    key = (graph.fingerprint, encoder.fingerprint)
    encoded = _CACHE.get(key)
    if encoded is None:
        triples = distinct(
            graph.triple(row) for entity in range(graph.entity_count) for row in graph.out_edges(entity)
        )
        with step("encode triples"):
            encoded = EncodedTriples(triples, encoder.encode([triple.sentence for triple in triples]))
        _CACHE.put(key, encoded)
    return encoded


def edges_near(run: BaselineRun, question: NDArray[np.float32]) -> list[Triple]:
    """Return the edges into and out of the entities nearest to the question."""
    graph = run.graph
    nearest = run.source.index.nearest(question[None, :], run.options.near)[0]
    edge_triples: list[Triple] = []
    crowded = 0
    for entity, _ in nearest:
        edges = [*graph.out_edges(entity), *graph.in_edges(entity)]
        crowded += len(edges) > MAX_EDGES_PER_ENTITY
        edge_triples.extend(graph.triple(row) for row in edges[:MAX_EDGES_PER_ENTITY])
    triples = distinct(edge_triples)
    run.note(
        f"the nearest of {len(triples):,} triples of the {len(nearest)} entities nearest to the question "
        f"(the graph has {graph.edge_count:,})"
    )
    if crowded:
        run.note(
            f"entities with more than {MAX_EDGES_PER_ENTITY} edges, of which only these were used: {crowded}"
        )
    return triples


def distinct(triples: Iterable[Triple]) -> list[Triple]:
    """Return the triples with distinct texts, in their order.

    >>> moss = Triple(head="moss", relation="grows", tail="slowly")
    >>> len(distinct([moss, moss]))
    1
    """
    first: dict[str, Triple] = {}
    for triple in triples:
        first.setdefault(triple.sentence, triple)
    return list(first.values())


def nearest_triples(candidates: EncodedTriples, question: NDArray[np.float32], n: int) -> list[Triple]:
    """Return the `n` triples nearest to the question, nearest first."""
    import numpy as np

    if not candidates.triples:
        return []
    cosines = candidates.vectors @ question
    order = np.argsort(-cosines, kind="stable")[:n]
    return [candidates.triples[index] for index in order]


def _rows(vectors: Sequence[NDArray[np.float32]]) -> NDArray[np.float32]:
    import numpy as np

    return np.asarray(vectors, dtype=np.float32)


RAG = Method(by_rag_triples, GiveBaselineOptions)
