"""Probabilities and thresholds from held-out scores."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from probative.graph.veracity.calibration import NEVER, RELIABLE, calibrate

SCORES = st.lists(st.floats(-50, 50), min_size=1, max_size=30)


def test_scores_that_tell_true_from_false_give_thresholds_on_both_sides() -> None:
    random = np.random.default_rng(0)
    fitted = calibrate(random.normal(2.0, 1.0, 400), random.normal(-2.0, 1.0, 1600))
    assert RELIABLE <= fitted.holds < 1
    assert 0 < fitted.fails <= 1 - RELIABLE
    assert fitted.auroc is not None
    assert fitted.auroc > 0.99
    assert fitted.probabilities(np.array([-3.0, 0.0, 3.0])) == pytest.approx([0.0, 0.5, 1.0], abs=0.06)


def test_a_probability_is_the_share_of_true_triples_with_such_a_score() -> None:
    # At score 1 three of four are true (as many false ones exist in all, so weights are equal).
    fitted = calibrate(np.array([1.0] * 300 + [-1.0] * 100), np.array([1.0] * 100 + [-1.0] * 300))
    assert fitted.probabilities(np.array([1.0, -1.0])) == pytest.approx([0.75, 0.25], abs=0.01)


def test_scores_that_tell_nothing_leave_everything_uncertain() -> None:
    same = np.random.default_rng(1).normal(size=500)
    fitted = calibrate(same, same)
    assert (fitted.holds, fitted.fails) == (NEVER, 1 - NEVER)
    assert fitted.probabilities(np.array([5.0]))[0] == pytest.approx(0.5, abs=0.05)


def test_two_held_out_triples_are_no_evidence() -> None:
    fitted = calibrate(np.array([9.0, 8.0]), np.array([-9.0, -8.0]))
    assert fitted.holds == NEVER


def test_a_score_that_is_higher_for_false_triples_is_not_believed() -> None:
    fitted = calibrate(np.full(50, -1.0), np.full(50, 1.0))
    assert fitted.slope == 0.0
    assert fitted.holds == NEVER


@given(SCORES, SCORES)
def test_a_higher_score_is_never_less_probable(true: list[float], false: list[float]) -> None:
    fitted = calibrate(np.array(true), np.array(false))
    p = fitted.probabilities(np.linspace(-60, 60, 50))
    assert (np.diff(p) >= 0).all()
    assert np.isfinite(p).all()
    assert fitted.fails < fitted.holds
