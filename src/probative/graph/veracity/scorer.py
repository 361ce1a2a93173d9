"""The bilinear scorer: how well a head, a relation and a tail fit together.

    s(h, r, t) = Σ_k m_rk a_k b_k + u_r · a + v_r · b + c_r    with a = x_h A, b = x_t B

x is the encoder's vector of a name. A and B map it to 64 dimensions, and each relation has its own m, u, v
and c. Nothing belongs to a single entity, so names that the graph does not contain are scored too.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[Any]
Rows = NDArray[np.int64]
DIMENSIONS = 64
# The scale of the first projections: a vector of length 1 becomes one of about this length.
_START = 3.0


@dataclass
class Parameters:
    """The parameters of a scorer, or their gradients."""

    head_map: Floats
    tail_map: Floats
    products: Floats
    head_terms: Floats
    tail_terms: Floats
    bias: Floats

    @classmethod
    def start(
        cls, width: int, relations: int, random: np.random.Generator, dimensions: int = DIMENSIONS
    ) -> Parameters:
        """Return random parameters for vectors with `width` numbers."""
        scale = _START / np.sqrt(width)
        shape = (width, dimensions)
        return cls(
            head_map=_float32(random.normal(0.0, scale, shape)),
            tail_map=_float32(random.normal(0.0, scale, shape)),
            products=_float32(random.normal(0.3, 0.1, (relations, dimensions))),
            head_terms=np.zeros((relations, dimensions), dtype=np.float32),
            tail_terms=np.zeros((relations, dimensions), dtype=np.float32),
            bias=np.zeros(relations, dtype=np.float32),
        )

    def arrays(self) -> dict[str, Floats]:
        """Return the arrays by name."""
        return {field.name: getattr(self, field.name) for field in fields(self)}


@dataclass(frozen=True)
class Batch:
    """Triples for one step: rows of vectors, and for each triple the row of its head and of its tail."""

    head_vectors: Floats
    tail_vectors: Floats
    heads: Rows
    relations: Rows
    tails: Rows
    labels: Floats
    weights: Floats


def scores(parameters: Parameters, heads: Floats, relations: Rows, tails: Floats) -> Floats:
    """Return the score of each triple; `heads` and `tails` are vectors, a row for each triple.

    >>> one = np.ones((1, 1))
    >>> tiny = Parameters(2 * one, 3 * one, 5 * one, 7 * one, 11 * one, np.array([13.0]))
    >>> scores(tiny, one, np.array([0]), one).tolist()  # 2·3·5 + 7·2 + 11·3 + 13
    [90.0]
    """
    a, b = heads @ parameters.head_map, tails @ parameters.tail_map
    return _scores(parameters, a, relations, b)


def _scores(parameters: Parameters, a: Floats, relations: Rows, b: Floats) -> Floats:
    total: Floats = (
        (parameters.products[relations] * a * b).sum(axis=1)
        + (parameters.head_terms[relations] * a).sum(axis=1)
        + (parameters.tail_terms[relations] * b).sum(axis=1)
        + parameters.bias[relations]
    )
    return total


def loss_and_gradient(parameters: Parameters, batch: Batch) -> tuple[float, Parameters]:
    """Return the weighted logistic loss of a batch, and its gradient."""
    all_a, all_b = batch.head_vectors @ parameters.head_map, batch.tail_vectors @ parameters.tail_map
    a, b, relations = all_a[batch.heads], all_b[batch.tails], batch.relations
    logits = _scores(parameters, a, relations, b)
    probabilities = sigmoid(logits)
    # log(1 + exp(z)) − y z, written so that it cannot overflow.
    losses = np.logaddexp(0.0, logits) - batch.labels * logits
    slope = (batch.weights * (probabilities - batch.labels)).astype(logits.dtype)[:, None]
    product = parameters.products[relations]
    a_gradient = slope * (product * b + parameters.head_terms[relations])
    b_gradient = slope * (product * a + parameters.tail_terms[relations])
    per_relation = _sum_by(
        relations, np.concatenate((a * b, a, b, np.ones_like(slope)), axis=1) * slope, len(parameters.bias)
    )
    n = a.shape[1]
    gradient = Parameters(
        head_map=batch.head_vectors.T @ _sum_by(batch.heads, a_gradient, len(all_a)),
        tail_map=batch.tail_vectors.T @ _sum_by(batch.tails, b_gradient, len(all_b)),
        products=per_relation[:, :n],
        head_terms=per_relation[:, n : 2 * n],
        tail_terms=per_relation[:, 2 * n : 3 * n],
        bias=per_relation[:, 3 * n],
    )
    return float((batch.weights * losses).sum()), gradient


def sigmoid(logits: Floats) -> Floats:
    """Return 1 / (1 + exp(−z)) of each number.

    >>> sigmoid(np.array([0.0, 1000.0])).tolist()
    [0.5, 1.0]
    """
    values: Floats = 0.5 * (1.0 + np.tanh(0.5 * np.asarray(logits)))
    return values


def _sum_by(groups: Rows, values: Floats, count: int) -> Floats:
    """Return the sum of the rows of each group: `np.add.at`, ten times as fast."""
    sums = np.zeros((count, values.shape[1]), dtype=values.dtype)
    order = np.argsort(groups, kind="stable")
    ordered = groups[order]
    starts = np.flatnonzero(np.concatenate(([True], ordered[1:] != ordered[:-1])))
    sums[ordered[starts]] = np.add.reduceat(values[order], starts, axis=0)
    return sums


def _float32(values: Floats) -> Floats:
    return values.astype(np.float32)
