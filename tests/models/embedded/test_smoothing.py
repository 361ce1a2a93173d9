"""Smoothing changes the weights and not what they compute."""

from __future__ import annotations

import copy

import numpy as np
import pytest

from probative.models.embedded.smoothing import Layer, Shape, Smoother, factors

SHAPE = Shape(heads=4, heads_kv=2, rotary_base=10000.0, epsilon=1e-5)
SIZE, INNER, WIDTH = 32, 48, 8


@pytest.fixture
def layer() -> Layer:
    draw = np.random.default_rng(3)

    def matrix(rows: int, columns: int) -> np.ndarray:
        return draw.normal(0, 0.3, (rows, columns)).astype(np.float32)

    gain = np.ones(SIZE, dtype=np.float32)
    gain[5] = 40.0  # a channel that drowns the others
    return Layer(
        attention_norm=gain.copy(),
        query=matrix(SIZE, SIZE),
        key=matrix(2 * WIDTH, SIZE),
        value=matrix(2 * WIDTH, SIZE),
        output=matrix(SIZE, SIZE),
        feed_norm=gain.copy(),
        gate=matrix(INNER, SIZE),
        up=matrix(INNER, SIZE),
        down=matrix(SIZE, INNER),
    )


def smoother() -> Smoother:
    draw = np.random.default_rng(4)
    embeddings = draw.normal(0, 1, (50, SIZE)).astype(np.float32)
    return Smoother(embeddings, [list(range(20)), list(range(20, 50))], SHAPE)


def test_a_smoothed_layer_computes_the_same(layer: Layer) -> None:
    before, smoothed = smoother(), copy.deepcopy(layer)
    before.smooth(smoothed)
    after = smoother()
    after.smooth(copy.deepcopy(smoothed))  # runs the smoothed weights on the same text
    np.testing.assert_allclose(after._states, before._states, rtol=2e-3, atol=2e-3)
    assert not np.allclose(smoothed.query, layer.query)


def test_the_largest_channel_comes_closer_to_the_others(layer: Layer) -> None:
    original = layer.attention_norm.copy()
    smoother().smooth(layer)
    spread = [gain.max() / np.median(gain) for gain in (original, layer.attention_norm)]
    assert spread[0] == pytest.approx(40.0)
    assert spread[1] < 12


def test_factors_are_the_root_of_the_ratio_and_one_on_average() -> None:
    largest = np.array([100.0, 1.0, 4.0], dtype=np.float32)
    weight = np.array([[1.0, -4.0, 1.0], [0.5, 1.0, -1.0]], dtype=np.float32)
    expected = np.sqrt([100.0, 0.25, 4.0])
    np.testing.assert_allclose(factors(largest, weight), expected / expected.prod() ** (1 / 3), rtol=1e-5)
