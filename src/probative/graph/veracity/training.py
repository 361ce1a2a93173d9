"""Training of the scorer: mini-batches, the four kinds of false triples, Adam. The same seed gives the same
parameters.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from probative.graph.veracity.negatives import PARTS, Corruptor, Rows
from probative.graph.veracity.scorer import Batch, Floats, Parameters, loss_and_gradient

Take = Callable[[NDArray[Any]], Floats]
"""Returns the vectors of entities by their numbers."""
Report = Callable[[int, int], None]

# Chosen on ConceptNet and UMLS with 10% of their triples hidden (docs/results.md).
_RATE, _DECAY = 1e-2, 1e-5
_BETA1, _BETA2, _EPSILON = 0.9, 0.999, 1e-8
_BATCH = 512
# A small graph is read at most this often, a large one until this many edges were read.
MAX_EPOCHS, SMALL_EDGES, LARGE_EDGES = 25, 250_000, 500_000


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
