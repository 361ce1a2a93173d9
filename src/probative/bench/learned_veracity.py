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
from probative.bench.metrics import auroc, auroc_interval, calibration_error, reliability
from probative.bench.render.plots import curves_svg
from probative.graph.edges import build_edges
from probative.graph.veracity.calibration import Calibration
from probative.graph.veracity.fit import fit_veracity
from probative.graph.veracity.model import Veracity
from probative.graph.veracity.negatives import Corruptor, Part

PARTS: tuple[Part, ...] = ("relation", "tail", "same relation")
HIDDEN = 0.1
SEED = 7
# ConceptNet between its most connected entities, 20,425 triples: all 78,000 names take long to encode.
CONCEPTNET_ENTITIES = 3_000
WEIGHTS = [number / 10 for number in range(21)]
"""The weights of the model's score that are tried."""
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


class LearnedRow(NamedTuple):
    """The cells of one line of the table, and the probabilities of its true and false triples."""

    label: str
    cells: list[str]
    probabilities: list[float]
    labels: list[bool]


def learned_rows(name: str, data: VeracityData, score: Score | None, n: int) -> Iterator[LearnedRow]:
    """Yield one line for each kind of hidden and of false triples."""
    graph, vectors = data.graph, data.vectors
    everything = Corruptor(data.rows, graph.entity_count, graph.relation_count)
    for hidden, seen, held_out in splits(data):
        started = time.perf_counter()
        edges = build_edges(
            *seen.T.astype(np.int32), entities=graph.entity_count, relations=graph.relation_count
        )
        veracity = fit_veracity(edges, vectors.__getitem__)
        seconds = time.perf_counter() - started
        calibration = veracity.known if hidden == "triples" else veracity.unseen
        random = np.random.default_rng(SEED)
        for part in PARTS:
            false, usable = everything.draw(held_out, part, random)
            rows = held_out[usable], false[usable]
            true_scores, false_scores = (_scores(veracity, vectors, part_rows) for part_rows in rows)
            low, high = auroc_interval(true_scores.tolist(), false_scores.tolist(), resamples=200)
            p = calibration.probabilities(np.concatenate((true_scores, false_scores)))
            labels = np.arange(len(p)) < len(true_scores)
            cells = [
                name,
                f"10% of {hidden}",
                part,
                f"{len(true_scores):,}",
                f"{auroc(true_scores, false_scores):.3f} [{low:.3f}, {high:.3f}]",
                *_verdicts(calibration, p, labels),
                *_combined(veracity, data, rows, score, n, random),
                f"{seconds:.0f}",
            ]
            yield LearnedRow(f"{name}, {hidden} hidden", cells, p.tolist(), labels.tolist())


def reliability_svg(rows: Sequence[LearnedRow]) -> str:
    """Return the reliability diagram: the share of true triples against the stated probability."""
    pooled: dict[str, tuple[list[float], list[bool]]] = {}
    for row in rows:
        probabilities, labels = pooled.setdefault(row.label, ([], []))
        probabilities += row.probabilities
        labels += row.labels
    series = {label: reliability(*pair) for label, pair in pooled.items()}
    return curves_svg(series, x="stated probability", y="share of true triples", diagonal=True)


def _scores(veracity: Veracity, vectors: NDArray[np.float32], rows: Rows) -> NDArray[np.float64]:
    return np.asarray(veracity.scores(vectors[rows[:, 0]], rows[:, 1], vectors[rows[:, 2]]), dtype=np.float64)


def _verdicts(calibration: Calibration, p: NDArray[np.float64], labels: NDArray[np.bool_]) -> list[str]:
    """Return the share that is true of those that hold, false of those that fail, the share of maybe, and the
    expected calibration error.
    """
    holds, fails = p >= calibration.holds, p <= calibration.fails
    return [
        f"{labels[holds].mean():.0%}" if holds.any() else "none",
        f"{1 - labels[fails].mean():.0%}" if fails.any() else "none",
        f"{1 - holds.mean() - fails.mean():.0%}",
        f"{calibration_error(p.tolist(), labels.tolist()):.2f}",
    ]


def _combined(
    veracity: Veracity,
    data: VeracityData,
    rows: tuple[Rows, Rows],
    score: Score | None,
    n: int,
    random: np.random.Generator,
) -> list[str]:
    """Return the AUROC of the model's score on n pairs, of the learned score on the same, and of their sum:
    its weight is fitted on one half and measured on the other, and the reverse.
    """
    if score is None:
        return ["", "", ""]
    chosen = random.permutation(len(rows[0]))[:n]
    parts = [part[chosen] for part in rows]
    learned = [_scores(veracity, data.vectors, part) for part in parts]
    model = [np.array(score([data.graph.triple(row) for row in part])) for part in parts]
    half = len(chosen) // 2
    halves = (slice(0, half), slice(half, None))

    def combined(weight: float, half: slice) -> float:
        return auroc(*(own[half] + weight * other[half] for own, other in zip(learned, model, strict=True)))

    weights = [max(WEIGHTS, key=lambda weight: combined(weight, fitted)) for fitted in halves]
    both = [combined(weights[0], halves[1]), combined(weights[1], halves[0])]
    alone = [combined(0.0, half) for half in halves]
    return [
        f"{auroc(*model):.3f}",
        f"{np.mean(alone):.3f}",
        f"{np.mean(both):.3f} (weights {weights[0]:.1f}, {weights[1]:.1f})",
    ]
