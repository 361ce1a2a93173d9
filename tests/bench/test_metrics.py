"""Every metric against values worked out by hand and against a brute-force definition."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from probative.bench.metrics import (
    answer_f1,
    auroc,
    auroc_interval,
    best_gold,
    exact_match,
    f1_interval,
    mean_interval,
    normalise_answer,
    overlap,
    set_f1,
    wilson_interval,
)

scores = st.lists(st.integers(-4, 4).map(float), min_size=1, max_size=12)
indexes = st.frozensets(st.integers(0, 6), max_size=5)
texts = st.text(alphabet="abehnt .,'", max_size=24)


@given(scores, scores)
def test_auroc_counts_pairs(positive: list[float], negative: list[float]) -> None:
    pairs = [(p > n) + 0.5 * (p == n) for p in positive for n in negative]
    assert auroc(positive, negative) == pytest.approx(sum(pairs) / len(pairs))
    assert auroc(negative, positive) == pytest.approx(1 - auroc(positive, negative))


def test_auroc_takes_arrays_and_has_no_value_for_nothing() -> None:
    assert auroc(np.array([2.0, 3.0]), np.array([1.0, 2.0])) == 0.875
    assert math.isnan(auroc([], [1.0]))
    assert math.isnan(auroc([1.0], []))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The Sea-Lark, of Molde!", "sea lark of molde"),
        ("an 'A' and a THE", "and"),
        ("  theatre  ", "theatre"),
        ("U.S.", "u s"),
    ],
)
def test_normalised_answers(text: str, expected: str) -> None:
    assert normalise_answer(text) == expected


@given(texts)
def test_normalising_twice_changes_nothing(text: str) -> None:
    assert normalise_answer(normalise_answer(text)) == normalise_answer(text)


@given(texts, texts)
def test_answer_f1_is_the_harmonic_mean_of_precision_and_recall(answer: str, gold: str) -> None:
    words, gold_words = normalise_answer(answer).split(), normalise_answer(gold).split()
    common = sum(min(n, Counter(gold_words)[word]) for word, n in Counter(words).items())
    if common:
        precision, recall = common / len(words), common / len(gold_words)
        assert answer_f1(answer, gold) == pytest.approx(2 * precision * recall / (precision + recall))
    else:
        assert answer_f1(answer, gold) == 0.0
    assert answer_f1(answer, gold) == answer_f1(gold, answer)
    if exact_match(answer, gold) and words:
        assert answer_f1(answer, gold) == 1.0


def test_overlap_by_hand() -> None:
    # 3 hits of 5 chosen and 4 gold sentences.
    pairs = [({0, 1, 2}, {0, 1}), ({4, 5}, {5, 6})]
    assert overlap(pairs) == pytest.approx((60.0, 75.0, 100 * 6 / 9))
    assert overlap([(set(), {1})]) == (0.0, 0.0, 0.0)


@given(st.lists(st.tuples(indexes, indexes), min_size=1, max_size=6))
def test_overlap_of_one_claim_is_set_f1(pairs: list[tuple[frozenset[int], frozenset[int]]]) -> None:
    for chosen, gold in pairs:
        assert overlap([(chosen, gold)]).f1 == pytest.approx(100 * set_f1(chosen, gold))
    hits = sum(len(chosen & gold) for chosen, gold in pairs)
    total = sum(len(chosen) + len(gold) for chosen, gold in pairs)
    assert overlap(pairs).f1 == pytest.approx(200 * hits / max(1, total))


def test_of_several_gold_sets_the_one_that_fits_best_counts() -> None:
    small, large, other = frozenset({0}), frozenset({0, 1}), frozenset({7})
    assert best_gold({0, 1}, [small, large, other]) == large
    assert best_gold({0}, [large, small]) == small
    assert best_gold({5}, [large, other, small]) == other  # none fits: the smallest, and of these the first


@settings(max_examples=20)
@given(st.lists(st.floats(0, 1), min_size=2, max_size=30))
def test_the_interval_of_a_mean_holds_the_mean_and_lies_within_the_values(values: list[float]) -> None:
    low, high = mean_interval(values)
    assert min(values) - 1e-9 <= low <= high <= max(values) + 1e-9
    assert low - 1e-9 <= sum(values) / len(values) <= high + 1e-9


def test_the_interval_of_a_mean_is_that_of_the_normal_distribution_for_many_values() -> None:
    low, high = mean_interval([0.0, 1.0] * 200)
    assert (low, high) == pytest.approx((0.5 - 1.96 * 0.025, 0.5 + 1.96 * 0.025), abs=0.005)


def test_intervals_are_the_same_every_time_and_narrow_with_more_claims() -> None:
    pairs = [({0}, {0}), ({1}, {2})]
    assert f1_interval(pairs) == f1_interval(pairs)
    few, many = f1_interval(pairs * 5), f1_interval(pairs * 50)
    assert few.low < many.low < 50 < many.high < few.high
    low, high = auroc_interval([0.5, 0.6, 0.7, 0.8], [0.1, 0.2, 0.65, 0.3], resamples=200)
    assert low <= auroc([0.5, 0.6, 0.7, 0.8], [0.1, 0.2, 0.65, 0.3]) <= high


@given(st.integers(1, 200).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_wilsons_interval_solves_its_equation(counts: tuple[int, int]) -> None:
    hits, count = counts
    share = hits / count
    for bound in wilson_interval(hits, count):
        p = bound / 100
        if 0 < p < 1:  # (share - p)² = z² p (1 - p) / n
            assert (share - p) ** 2 == pytest.approx(1.96**2 * p * (1 - p) / count, abs=1e-9)
