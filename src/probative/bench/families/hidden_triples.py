"""True triples of a graph with false ones: as they are, and hidden from the veracity learned from the graph.

A tenth of the triples, or all triples of a tenth of the entities, is hidden; the scorer learns from the rest.
A false triple is a hidden one with its relation or tail replaced so that the whole graph does not contain
it; "same relation" takes the new tail from the same relation. The training never sees which triples are
hidden, so it may draw one of them as a false example.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from probative import Encoder, Graph, Triple
from probative.bench.data.graph_qa import open_graph
from probative.bench.metrics import auroc, auroc_interval, calibration_error, mean, reliability
from probative.bench.rows import Row
from probative.graph.edges import build_edges
from probative.graph.veracity.calibration import Calibration
from probative.graph.veracity.fit import fit_veracity
from probative.graph.veracity.negatives import Corruptor, Part

What = Literal["triples", "entities"]
HIDDEN: tuple[What, ...] = ("triples", "entities")
"""What a tenth is hidden of."""
REPLACED: tuple[Part, ...] = ("relation", "tail", "same relation")
SHARE = 0.1
# ConceptNet between its most connected entities, 20,425 triples: all 78,000 names take long to encode.
CONCEPTNET_ENTITIES = 3_000
RESAMPLES = 200
# The weights of the model's score that are tried.
WEIGHTS = tuple(number / 10 for number in range(21))
Rows = NDArray[Any]
Scores = tuple[Sequence[float], Sequence[float]]
"""The scores of true triples, and of the false ones in the same order."""


@dataclass(frozen=True)
class Split:
    """A graph, the rows to learn from, and for each replaced part the hidden rows with their false ones."""

    graph: Graph
    seen: Rows
    pairs: dict[Part, tuple[Rows, Rows]]

    def sampled(self, part: Part, n: int) -> list[tuple[Triple, Triple]]:
        """Return n hidden triples with their false ones; fewer if there are no more."""
        true, false = (map(self.graph.triple, rows[:n]) for rows in self.pairs[part])
        return list(zip(true, false, strict=True))


@lru_cache(maxsize=4)
def hidden_split(data: Path, name: str, what: What, seed: int) -> Split:
    """Return a split of a graph, the same for the same seed; the hidden rows are in random order."""
    graph = _between_connected(open_graph(data, name)) if name == "conceptnet" else open_graph(data, name)
    rows = graph.edges.rows().astype(np.int64)
    draws = np.random.default_rng(seed)
    if what == "triples":
        hidden = np.zeros(len(rows), dtype=np.bool_)
        hidden[draws.permutation(len(rows))[: int(len(rows) * SHARE)]] = True
    else:
        unseen = np.zeros(graph.entity_count, dtype=np.bool_)
        unseen[draws.permutation(graph.entity_count)[: int(graph.entity_count * SHARE)]] = True
        hidden = unseen[rows[:, 0]] | unseen[rows[:, 2]]
    held_out = draws.permutation(rows[hidden])
    everything = Corruptor(rows, graph.entity_count, graph.relation_count)
    pairs = {}
    for part in REPLACED:
        false, usable = everything.draw(held_out, part, draws)
        pairs[part] = (held_out[usable], false[usable])
    return Split(graph, rows[~hidden], pairs)


def _between_connected(graph: Graph) -> Graph:
    rows = graph.edges.rows()
    degree = np.bincount(rows[:, [0, 2]].ravel(), minlength=graph.entity_count)
    connected = np.argsort(-degree, kind="stable")[:CONCEPTNET_ENTITIES]
    return Graph.from_triples(map(graph.triple, rows[np.isin(rows[:, [0, 2]], connected).all(axis=1)]))


def learned_row(split: Split, what: What, encoder: Encoder, n: int) -> Row:
    """Return the figures of the veracity learned from the rows of a split that are not hidden.

    For each replaced part: AUROC over all hidden triples, what its verdicts are worth, and the scores of the
    first n true and false triples. "reliability" is over the triples of all parts.
    """
    graph = split.graph
    vectors = np.asarray(encoder.encode(list(graph.entities)), dtype=np.float32)
    edges = build_edges(
        *split.seen.T.astype(np.int32), entities=graph.entity_count, relations=graph.relation_count
    )
    veracity = fit_veracity(edges, vectors.__getitem__)
    calibration = veracity.known if what == "triples" else veracity.unseen

    def scores(rows: Rows) -> NDArray[np.float64]:
        values = veracity.scores(vectors[rows[:, 0]], rows[:, 1], vectors[rows[:, 2]])
        return np.asarray(values, dtype=np.float64)

    parts: dict[str, Row] = {}
    chances: list[float] = []
    labels: list[bool] = []
    for part, (true_rows, false_rows) in split.pairs.items():
        true, false = scores(true_rows), scores(false_rows)
        p = calibration.probabilities(np.concatenate((true, false)))
        is_true = np.arange(len(p)) < len(true)
        parts[part] = {
            "true": true[:n].tolist(),
            "false": false[:n].tolist(),
            **(_figures(true, false, p, is_true, calibration) if len(true) else {"n": 0}),
        }
        chances += p.tolist()
        labels += is_true.tolist()
    return {"parts": parts, "reliability": reliability(chances, labels)}


def _figures(
    true: NDArray[np.float64],
    false: NDArray[np.float64],
    p: NDArray[np.float64],
    is_true: NDArray[np.bool_],
    calibration: Calibration,
) -> Row:
    holds, fails = p >= calibration.holds, p <= calibration.fails
    low, high = auroc_interval(true.tolist(), false.tolist(), resamples=RESAMPLES)
    return {
        "n": len(true),
        "auroc": [auroc(true, false), low, high],
        "holds": [int(is_true[holds].sum()), int(holds.sum())],
        "fails": [int((~is_true[fails]).sum()), int(fails.sum())],
        "maybe": [int((~holds & ~fails).sum()), len(p)],
        "calibration_error": calibration_error(p.tolist(), is_true.tolist()),
    }


class Combined(NamedTuple):
    """The AUROC of the learned score alone and of both, and the weights of the model's score."""

    learned: float
    both: float
    weights: tuple[float, float]


def combined(learned: Scores, model: Scores) -> Combined:
    """Return the AUROC of the learned score plus a weight times the model's. The weight is fitted on one half
    of the pairs and measured on the other, and the reverse; the figures are means over both halves.

    >>> combined(([2, 0, 2, 0], [1, 1, 1, 1]), ([0, 9, 0, 9], [0, 0, 0, 0])).both
    1.0
    """
    half = len(learned[0]) // 2
    halves = (slice(0, half), slice(half, None))

    def with_weight(weight: float, part: slice) -> float:
        scores = zip(learned, model, strict=True)
        return auroc(*(np.array(graph[part]) + weight * np.array(asked[part]) for graph, asked in scores))

    weights = tuple(max(WEIGHTS, key=lambda weight: with_weight(weight, part)) for part in halves)
    both = [with_weight(weights[0], halves[1]), with_weight(weights[1], halves[0])]
    alone = [with_weight(0.0, part) for part in halves]
    return Combined(mean(alone), mean(both), (weights[0], weights[1]))


def sample(graph: Graph, part: str, n: int, seed: int) -> list[tuple[Triple, Triple]]:
    """Return n true triples, each with the same one whose relation or tail was replaced by another of the
    graph, so that it is no edge of it.
    """
    draw = random.Random(f"{seed} {part}")
    edges = [tuple(edge) for entity in range(graph.entity_count) for edge in graph.out_edges(entity).tolist()]
    in_graph = set(edges)
    pairs = []
    for head, relation, tail in draw.sample(edges, min(n, len(edges))):
        corrupted = next(
            edge
            for other in iter(lambda: draw.choice(edges), None)
            if (edge := (head, other[1], tail) if part == "relation" else (head, relation, other[2]))
            not in in_graph
        )
        pairs.append((graph.triple((head, relation, tail)), graph.triple(corrupted)))
    return pairs
