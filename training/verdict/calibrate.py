"""The fit of the curves that turn the scores of windows into calibrated probabilities."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from probative.verdict.judgement import Calibration, Curve, reading

Floats = NDArray[np.float64]
Labels = NDArray[np.int64]
"""0: supported, 1: contradicted, 2: insufficient."""
STEPS, DECAY = 40, 1e-4
BINS = 10


def fit(readings: Floats, labels: Labels, three_way: NDArray[np.bool_], weights: Floats) -> Calibration:
    """Return the curves with the least weighted log loss.

    `readings` have the columns of `probative.verdict.judgement.Reading`. The curve of opposition is fitted
    on the rows whose label tells contradicted from insufficient (`three_way`).

    >>> labels = np.array([0, 1, 2] * 20)
    >>> readings = np.array([[2.0, 0], [-2, 2], [-2, -2]] * 20)
    >>> curves = fit(readings, labels, np.ones(60, bool), np.ones(60))
    >>> curves.support.at(2.0) > 0.9, curves.opposition.at(2.0) > 0.9
    (True, True)
    """
    against = three_way & (labels != 0)
    return Calibration(
        support=_curve(readings[:, 0], labels == 0, weights),
        opposition=_curve(readings[against, 1], labels[against] == 1, weights[against]),
    )


def _curve(inputs: Floats, right: NDArray[np.bool_], weights: Floats) -> Curve:
    """Return the curve by Newton's method."""
    columns = np.column_stack([np.ones(len(inputs)), inputs])
    curve = np.zeros(columns.shape[1])
    total = weights.sum()
    for _ in range(STEPS):
        chances = 1 / (1 + np.exp(-columns @ curve))
        slope = columns.T @ ((chances - right) * weights) / total + DECAY * curve
        bend = (columns * (weights * chances * (1 - chances))[:, None]).T @ columns / total
        curve -= np.linalg.solve(bend + DECAY * np.eye(len(curve)), slope)
    constant, claim = (round(float(value), 4) for value in curve)
    return Curve(constant=constant, claim=claim)


def apply(curves: Calibration, readings: Floats) -> Floats:
    """Return the probabilities of many rows."""
    support, opposition = (
        1 / (1 + np.exp(-(curve.constant + curve.claim * column)))
        for curve, column in zip((curves.support, curves.opposition), readings.T, strict=True)
    )
    return np.stack([support, (1 - support) * opposition, (1 - support) * (1 - opposition)], 1)


def balanced_weights(sets: Sequence[str], labels: Labels) -> Floats:
    """Return weights by which every set counts the same, and in it supported as much as the rest.

    >>> balanced_weights(["a", "a", "a"], np.array([0, 1, 2])).tolist()
    [1.5, 0.75, 0.75]
    """
    names = np.array(sets)
    weights = np.ones(len(labels))
    for name in set(sets):
        for supported in (True, False):
            own = (names == name) & ((labels == 0) == supported)
            weights[own] = 1.0 / max(1, own.sum())
    return np.asarray(weights / weights.mean())


def readings_of(logits: Floats) -> Floats:
    """Return what the curves read, by the logits of the three verdicts."""
    return np.array([reading((row[0], row[1], row[2])) for row in softmax(logits)])


def softmax(logits: Floats) -> Floats:
    """Return the rows as probabilities."""
    values = np.exp(logits - logits.max(1, keepdims=True))
    return np.asarray(values / values.sum(1, keepdims=True))


def calibration_error(supported: Floats, right: NDArray[np.bool_]) -> float:
    """Return the expected calibration error of P(supported) in ten bins of equal width.

    >>> calibration_error(np.array([0.75, 0.75]), np.array([True, False]))
    0.25
    """
    bins = np.minimum((supported * BINS).astype(int), BINS - 1)
    gaps = [abs(float(np.sum(supported[bins == number] - right[bins == number]))) for number in range(BINS)]
    return sum(gaps) / max(1, len(right))
