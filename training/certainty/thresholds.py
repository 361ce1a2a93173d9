"""From which certainty and entailment on an answer counts as supported: chosen on the rows of the fit."""

from __future__ import annotations

from collections.abc import Sequence

from probative.bench.metrics import wilson_interval
from probative.bench.rows import Row
from probative.scope.certainty import CertaintyModel

# The lowest share of right answers among those marked supported, and the lowest probability by the verdict
# model that may be asked for.
MIN_PRECISION = 0.80
ENTAILED_STEPS = (0.1, 0.2, 0.3, 0.4, 0.5)
# Fewer answers say nothing about a threshold.
MIN_ANSWERS = 20


def choose_thresholds(model: CertaintyModel, rows: Sequence[Row], chances: Sequence[float]) -> CertaintyModel:
    """Return the model with the thresholds that mark most answers supported, `MIN_PRECISION` of them right.

    `chances` are the certainties of the rows by models that did not see them.
    """
    best: tuple[int, float, float] | None = None
    for entailed in ENTAILED_STEPS:
        pairs = sorted(
            (
                (chance, bool(row["right"]))
                for chance, row in zip(chances, rows, strict=True)
                if row["eligible"] and _entails(row, entailed)
            ),
            reverse=True,
        )
        right = 0
        for count, (chance, hit) in enumerate(pairs, 1):
            right += hit
            if count >= MIN_ANSWERS and right / count >= MIN_PRECISION and (best is None or count > best[0]):
                best = (count, chance, entailed)
    if best is None:
        return model.model_copy(update={"min_certainty": 0.9, "min_entailed": 0.5})
    return model.model_copy(update={"min_certainty": round(best[1], 3), "min_entailed": best[2]})


def _entails(row: Row, threshold: float) -> bool:
    entailed = row["signals"].get("entailed")
    return bool(row["computed"]) or (entailed is not None and entailed >= threshold)


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
