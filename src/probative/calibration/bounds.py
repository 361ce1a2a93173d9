"""Exact bounds of a share, and which limits of certainty they allow.

The risk of a limit is the probability that an answer is wrong, given that its certainty reaches the limit.
Of m such answers, drawn at random, the wrong ones are Binomial(m, risk). So the test of "the risk is above
alpha" has the p-value P(Binomial(m, alpha) ≤ wrong), and the Clopper-Pearson bound is the risk at which this
probability is delta.

Many limits are tested at no cost if their order is fixed before a label is seen and the first that fails ends
the tests (fixed-sequence testing, as in Learn then Test): the first limit with a risk above alpha passes with
probability delta at most, and only then can any such limit be chosen. The order is that of a fixed grid, the
strictest first. Limits that too few answers reach are passed over, by their number alone. A limit whose test
comes first then has, given that number, at least the risk of the answers just above it; that holds where
answers of a higher certainty are not more often wrong than those below, which is what a certainty is for.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from probative.types import Value

GRID = tuple(step / 100 for step in range(99, -1, -1))
"""The limits in the order in which they are tested."""


class Interval(NamedTuple):
    """The ends of an interval of a share."""

    low: float
    high: float


class Reached(Value):
    """A limit: how many answers reach it, how many of them are wrong, and the most that can be wrong.

    `bound` is the upper Clopper-Pearson bound of the share of wrong ones, at the confidence asked for.
    """

    limit: float
    supported: int
    wrong: int
    bound: float


class CheckedLimit(Reached):
    """A limit that was tested."""

    passed: bool


def tail(wrong: int, n: int, share: float) -> float:
    """Return P(Binomial(n, share) ≤ wrong).

    >>> tail(0, 2, 0.5), round(tail(1, 3, 0.25), 6)
    (0.25, 0.84375)
    """
    if wrong >= n or share <= 0.0:
        return 1.0
    if share >= 1.0:
        return 0.0
    log_right, log_wrong = math.log1p(-share), math.log(share)
    logs = [
        math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1) + k * log_wrong + (n - k) * log_right
        for k in range(wrong + 1)
    ]
    most = max(logs)
    return min(1.0, math.exp(most) * math.fsum(math.exp(each - most) for each in logs))


def upper_bound(wrong: int, n: int, delta: float) -> float:
    """Return the Clopper-Pearson bound: the share is above it with probability `delta` at most.

    >>> round(upper_bound(0, 59, 0.05), 4), upper_bound(2, 2, 0.05), upper_bound(0, 0, 0.05)
    (0.0495, 1.0, 1.0)
    """
    if wrong >= n:
        return 1.0
    low, high = wrong / n, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if tail(wrong, n, middle) > delta else (low, middle)
    return high


def fewest_answers(alpha: float, delta: float, wrong: int = 0) -> int:
    """Return how many answers are needed so that `wrong` wrong ones among them still pass.

    >>> fewest_answers(0.05, 0.05), fewest_answers(0.1, 0.05), fewest_answers(0.05, 0.05, wrong=1)
    (59, 29, 93)
    """
    low, high = wrong, wrong + 1
    while tail(wrong, high, alpha) > delta:
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if tail(wrong, middle, alpha) > delta else (low, middle)
    return high


def check_limits(
    certainties: Sequence[float], right: Sequence[bool], alpha: float, delta: float
) -> tuple[CheckedLimit, ...]:
    """Test limits from the strictest down, up to the first that fails; the last that passed is the lowest.

    The first limit tested is the strictest that half of the answers reach, and no fewer than can pass: with
    fewer, a single wrong answer would end the tests.

    >>> tested = check_limits([0.9] * 60 + [0.6] * 10, [True] * 60 + [False] * 10, alpha=0.05, delta=0.05)
    >>> [(each.limit, each.supported, each.wrong) for each in tested if each.passed][-1], tested[-1].passed
    ((0.61, 60, 0), False)
    """
    first = max(fewest_answers(alpha, delta), len(right) // 2)
    tested: list[CheckedLimit] = []
    for limit in GRID:
        reached = [is_right for value, is_right in zip(certainties, right, strict=True) if value >= limit]
        if not tested and len(reached) < first:
            continue
        wrong = len(reached) - sum(reached)
        passed = tail(wrong, len(reached), alpha) <= delta
        bound = upper_bound(wrong, len(reached), delta)
        tested.append(
            CheckedLimit(limit=limit, supported=len(reached), wrong=wrong, bound=bound, passed=passed)
        )
        if not passed or limit <= min(certainties):  # below, no answer was seen
            break
    return tuple(tested)


def risk_curve(certainties: Sequence[float], right: Sequence[bool], delta: float) -> tuple[Reached, ...]:
    """Return the answers that reach each limit of the grid, from the strictest that any reaches down.

    Of neighbouring limits with the same answers, the lowest is taken. A curve is to be looked at: a limit
    chosen on it has no guarantee.

    >>> [(at.limit, at.supported, at.wrong) for at in risk_curve([0.9, 0.6], [True, False], delta=0.05)]
    [(0.61, 1, 0), (0.6, 2, 1)]
    """
    points: dict[int, Reached] = {}
    for limit in GRID:
        reached = [is_right for value, is_right in zip(certainties, right, strict=True) if value >= limit]
        if not reached or (limit < min(certainties) and len(reached) in points):
            continue
        wrong = len(reached) - sum(reached)
        points[len(reached)] = Reached(
            limit=limit, supported=len(reached), wrong=wrong, bound=upper_bound(wrong, len(reached), delta)
        )
    return tuple(points.values())


def wilson(hits: int, count: int, z: float = 1.96) -> Interval:
    """Return Wilson's interval of a share; of nothing, the whole range.

    >>> low, high = wilson(5, 10)
    >>> round(low, 3), round(high, 3), wilson(0, 0)
    (0.237, 0.763, Interval(low=0.0, high=1.0))
    """
    if not count:
        return Interval(0.0, 1.0)
    share, square = hits / count, z * z
    middle = (share + square / (2 * count)) / (1 + square / count)
    half = z * math.sqrt(share * (1 - share) / count + square / (4 * count * count)) / (1 + square / count)
    return Interval(max(0.0, middle - half), min(1.0, middle + half))
