"""From which certainty and entailment on an answer counts as supported, and from which certainty on another
one counts as probable: chosen on the rows of the fit.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from probative.bench.metrics import wilson_interval
from probative.bench.rows import Row
from probative.scope.checks import Signals, first_failed
from probative.scope.conclude.certainty import CertaintyModel
from probative.scope.conclude.verdict import model_checks

# The largest share of questions with an answer that is wrong and supported, as a mean over the sets, and the
# lowest share of right answers among those marked supported, all on rows held out.
MAX_WRONG = 0.04
# Of the questions over several pages, half of the sets lack a page or have no answer: more than users ask.
SEVERAL_MAX_WRONG = 0.05
MIN_PRECISION = 0.78
# Nothing is called supported that is more likely wrong.
MIN_CERTAINTY = 0.5
# The lowest probability by the verdict model: it agrees.
MIN_ENTAILED = 0.65
# The same for a value of a computation: its certainty rests on nothing else.
MIN_VALUE_ENTAILED = 0.5
# The lowest share of right answers among those that are probable.
MIN_PROBABLE_RIGHT = 0.6
# Fewer answers say nothing about a threshold.
MIN_ANSWERS = 20


def choose_thresholds(
    model: CertaintyModel,
    rows: Sequence[Row],
    chances: Sequence[float],
    max_wrong: float = MAX_WRONG,
    min_entailed: float = MIN_ENTAILED,
) -> CertaintyModel:
    """Return the model with the threshold that marks most answers supported, and few of them wrongly.

    `chances` are the certainties of the rows by models that did not see them.
    """
    passing = model.model_copy(update={"min_entailed": min_entailed})
    answers = sorted(
        (
            (chance, row)
            for chance, row in zip(chances, rows, strict=True)
            if row["eligible"]
            and first_failed(model_checks(passing, Signals.from_dict(row["signals"]), 0.0)) is None
        ),
        key=lambda answer: -answer[0],
    )
    sizes = Counter(row["set"] for row in rows)
    lowest, right, wrong = 0.9, 0, 0.0
    for count, (chance, row) in enumerate(answers, 1):
        right += bool(row["right"])
        wrong += 0.0 if row["right"] else 1 / sizes[row["set"]] / len(sizes)
        tied = (count < len(answers) and answers[count][0] == chance) or chance < MIN_CERTAINTY
        if not tied and count >= MIN_ANSWERS and wrong <= max_wrong and right / count >= MIN_PRECISION:
            lowest = chance
    return passing.model_copy(update={"min_certainty": round(lowest, 3)})


def probable_limit(rows: Sequence[Row], chances: Sequence[float]) -> float | None:
    """Return the lowest certainty from which on 60% of these answers, none of them supported, are right; None
    if there is no such limit that enough answers reach.

    >>> rows = [{"right": True}] * 18 + [{"right": False}] * 12 + [{"right": True}]
    >>> probable_limit(rows, [1 - 0.02 * number for number in range(31)])
    0.4
    >>> probable_limit(rows[:19], [1 - 0.02 * number for number in range(19)]) is None
    True
    """
    ranked = sorted(zip(chances, rows, strict=True), key=lambda answer: -answer[0])
    lowest, right = None, 0
    for count, (chance, row) in enumerate(ranked, 1):
        right += bool(row["right"])
        tied = count < len(ranked) and ranked[count][0] == chance
        if not tied and count >= MIN_ANSWERS and right >= MIN_PROBABLE_RIGHT * count:
            lowest = math.floor(10_000 * chance) / 10_000
    return lowest


def describe(rows: Sequence[Row], supported: Sequence[bool], level: str = "supported") -> str:
    """Return the share of answers of a level and how many of them are right, with its interval."""
    count = sum(supported)
    right = sum(bool(row["right"]) for row, given in zip(rows, supported, strict=True) if given)
    if count == 0:
        return f"none {level}"
    low, high = wilson_interval(right, count)
    return (
        f"{100 * count / len(rows):.1f}% {level} ({count}), {100 * right / count:.1f}% of these right "
        f"[{low:.1f}, {high:.1f}]"
    )
