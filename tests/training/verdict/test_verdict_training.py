"""Claims to train on, and the fit of the curves, on texts of our own."""

from __future__ import annotations

import random

import numpy as np
import pytest

from training.verdict.calibrate import apply, balanced_weights, fit
from training.verdict.data import with_others
from training.verdict.edits import change, edited
from training.verdict.example import Judged
from training.verdict.questions import wrong_answer

TEXT = (
    "Ada Berg built the mill in 1842.",
    "The mill stood north of Molde.",
    "Ole Lund bought the mill in 1871.",
    "The mill was not insured.",
)


def test_changed_sentences_differ_in_one_thing() -> None:
    rng = random.Random(4)
    for sentence in TEXT:
        changed = change(sentence, TEXT, rng)
        assert changed is not None
        assert changed != sentence
    assert change("Nothing happened there.", ["Nothing happened there."], rng) is None


def test_invented_claims_have_the_label_that_follows_from_how_they_are_made() -> None:
    rows = list(
        edited(
            [TEXT, ("It rained all day.", "Herons flew over the lake.", "Nobody came.")], 60, random.Random(1)
        )
    )
    assert {row.label for row in rows} == {"supported", "contradicted", "insufficient"}
    for row in rows:
        stated = " ".join(row.evidence)
        if row.label == "supported":
            assert all(part.strip() in stated for part in row.claim.split(". ")[0:1])
        if row.label == "contradicted":
            assert row.claim not in stated
            assert len(row.gold) == 1


def test_a_wrong_answer_is_of_the_kind_of_the_right_one() -> None:
    rng = random.Random(2)
    assert wrong_answer("When was it built?", "1842", TEXT, rng) == "1871"
    assert wrong_answer("Who built it?", "Ada Berg", TEXT, rng) in ("Ole Lund", "Molde")
    assert wrong_answer("Who built it?", "Ada Berg", ("Ada Berg built it.",), rng) is None


def test_padding_keeps_the_deciding_sentence() -> None:
    rows = [Judged(f"Claim number {n}.", (f"Sentence number {n}.",), "supported", "own") for n in range(300)]
    padded = list(with_others(rows, random.Random(3)))
    longer = [row for row in padded if len(row.evidence) > 1]
    assert longer
    for row in longer:
        (place,) = row.gold
        assert row.evidence[place].split()[-1] == row.claim.split()[-1]


def test_the_curves_are_calibrated_on_what_they_are_fitted_on() -> None:
    rng = np.random.default_rng(1)
    odds = rng.normal(0, 3, 4000)
    chances = 1 / (1 + np.exp(-0.4 * odds))
    labels = np.where(rng.random(4000) < chances, 0, 2)
    readings = np.stack([odds, np.zeros(4000)], 1)
    curves = fit(readings, labels, np.ones(4000, bool), np.ones(4000))
    assert curves.support.claim == pytest.approx(0.4, abs=0.05)
    stated = apply(curves, readings)
    assert stated.sum(1) == pytest.approx(1.0)
    assert stated[:, 0].mean() == pytest.approx(float(np.mean(labels == 0)), abs=0.02)
    assert balanced_weights(["a"] * 3 + ["b"], np.array([0, 0, 1, 0])).sum() == pytest.approx(4.0)
