"""The bounds against hand-worked values, exact fractions and a simulation."""

from __future__ import annotations

import math
import random
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from probative.calibration.bounds import check_limits, fewest_answers, tail, upper_bound, wilson


def exact_tail(wrong: int, n: int, share: Fraction) -> Fraction:
    terms = (math.comb(n, k) * share**k * (1 - share) ** (n - k) for k in range(min(wrong, n) + 1))
    return sum(terms, Fraction(0))


@given(n=st.integers(1, 60), wrong=st.integers(0, 60), share=st.integers(1, 99))
def test_the_tail_is_that_of_exact_fractions(n: int, wrong: int, share: int) -> None:
    exact = exact_tail(wrong, n, Fraction(share, 100))
    assert tail(wrong, n, share / 100) == pytest.approx(float(exact), rel=1e-9, abs=1e-12)


def test_the_bound_without_an_error_is_a_root() -> None:
    # (1 - p)^n = delta: p = 1 - 0.05^(1/10) for 10 answers.
    assert upper_bound(0, 10, 0.05) == pytest.approx(1 - 0.05 ** (1 / 10), abs=1e-9)


def test_the_bound_with_one_error_of_two() -> None:
    # P(at most one of two wrong) = 1 - p^2 = 0.05: p = sqrt(0.95).
    assert upper_bound(1, 2, 0.05) == pytest.approx(math.sqrt(0.95), abs=1e-9)


@given(n=st.integers(1, 80), wrong=st.integers(0, 80), delta=st.sampled_from([0.01, 0.05, 0.1]))
def test_the_bound_is_where_the_tail_is_delta(n: int, wrong: int, delta: float) -> None:
    bound = upper_bound(wrong, n, delta)
    if wrong >= n:
        assert bound == 1.0
    else:
        assert float(exact_tail(wrong, n, Fraction(bound))) == pytest.approx(delta, rel=1e-6)


@pytest.mark.parametrize(("alpha", "delta"), [(0.05, 0.05), (0.1, 0.05), (0.02, 0.1)])
def test_the_fewest_answers_without_an_error_follow_from_the_logarithms(alpha: float, delta: float) -> None:
    assert fewest_answers(alpha, delta) == math.ceil(math.log(delta) / math.log(1 - alpha))


@pytest.mark.parametrize("wrong", [0, 1, 2, 5])
def test_one_answer_fewer_would_not_do(wrong: int) -> None:
    n, share = fewest_answers(0.05, 0.05, wrong), Fraction(1, 20)
    assert exact_tail(wrong, n, share) <= share < exact_tail(wrong, n - 1, share)


def test_59_answers_without_an_error_pass_and_58_do_not() -> None:
    passed = check_limits([0.9] * 59, [True] * 59, alpha=0.05, delta=0.05)
    assert [(each.limit, each.passed) for each in passed] == [(0.9, True)], "no answer was seen below"
    assert check_limits([0.9] * 58, [True] * 58, alpha=0.05, delta=0.05) == ()


def test_limits_are_tested_from_the_strictest_down_to_the_first_that_fails() -> None:
    certainties = [0.95] * 60 + [0.75] * 40 + [0.55] * 100
    right = [True] * 100 + [False] * 20 + [True] * 80
    tested = check_limits(certainties, right, alpha=0.05, delta=0.05)
    # Half of 200 answers reach 0.75; with those at 0.55, 20 of 200 are wrong.
    assert [(each.limit, each.supported, each.wrong) for each in (tested[0], tested[-1])] == [
        (0.75, 100, 0),
        (0.55, 200, 20),
    ]
    assert [each.passed for each in tested] == [True] * 20 + [False]
    assert tested[-1].bound > 0.05


def test_a_limit_below_one_that_failed_is_never_chosen() -> None:
    certainties = [0.9] * 60 + [0.5] * 400
    right = [True] * 50 + [False] * 10 + [True] * 400
    tested = check_limits(certainties, right, alpha=0.05, delta=0.05)
    # Only at 0.5 do half of the answers count: 10 wrong of 460 pass there.
    assert (tested[0].limit, tested[0].wrong, tested[0].passed) == (0.5, 10, True)
    fewer = check_limits(certainties[:150], right[:150], alpha=0.05, delta=0.05)
    assert [(each.limit, each.passed) for each in fewer] == [(0.5, False)]


@pytest.mark.parametrize(("top", "bottom"), [(0.06, 0.06), (0.03, 0.2), (0.051, 0.9)])
def test_a_limit_with_too_many_wrong_answers_is_chosen_at_most_in_the_promised_share(
    top: float, bottom: float
) -> None:
    """Certainties are uniform; the share of wrong ones rises from `top` at 1 to `bottom` at 0."""
    rng = random.Random(7)
    alpha = delta = 0.1
    runs, failures = 400, 0
    for _ in range(runs):
        certainties = [rng.random() for _ in range(120)]
        right = [rng.random() >= bottom + (top - bottom) * each for each in certainties]
        passed = [each for each in check_limits(certainties, right, alpha, delta) if each.passed]
        if passed:
            limit = passed[-1].limit
            # The mean of a linear share over the certainties from the limit to 1.
            risk = bottom + (top - bottom) * (limit + 1) / 2
            failures += risk > alpha
    # Four standard deviations above the promise.
    assert failures / runs <= delta + 4 * math.sqrt(delta * (1 - delta) / runs)


def test_the_interval_of_wilson_by_hand() -> None:
    # 0 of 4: centre z²/2n / (1 + z²/n) = half width, so low is 0 and high is z²/(n + z²).
    low, high = wilson(0, 4)
    assert (low, high) == pytest.approx((0.0, 1.96**2 / (4 + 1.96**2)))
