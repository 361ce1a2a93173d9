"""From which certainty and entailment on an answer counts as supported: chosen on the rows of the fit."""

from __future__ import annotations

from collections.abc import Sequence

from probative.bench.metrics import wilson_interval
from probative.bench.rows import Row
from probative.scope.certainty import CertaintyModel
from probative.scope.signals import Signals

# The lowest share of right answers among those marked supported, on rows held out. Four in ten questions on
# documents, and three in ten of several pages, have no answer there: more than a user asks.
MIN_PRECISION = 0.92
SEVERAL_PRECISION = 0.86
# The lowest probability by the verdict model: it agrees.
MIN_ENTAILED = 0.5
# Fewer answers say nothing about a threshold.
MIN_ANSWERS = 20


def choose_thresholds(
    model: CertaintyModel, rows: Sequence[Row], chances: Sequence[float], precision: float = MIN_PRECISION
) -> CertaintyModel:
    """Return the model with the threshold that marks most answers supported, `precision` of them right.

    `chances` are the certainties of the rows by models that did not see them.
    """
    passing = model.model_copy(update={"min_entailed": MIN_ENTAILED})
    pairs = sorted(
        (
            (chance, bool(row["right"]))
            for chance, row in zip(chances, rows, strict=True)
            if row["eligible"] and passing.refusal(Signals.from_dict(row["signals"]), 0.0) is None
        ),
        reverse=True,
    )
    lowest, right = 0.9, 0
    for count, (chance, hit) in enumerate(pairs, 1):
        right += hit
        if count >= MIN_ANSWERS and right / count >= precision:
            lowest = chance
    return passing.model_copy(update={"min_certainty": round(lowest, 3)})


def describe(rows: Sequence[Row], supported: Sequence[bool]) -> str:
    """Return the share of answers marked supported and how many of them are right, with its interval."""
    count = sum(supported)
    right = sum(bool(row["right"]) for row, given in zip(rows, supported, strict=True) if given)
    if count == 0:
        return "none supported"
    low, high = wilson_interval(right, count)
    return (
        f"{100 * count / len(rows):.1f}% supported, {100 * right / count:.1f}% of these right "
        f"[{low:.1f}, {high:.1f}]"
    )
