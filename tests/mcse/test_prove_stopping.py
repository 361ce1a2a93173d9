"""k = auto, and the gain curve."""

from __future__ import annotations

import pytest

from probative import McseOptions, Proof, prove
from probative.testing import ScriptedModel

GAINS = {"": -50.0, "A": -30.0, "B": -45.0, "C": -49.0, "A B": -20.0, "A C": -29.9, "A B C": -19.9}


def scripted() -> ScriptedModel:
    return ScriptedModel(score=lambda prompt, claim: GAINS.get(prompt[1:-1], -60.0))


def run(k: int | str, **changes: object) -> Proof:
    options = McseOptions(lookahead=0, prompt="<{evidence}>")
    return prove("c", ["A", "B", "C"], k=k, model=scripted(), options=options, **changes)  # type: ignore[arg-type]


def test_the_gain_curve_is_the_rise_over_no_evidence() -> None:
    proof = run(3)
    assert proof.indexes == (0, 1, 2)
    assert [sentence.gain for sentence in proof.evidence] == pytest.approx([20, 10, 0.1])
    assert proof.curve == pytest.approx((20, 30, 30.1))


def test_auto_stops_where_the_next_sentence_adds_too_little() -> None:
    # A scripted score has one token, so the threshold is in nats for the whole claim.
    assert run("auto", min_gain=5.0).indexes == (0, 1)
    assert run("auto", min_gain=15.0).indexes == (0,)
    assert run("auto", min_gain=0.01).indexes == (0, 1, 2)


def test_auto_takes_at_least_one_and_no_more_than_most() -> None:
    assert run("auto", min_gain=1000.0).indexes == (0,)
    assert run("auto", min_gain=0.0, max_sentences=2).indexes == (0, 1)
