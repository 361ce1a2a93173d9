"""The scorer and its gradient, by hand and by finite differences."""

from __future__ import annotations

import numpy as np
import pytest

from probative.graph.veracity.scorer import Batch, Parameters, loss_and_gradient, scores, sigmoid


def parameters(seed: int = 0) -> Parameters:
    random = np.random.default_rng(seed)
    started = Parameters.start(5, 3, random, dimensions=4)
    # In float64, and nowhere zero, so that every difference can be measured.
    return Parameters(
        **{name: random.normal(0.0, 0.5, array.shape) for name, array in started.arrays().items()}
    )


def batch(seed: int = 1) -> Batch:
    random = np.random.default_rng(seed)
    return Batch(
        head_vectors=random.normal(size=(4, 5)),
        tail_vectors=random.normal(size=(3, 5)),
        heads=np.array([0, 1, 1, 3, 2, 0]),
        relations=np.array([0, 2, 2, 1, 0, 2]),
        tails=np.array([2, 0, 1, 1, 0, 2]),
        labels=np.array([1.0, 1.0, 0.0, 0.0, 1.0, 0.0]),
        weights=np.array([0.3, 0.1, 0.2, 0.1, 0.2, 0.1]),
    )


def test_a_score_is_the_sum_of_its_four_parts() -> None:
    # a = (1, 2), b = (3, 1): 2·1·3 + 0·2·1 = 6; u·a = 1·1 + 1·2 = 3; v·b = 0·3 + 5·1 = 5; bias 7.
    tiny = Parameters(
        head_map=np.array([[1.0, 2.0]]),
        tail_map=np.array([[3.0, 1.0]]),
        products=np.array([[2.0, 0.0]]),
        head_terms=np.array([[1.0, 1.0]]),
        tail_terms=np.array([[0.0, 5.0]]),
        bias=np.array([7.0]),
    )
    assert scores(tiny, np.ones((1, 1)), np.array([0]), np.ones((1, 1))).tolist() == [21.0]


def test_the_loss_is_the_weighted_logistic_loss() -> None:
    own, given = parameters(), batch()
    values = scores(own, given.head_vectors[given.heads], given.relations, given.tail_vectors[given.tails])
    p = 1 / (1 + np.exp(-values))
    expected = -(given.weights * (given.labels * np.log(p) + (1 - given.labels) * np.log(1 - p))).sum()
    assert loss_and_gradient(own, given)[0] == pytest.approx(expected)


@pytest.mark.parametrize("name", list(Parameters.__dataclass_fields__))
def test_the_gradient_is_the_slope_of_the_loss(name: str) -> None:
    own, given = parameters(), batch()
    gradient = loss_and_gradient(own, given)[1].arrays()[name]
    array = own.arrays()[name]
    for place in np.ndindex(array.shape):
        before = array[place]
        array[place] = before + 1e-6
        above = loss_and_gradient(own, given)[0]
        array[place] = before - 1e-6
        below = loss_and_gradient(own, given)[0]
        array[place] = before
        assert gradient[place] == pytest.approx((above - below) / 2e-6, abs=1e-7)


def test_the_sigmoid_of_any_number_is_finite() -> None:
    assert sigmoid(np.array([-1e9, 1e9])).tolist() == [0.0, 1.0]
