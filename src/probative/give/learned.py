"""Veracity by what the graph teaches: the scorer that was trained on its own edges (not in the paper).

The candidates of section 3.4.3 whose relation the graph has are judged by `probative.graph.veracity`: yes or
no for a probability beyond the thresholds that held-out edges gave, otherwise maybe. No model is called.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from probative.engine.search import Search, encode
from probative.give.extrapolate import Extrapolated, sort_candidates
from probative.give.options import GiveOptions
from probative.give.run import Run
from probative.types import Triple

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from probative.graph.veracity.model import Judgement

STEP = "learned veracity"


class Judged(NamedTuple):
    """A candidate, its probability and the judgement; None and maybe for a relation the graph does not
    have.
    """

    triple: Triple
    probability: float | None
    judgement: Judgement

    @property
    def certainty(self) -> float:
        """How far the probability is from one half; 0 without one."""
        return 0.0 if self.probability is None else abs(self.probability - 0.5)


def extrapolate_by_graph(run: Run[GiveOptions], candidates: Sequence[Triple]) -> Search[Extrapolated]:
    """Judge the candidates by the veracity learned from the graph, the most probable first."""
    judged = yield from judge_by_graph(run, candidates)
    ordered = sorted(judged, key=lambda item: -item.certainty)
    triples = [item.triple for item in ordered]
    return sort_candidates(triples, [item.judgement for item in ordered])


def relate_by_graph(run: Run[GiveOptions], pairs: Sequence[tuple[str, str]]) -> Search[list[Triple]]:
    """Return for each pair the most probable relation of the graph, in the direction that is more probable,
    where it holds.
    """
    graph = run.graph
    triples = [
        Triple(head=head, relation=relation, tail=tail)
        for first, second in dict.fromkeys(pairs)
        for head, tail in ((first, second), (second, first))
        for relation in graph.relations
    ]
    judged = yield from judge_by_graph(run, triples)
    best: dict[frozenset[str], Judged] = {}
    for item in judged:
        pair = frozenset((item.triple.head, item.triple.tail))
        if pair not in best or (item.probability or 0.0) > (best[pair].probability or 0.0):
            best[pair] = item
    return [item.triple for item in best.values() if item.judgement == "yes"]


def judge_by_graph(run: Run[GiveOptions], triples: Sequence[Triple]) -> Search[list[Judged]]:
    """Return each triple with its probability and judgement."""
    if not triples:
        return []
    import numpy as np

    veracity = run.source.veracity
    for note in veracity.notes:
        if note not in run.notes:
            run.note(note)
    relations = {name: number for number, name in enumerate(run.graph.relations)}
    scored = [triple for triple in triples if triple.relation in relations]
    names = list(dict.fromkeys(name for triple in scored for name in (triple.head, triple.tail)))
    vectors, in_graph = yield from _vectors(run, names)
    at = {name: number for number, name in enumerate(names)}
    probabilities: dict[Triple, float] = {}
    if scored and veracity.members:
        heads = np.array([at[triple.head] for triple in scored])
        tails = np.array([at[triple.tail] for triple in scored])
        values = veracity.probabilities(
            vectors[heads],
            [relations[triple.relation] for triple in scored],
            vectors[tails],
            [in_graph[head] and in_graph[tail] for head, tail in zip(heads, tails, strict=True)],
        )
        probabilities = dict(zip(scored, values.tolist(), strict=True))
    return [
        Judged(triple, None, "maybe")
        if (value := probabilities.get(triple)) is None
        else Judged(
            triple,
            value,
            veracity.judge(value, known=in_graph[at[triple.head]] and in_graph[at[triple.tail]]),
        )
        for triple in triples
    ]


def _vectors(run: Run[GiveOptions], names: Sequence[str]) -> Search[tuple[NDArray[np.float32], list[bool]]]:
    """Return the vectors of names, from the index where the graph has them, and whether it does."""
    import numpy as np

    entities = [run.graph.find(name) for name in names]
    missing = [name for name, entity in zip(names, entities, strict=True) if entity is None]
    encoded = (yield from encode(missing, step=STEP)) if missing else []
    vectors = np.zeros((len(names), run.source.index.dimensions), dtype=np.float32)
    in_graph = [number for number, entity in enumerate(entities) if entity is not None]
    if in_graph:
        vectors[in_graph] = run.source.index.vectors([entities[number] or 0 for number in in_graph])
    others = [number for number, entity in enumerate(entities) if entity is None]
    if others:
        vectors[others] = np.asarray(encoded, dtype=np.float32)
    return vectors, [entity is not None for entity in entities]
