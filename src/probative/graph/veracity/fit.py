"""Fit the veracity of a graph to its own edges.

One scorer is trained on all edges. Others are trained without some edges and some entities, and what they did
not see calibrates the mean of all: hidden edges between known entities, and all edges of the hidden entities.
Of a large graph one scorer is trained, without a few edges that calibrate it.

A training takes mini-batches, the four kinds of false triples, and Adam. The same seed gives the same
parameters.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import ThreadpoolController

from probative.graph.edges import Edges
from probative.graph.veracity.calibration import Calibration, calibrate
from probative.graph.veracity.model import Veracity
from probative.graph.veracity.negatives import PARTS, Corruptor, Rows
from probative.graph.veracity.scorer import Batch, Floats, Parameters, loss_and_gradient, scores

Take = Callable[[NDArray[Any]], Floats]
"""Returns the vectors of entities by their numbers."""
Report = Callable[[int, int], None]

# Chosen on ConceptNet and UMLS with 10% of their triples hidden (docs/bench/veracity.md).
_RATE, _DECAY = 1e-2, 1e-5
_BETA1, _BETA2, _EPSILON = 0.9, 0.999, 1e-8
_BATCH = 512
# A small graph is read at most this often, a large one until this many edges were read.
MAX_EPOCHS, SMALL_EDGES, LARGE_EDGES = 25, 250_000, 500_000
SEED = 16
# The share of the edges, and of the entities, that a scorer does not see; at most this many edges.
HIDDEN_EDGES, HIDDEN_ENTITIES, MAX_HIDDEN = 0.1, 0.05, 20_000
# The scorers that calibrate: a small graph needs several to have enough hidden edges.
CALIBRATING, SMALL, LARGE = 3, 2_000, 100_000
# The largest number of reports of progress.
_REPORTS = 100


class _HeldOut:
    """The scores of held-out true and false triples."""

    def __init__(self) -> None:
        self._true: list[NDArray[np.float64]] = []
        self._false: list[NDArray[np.float64]] = []

    def add(self, true: NDArray[np.float64], false: NDArray[np.float64]) -> None:
        """Add the scores of one scorer."""
        self._true.append(true)
        self._false.append(false)

    def calibration(self) -> Calibration:
        """Return the calibration of all scores."""
        return calibrate(np.concatenate(self._true), np.concatenate(self._false))


def fit_veracity(edges: Edges, take: Take, report: Report | None = None) -> Veracity:
    """Return the veracity of a graph. `take` returns the vectors of entities by number; `report` is called
    with the edges read so far and in all.
    """
    # OpenBLAS starts all its threads for a product of 500 × 384 × 64, and they wait for each other longer
    # than they compute: on two busy cores UMLS took 45.6 s with its default and 14.4 s with one thread.
    with ThreadpoolController().limit(limits=1, user_api="blas"):
        return _fit(edges, take, report)


def _fit(edges: Edges, take: Take, report: Report | None) -> Veracity:
    rows = edges.rows().astype(np.int64)
    calibrating = CALIBRATING if len(rows) <= SMALL else 1
    count = calibrating + (len(rows) <= LARGE)
    random = np.random.default_rng(SEED)
    everything = Corruptor(rows, edges.entities, edges.relations)
    between_known, of_unseen, members = _HeldOut(), _HeldOut(), []
    for number in range(calibrating):
        seen, hidden, of_hidden_entities = _split(rows, edges.entities, random)
        corruptor = Corruptor(seen, edges.entities, edges.relations)
        progress = _part(report, number, count, len(seen))
        member = train(seen, take, corruptor, edges.relations, seed=SEED + number, report=progress)
        members.append(member)
        for held_out, part in ((between_known, hidden), (of_unseen, of_hidden_entities)):
            false = _false(part, everything, random)
            held_out.add(_scores(member, take, part), _scores(member, take, false))
    if len(rows) <= LARGE:
        progress = _part(report, count - 1, count, len(rows))
        members.append(train(rows, take, everything, edges.relations, seed=SEED + count, report=progress))
    return Veracity(tuple(members), between_known.calibration(), of_unseen.calibration())


def _scores(member: Parameters, take: Take, rows: Rows) -> NDArray[np.float64]:
    values = scores(member, take(rows[:, 0]), rows[:, 1], take(rows[:, 2]))
    return np.asarray(values, dtype=np.float64)


def _split(rows: Rows, entities: int, random: np.random.Generator) -> tuple[Rows, Rows, Rows]:
    """Return the edges to train on, the hidden ones between known entities, and those of hidden entities."""
    hidden_entities = random.random(entities) < HIDDEN_ENTITIES
    if len(rows) * HIDDEN_ENTITIES * 2 > MAX_HIDDEN:
        hidden_entities = random.random(entities) < MAX_HIDDEN / (2 * len(rows))
    of_hidden = hidden_entities[rows[:, 0]] | hidden_entities[rows[:, 2]]
    share = min(HIDDEN_EDGES, MAX_HIDDEN / len(rows))
    hidden = ~of_hidden & (random.random(len(rows)) < share)
    seen = ~(of_hidden | hidden)
    if not seen.any():  # a graph of one or two edges has nothing to hide
        return rows, rows[:0], rows[:0]
    return rows[seen], _learnable(rows[hidden], rows[seen]), _learnable(rows[of_hidden], rows[seen])


def _learnable(rows: Rows, seen: Rows) -> Rows:
    """Return at most `MAX_HIDDEN` of the rows, without those of a relation that the training never saw."""
    return rows[np.isin(rows[:, 1], seen[:, 1])][:MAX_HIDDEN]


def _false(rows: Rows, corruptor: Corruptor, random: np.random.Generator) -> Rows:
    drawn = [corruptor.draw(rows, part, random) for part in PARTS]
    return np.concatenate([rows[:0], *(corrupted[false] for corrupted, false in drawn)])


def _part(report: Report | None, number: int, count: int, edges: int) -> Report | None:
    """Return the progress of one training as a part of all, reported about a hundred times."""
    if report is None:
        return None
    total = edges_to_read(edges)
    reported = -1

    def progress(done: int, of: int) -> None:
        nonlocal reported
        step = (number * of + done) * _REPORTS // (count * of)
        if step != reported:
            reported = step
            report(number * total + done, count * total)

    return progress


class Adam:
    """Adam (Kingma and Ba, 2015) with L2 regularisation."""

    def __init__(self, parameters: Parameters) -> None:
        self._parameters = parameters.arrays()
        self._means = {name: np.zeros_like(array) for name, array in self._parameters.items()}
        self._squares = {name: np.zeros_like(array) for name, array in self._parameters.items()}
        self._steps = 0

    def step(self, gradient: Parameters, rate: float) -> None:
        """Change the parameters against the gradient."""
        self._steps += 1
        scale = rate * np.sqrt(1 - _BETA2**self._steps) / (1 - _BETA1**self._steps)
        for name, slope in gradient.arrays().items():
            array, mean, square = self._parameters[name], self._means[name], self._squares[name]
            slope = slope + _DECAY * array
            mean += (1 - _BETA1) * (slope - mean)
            square += (1 - _BETA2) * (slope * slope - square)
            array -= (scale * mean / (np.sqrt(square) + _EPSILON)).astype(array.dtype)


def edges_to_read(count: int) -> int:
    """Return how many edges, with repetition, a training on `count` edges reads.

    >>> edges_to_read(30), edges_to_read(20_000), edges_to_read(2_100_000)
    (750, 250000, 500000)
    """
    return min(MAX_EPOCHS * count, max(SMALL_EDGES, min(count, LARGE_EDGES)))


def train(
    rows: Rows, take: Take, corruptor: Corruptor, relations: int, *, seed: int, report: Report | None = None
) -> Parameters:
    """Return a scorer trained to tell `rows` from corrupted ones. `take` returns the vectors of entities."""
    random = np.random.default_rng(seed)
    parameters = Parameters.start(take(rows[:1, 0]).shape[1], relations, random)
    adam, total, done = Adam(parameters), edges_to_read(len(rows)), 0
    order = random.permutation(len(rows))
    while done < total:
        at = done % len(rows)
        if at == 0 and done:
            order = random.permutation(len(rows))
        chosen = rows[order[at : at + min(_BATCH, total - done)]]
        _, gradient = loss_and_gradient(parameters, make_batch(chosen, take, corruptor, random))
        adam.step(gradient, _RATE * (1 - 0.9 * done / total))
        done += len(chosen)
        if report is not None:
            report(done, total)
    return parameters


def make_batch(rows: Rows, take: Take, corruptor: Corruptor, random: np.random.Generator) -> Batch:
    """Return true rows with a false one of each kind; true and false ones have the same weight in all."""
    drawn = [corruptor.draw(rows, part, random) for part in PARTS]
    triples = np.concatenate([rows, *(corrupted for corrupted, _ in drawn)])
    is_false = np.concatenate([np.zeros(len(rows), dtype=np.bool_), *(false for _, false in drawn)])
    labels = np.zeros(len(triples), dtype=np.float32)
    labels[: len(rows)] = 1.0
    # A corrupted row that is still an edge weighs nothing.
    weights = np.where(labels == 1, 1.0, is_false / len(PARTS)).astype(np.float32)
    heads, head_at = np.unique(triples[:, 0], return_inverse=True)
    tails, tail_at = np.unique(triples[:, 2], return_inverse=True)
    return Batch(take(heads), take(tails), head_at, triples[:, 1], tail_at, labels, weights / weights.sum())
