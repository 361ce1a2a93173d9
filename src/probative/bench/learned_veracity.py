"""How well the veracity learned from a graph tells true triples from false ones, alone and with a model.

A tenth of the triples, or all triples of a tenth of the entities, is hidden; the scorer learns from the rest.
A false triple is a hidden one with its relation or tail replaced so that the whole graph does not contain
it; "same relation" takes the new tail from the same relation. The training never sees which triples are
hidden, so it may draw one of them as a false example. (With the hidden ones left out of these draws, as some
published evaluations do, UMLS with hidden triples reaches 0.97 for tails of the same relation.)
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from probative import Encoder, Graph, Triple
from probative.bench.data.graph_qa import open_graph
from probative.bench.metrics import auroc, auroc_interval
from probative.graph.edges import build_edges
from probative.graph.veracity.fit import fit_veracity
from probative.graph.veracity.model import Veracity
from probative.graph.veracity.negatives import Corruptor, Part

PARTS: tuple[Part, ...] = ("relation", "tail", "same relation")
HIDDEN = 0.1
SEED = 7
# ConceptNet between its most connected entities, 20,425 triples: all 78,000 names take long to encode.
CONCEPTNET_ENTITIES = 3_000
BINS = 5
Rows = NDArray[Any]
Score = Callable[[Sequence[Triple]], Sequence[float]]


class VeracityData(NamedTuple):
    """A graph, its edges as rows, and the vectors of its entities."""

    graph: Graph
    rows: Rows
    vectors: NDArray[np.float32]


def veracity_data(data: Path, name: str, encoder: Encoder) -> VeracityData:
    """Return a graph with the vectors of its entities."""
    graph = open_graph(data, name)
    if name == "conceptnet":
        rows = graph.edges.rows()
        degree = np.bincount(rows[:, [0, 2]].ravel(), minlength=graph.entity_count)
        kept = np.zeros(graph.entity_count, dtype=np.bool_)
        kept[np.argsort(-degree, kind="stable")[:CONCEPTNET_ENTITIES]] = True
        graph = Graph.from_triples(graph.triple(row) for row in rows[kept[rows[:, 0]] & kept[rows[:, 2]]])
    vectors = np.asarray(encoder.encode(list(graph.entities)), dtype=np.float32)
    return VeracityData(graph, graph.edges.rows().astype(np.int64), vectors)


def splits(data: VeracityData) -> Iterator[tuple[str, Rows, Rows]]:
    """Yield what is hidden, the rows to learn from, and the hidden rows."""
    random = np.random.default_rng(SEED)
    count, entities = len(data.rows), data.graph.entity_count
    order = random.permutation(count)
    n = int(count * HIDDEN)
    yield "triples", data.rows[order[n:]], data.rows[order[:n]]
    hidden = np.zeros(entities, dtype=np.bool_)
    hidden[random.permutation(entities)[: int(entities * HIDDEN)]] = True
    touched = hidden[data.rows[:, 0]] | hidden[data.rows[:, 2]]
    yield "entities", data.rows[~touched], data.rows[touched]


def learned_rows(name: str, data: VeracityData, score: Score | None, n: int) -> Iterator[list[str]]:
    """Yield the cells of one line for each kind of hidden and of false triples."""
    graph, vectors = data.graph, data.vectors
    everything = Corruptor(data.rows, graph.entity_count, graph.relation_count)
    for hidden, seen, held_out in splits(data):
        started = time.perf_counter()
        edges = build_edges(
            *seen.T.astype(np.int32), entities=graph.entity_count, relations=graph.relation_count
        )
        veracity = fit_veracity(edges, vectors.__getitem__)
        seconds = time.perf_counter() - started
        known = hidden == "triples"
        random = np.random.default_rng(SEED)
        for part in PARTS:
            false, usable = everything.draw(held_out, part, random)
            rows = held_out[usable], false[usable]
            true_scores, false_scores = (_scores(veracity, vectors, part_rows) for part_rows in rows)
            low, high = auroc_interval(true_scores.tolist(), false_scores.tolist(), resamples=200)
            yield [
                name,
                f"10% of {hidden}",
                part,
                f"{len(true_scores):,}",
                f"{auroc(true_scores, false_scores):.3f} [{low:.3f}, {high:.3f}]",
                *_verdicts(veracity, true_scores, false_scores, known=known),
                *_combined(veracity, data, rows, score, n, random),
                f"{seconds:.0f}",
            ]


def _scores(veracity: Veracity, vectors: NDArray[np.float32], rows: Rows) -> NDArray[np.float64]:
    return np.asarray(veracity.scores(vectors[rows[:, 0]], rows[:, 1], vectors[rows[:, 2]]), dtype=np.float64)


def _verdicts(
    veracity: Veracity, true: NDArray[np.float64], false: NDArray[np.float64], *, known: bool
) -> list[str]:
    """Return the share that is true of those that hold, false of those that fail, the share of maybe, and the
    expected calibration error.
    """
    calibration = veracity.known if known else veracity.unseen
    p = calibration.probabilities(np.concatenate((true, false)))
    labels = np.arange(len(p)) < len(true)
    holds, fails = p >= calibration.holds, p <= calibration.fails
    error = 0.0
    for number in range(BINS):
        inside = (p * BINS).astype(int).clip(0, BINS - 1) == number
        if inside.any():
            error += inside.mean() * abs(p[inside].mean() - labels[inside].mean())
    return [
        f"{labels[holds].mean():.0%}" if holds.any() else "none",
        f"{1 - labels[fails].mean():.0%}" if fails.any() else "none",
        f"{1 - holds.mean() - fails.mean():.0%}",
        f"{error:.2f}",
    ]


def _combined(
    veracity: Veracity,
    data: VeracityData,
    rows: tuple[Rows, Rows],
    score: Score | None,
    n: int,
    random: np.random.Generator,
) -> list[str]:
    """Return the AUROC of the model's score on n pairs, of the learned score on the same, and of both: their
    weights are fitted on one half and measured on the other.
    """
    if score is None:
        return ["", "", ""]
    chosen = random.permutation(len(rows[0]))[:n]
    parts = [part[chosen] for part in rows]
    learned = [_scores(veracity, data.vectors, part) for part in parts]
    model = [np.array(score([data.graph.triple(row) for row in part])) for part in parts]
    half = len(chosen) // 2
    best = max(
        np.linspace(0.0, 2.0, 21),
        key=lambda weight: auroc(
            learned[0][:half] + weight * model[0][:half], learned[1][:half] + weight * model[1][:half]
        ),
    )
    both = [(own + best * other)[half:] for own, other in zip(learned, model, strict=True)]
    return [
        f"{auroc(*model):.3f}",
        f"{auroc(learned[0][half:], learned[1][half:]):.3f}",
        f"{auroc(*both):.3f} (weight {best:.1f})",
    ]
