"""A logistic model over the signals of answers, fitted by Newton's method with an L2 penalty."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from probative.bench.rows import Row
from probative.scope.conclude.certainty import CertaintyModel, Form, Term, shaped

FORMS: dict[str, Form] = {
    "probability": "logit",
    "chain_answerable": "logit",
    "completeness": "logit",
    "entailed": "logit",
    "denied": "logit",
    "other_entailed": "logit",
    "polar": "plain",
    "uncomputed": "plain",
    "values_entailed": "log",
}
# Signals that were recorded and are no longer asked for: `worth.py` says what they are worth.
NO_LONGER_ASKED: dict[str, Form] = {
    "same_answer": "logit",
    "any_answer": "logit",
    "margin": "plain",
    "cited_entailed": "logit",
    "cited_denied": "logit",
    "cited_complete": "logit",
    "fits_kind": "plain",
    "names": "plain",
    "words": "plain",
    "cited_names": "plain",
    "window_words": "plain",
}
# The signals of the tuned reader's answers. More of them (the lengths of answer and chain, the number of
# passages, further readings) are no better on rows held out, and follow the sets more than the answers.
READER = (
    "probability",
    "chain_answerable",
    "completeness",
    "entailed",
    "denied",
    "other_entailed",
    "polar",
    "uncomputed",
)
# The signals that every model's answer has.
COMMON = ("entailed", "denied", "other_entailed", "polar", "uncomputed")
# The signals of computed answers.
VALUES = ("values_entailed", "denied", "polar")
# Signals that can only speak against an answer, and those that can speak either way; every other signal can
# only speak for it. A fit on few rows may say otherwise.
AGAINST = ("denied", "cited_denied", "other_entailed", "uncomputed")
EITHER = ("polar",)
PENALTY = 2.0
STEPS = 50

Array = NDArray[np.float64]


def fit_model(rows: Sequence[Row], names: Sequence[str], *, source: str) -> CertaintyModel:
    """Return the model of these signals. A signal that no row has, or whose weight has the wrong
    sign, is left out.

    Thresholds are 0; `choose_thresholds` sets them.
    """
    kept = [name for name in names if any(row["signals"].get(name) is not None for row in rows)]
    while True:
        values, means, scales = standardised(rows, kept)
        right = np.array([float(row["right"]) for row in rows])
        weights = newton(values, right)
        wrong = [
            name for name, weight in zip(kept, weights[1:], strict=True) if _has_wrong_sign(name, weight)
        ]
        if not wrong:
            break
        kept = [name for name in kept if name not in wrong]
    terms = tuple(
        Term(
            signal=name,
            form=_form(name),
            mean=round(float(mean), 4),
            scale=round(float(scale), 4),
            weight=round(float(weight), 4),
        )
        for name, mean, scale, weight in zip(kept, means, scales, weights[1:], strict=True)
    )
    bias = round(float(weights[0]), 4)
    return CertaintyModel(terms=terms, bias=bias, min_certainty=0.0, min_entailed=0.0, rows=source)


def _form(name: str) -> Form:
    return FORMS.get(name) or NO_LONGER_ASKED[name]


def _has_wrong_sign(name: str, weight: float) -> bool:
    return name not in EITHER and (weight > 0 if name in AGAINST else weight < 0)


def standardised(rows: Sequence[Row], names: Sequence[str]) -> tuple[Array, Array, Array]:
    """Return the signals with mean 0 and deviation 1, their means and deviations; unknown ones are 0."""
    raw = np.full((len(rows), len(names)), np.nan)
    for number, row in enumerate(rows):
        for column, name in enumerate(names):
            value = row["signals"].get(name)
            if value is not None:
                raw[number, column] = shaped(float(value), _form(name))
    known = ~np.isnan(raw)
    counts = np.maximum(1, known.sum(axis=0))
    means = np.where(known, raw, 0.0).sum(axis=0) / counts
    centred = np.where(known, raw - means, 0.0)
    scales = np.sqrt((centred**2).sum(axis=0) / counts)
    scales[scales < 1e-6] = 1.0
    return centred / scales, means, scales


def newton(values: Array, right: Array, penalty: float = PENALTY) -> Array:
    """Return the bias and the weights with the highest penalised likelihood; the bias is not penalised.

    >>> weights = newton(np.array([[-1.0], [-1.0], [1.0], [1.0]]), np.array([0.0, 0.0, 1.0, 1.0]))
    >>> bool(weights[1] > 0.5), bool(abs(weights[0]) < 1e-9)
    (True, True)
    """
    design = np.hstack([np.ones((len(values), 1)), values])
    ridge = penalty * np.eye(design.shape[1])
    ridge[0, 0] = 1e-6
    weights = np.zeros(design.shape[1])
    for _ in range(STEPS):
        chance = 1.0 / (1.0 + np.exp(-design @ weights))
        gradient = design.T @ (right - chance) - ridge @ weights
        curvature = (design * (chance * (1.0 - chance))[:, None]).T @ design + ridge
        step = np.linalg.solve(curvature, gradient)
        weights = weights + step
        if float(np.abs(step).max()) < 1e-9:
            break
    return weights


def held_out(rows: Sequence[Row], names: Sequence[str], folds: int = 5) -> list[float]:
    """Return the certainty of each row by a model fitted on the other folds."""
    chances = [0.0] * len(rows)
    for fold in range(folds):
        model = fit_model([row for at, row in enumerate(rows) if at % folds != fold], names, source="")
        for at in range(fold, len(rows), folds):
            chances[at] = model.certainty_by(rows[at]["signals"])
    return chances
