"""From scores to probabilities and verdicts, by triples that the training did not see.

A logistic curve maps scores to probabilities. Two thresholds then make a triple true, false or, between
them, uncertain. Few held-out triples make a flat curve and no threshold: everything stays uncertain.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from probative.graph.veracity.scorer import sigmoid
from probative.types import Value

# A triple is true from this probability on, and false from one minus it, if held-out triples confirm it: the
# share of those beyond the threshold that are as it says must be as high, with one more on each side.
RELIABLE = 0.75
# The strength of the prior that says: the score tells nothing.
_PRIOR = 2.0
NEVER = 2.0
"""A threshold that no probability reaches."""


class Calibration(Value):
    """The curve p = σ(slope · s + intercept) and the thresholds of p.

    At least `holds`: true. At most `fails`: false. `held_out` is the number of true triples behind it, and
    `auroc` how well their scores were told from those of false ones; None if there were none.
    """

    slope: float = 0.0
    intercept: float = 0.0
    holds: float = NEVER
    fails: float = -NEVER
    held_out: int = 0
    auroc: float | None = None

    def probabilities(self, scores: NDArray[Any]) -> NDArray[np.float64]:
        """Return the probability of each score."""
        return np.asarray(sigmoid(self.slope * np.asarray(scores, dtype=np.float64) + self.intercept))


def calibrate(true: NDArray[Any], false: NDArray[Any]) -> Calibration:
    """Fit the curve and the thresholds to the scores of held-out true and false triples, which weigh the
    same.

    >>> calibrate(np.array([]), np.array([])).holds == NEVER
    True
    """
    if not len(true) or not len(false):
        return Calibration()
    scores = np.concatenate((true, false)).astype(np.float64)
    labels = np.concatenate((np.ones(len(true)), np.zeros(len(false))))
    weights = np.concatenate((np.ones(len(true)), np.full(len(false), len(true) / len(false))))
    slope, intercept = _logistic(scores, labels, weights)
    probabilities = sigmoid(slope * scores + intercept)
    return Calibration(
        slope=slope,
        intercept=intercept,
        holds=_threshold(probabilities, labels, weights),
        fails=1.0 - _threshold(1.0 - probabilities, 1.0 - labels, weights),
        held_out=len(true),
        auroc=_auroc(np.asarray(true), np.asarray(false)),
    )


def _logistic(scores: NDArray[Any], labels: NDArray[Any], weights: NDArray[Any]) -> tuple[float, float]:
    """Fit a logistic curve by Newton's method. The prior keeps the slope per standard deviation small."""
    centre, spread = scores.mean(), scores.std() or 1.0
    inputs = np.column_stack(((scores - centre) / spread, np.ones_like(scores)))
    prior = np.array([_PRIOR, 1e-6])
    beta = np.zeros(2)
    for _ in range(50):
        p = sigmoid(inputs @ beta)
        gradient = inputs.T @ (weights * (p - labels)) + prior * beta
        curvature = (inputs * (weights * p * (1 - p))[:, None]).T @ inputs + np.diag(prior)
        change = np.linalg.solve(curvature, gradient)
        beta -= change
        if np.abs(change).max() < 1e-9:
            break
    slope = max(0.0, float(beta[0]))  # a lower score never makes a triple more probable
    return slope / float(spread), float(beta[1]) - slope * float(centre / spread)


def _threshold(probabilities: NDArray[Any], labels: NDArray[Any], weights: NDArray[Any]) -> float:
    """Return the lowest probability, at least `RELIABLE`, from which on enough triples are true."""
    order = np.argsort(-probabilities, kind="stable")
    right = np.cumsum(weights[order] * labels[order])
    total = np.cumsum(weights[order])
    ranked = probabilities[order]
    # The last of equal probabilities stands for all of them.
    last = np.concatenate((ranked[1:] != ranked[:-1], [True]))
    reliable = ((right + 1) / (total + 2) >= RELIABLE) & (ranked >= RELIABLE) & last
    return float(ranked[reliable].min()) if reliable.any() else NEVER


def _auroc(true: NDArray[Any], false: NDArray[Any]) -> float:
    ordered = np.sort(false)
    below = np.searchsorted(ordered, true, side="left") + np.searchsorted(ordered, true, side="right")
    return float(below.sum() / (2 * len(true) * len(false)))
