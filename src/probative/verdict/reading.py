"""What was read for a claim, as the four numbers that the calibration takes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from probative.models.verdict import VerdictScores

# Probabilities are kept this far from 0 in logarithms.
_SMALLEST = 1e-4

Scores = tuple[float, float, float]
"""The probabilities of supported, contradicted and insufficient by one window."""


class Reading(NamedTuple):
    """The log odds of a claim, and what its sentences add to them.

    - `support`: log odds of supported.
    - `weakest`: that of the claim's weakest sentence, minus `support`.
    - `opposition`: log odds of contradicted against insufficient.
    - `most_opposed`: that of the claim's most opposed sentence, minus `opposition`.
    """

    support: float
    weakest: float
    opposition: float
    most_opposed: float


def reading(whole: Scores, parts: Sequence[Scores] = ()) -> Reading:
    """Return the numbers for a claim from its scores and those of its sentences, if it has several.

    >>> [round(value, 2) for value in reading((0.8, 0.1, 0.1), [(0.5, 0.4, 0.1), (0.9, 0.05, 0.05)])]
    [1.39, -1.39, 0.0, 1.39]
    """
    support, opposition = _support(whole), _opposition(whole)
    return Reading(
        support,
        min(map(_support, parts), default=support) - support,
        opposition,
        max(map(_opposition, parts), default=opposition) - opposition,
    )


def combined(
    wide: VerdictScores, window: Sequence[int], near: VerdictScores, few: Sequence[int]
) -> VerdictScores:
    """Return the geometric mean of two readings, and the mean of how much each sentence decides in them.

    `window` are the sentences of the wide reading, and `few` those of the near one, which are among them.

    >>> wide, near = VerdictScores(0.8, 0.1, 0.1, (0.5, 0.5)), VerdictScores(0.2, 0.7, 0.1, (1.0,))
    >>> both = combined(wide, (3, 4), near, (4,))
    >>> round(both.supported, 2), round(both.contradicted, 2), both.deciding
    (0.52, 0.35, (0.25, 0.75))
    """
    means = [
        math.sqrt((first + _SMALLEST) * (second + _SMALLEST))
        for first, second in zip(wide[:3], near[:3], strict=True)
    ]
    shares = dict(zip(few, near.deciding, strict=True))
    deciding = tuple(
        (share + shares.get(index, 0.0)) / 2 for index, share in zip(window, wide.deciding, strict=True)
    )
    supported, contradicted, insufficient = (mean / sum(means) for mean in means)
    return VerdictScores(supported, contradicted, insufficient, deciding)


def _support(scores: Scores) -> float:
    return math.log(scores[0] + _SMALLEST) - math.log(scores[1] + scores[2] + _SMALLEST)


def _opposition(scores: Scores) -> float:
    return math.log(scores[1] + _SMALLEST) - math.log(scores[2] + _SMALLEST)
