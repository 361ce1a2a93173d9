"""k = auto, the gain curve, and the verdict."""

from __future__ import annotations

import math

import pytest

from probative import McseOptions, Proof, Verdict, prove
from probative.mcse.verdict import coverage
from probative.testing import ScriptedModel
from probative.text.analyzer import analyzer_for

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


@pytest.mark.parametrize(
    ("claim", "sentence", "expected"),
    [
        ("The old mill burnt down in 1890.", "In 1890 the old mill burnt down.", Verdict.SUPPORTED),
        ("The old mill burnt down in 1890.", "The river is wide.", Verdict.INSUFFICIENT),
        ("The old mill burnt down in 1890.", "The old mill burnt down in 1894.", Verdict.CONTRADICTED),
        ("The old mill never burnt down.", "The old mill burnt down.", Verdict.CONTRADICTED),
        ("The mill does not work.", "The mill doesn’t work.", Verdict.SUPPORTED),
        ("It had 1000 guests that year.", "It had 1,000 guests that year.", Verdict.SUPPORTED),
    ],
)
def test_verdicts(claim: str, sentence: str, expected: Verdict) -> None:
    proof = prove(claim, [sentence], k=1, method="bm25", verdict=True)
    assert proof.verdict == expected
    assert proof.confidence is not None
    assert 0 < proof.confidence < 1


def test_the_verdict_is_off_unless_asked_for() -> None:
    proof = prove("The mill burnt.", ["The mill burnt."], k=1, method="bm25")
    assert (proof.verdict, proof.confidence) == (None, None)


def test_confidence_is_the_fitted_curve_of_coverage() -> None:
    proof = prove("The mill burnt down.", ["A mill burnt in 1890."], k=1, method="bm25", verdict=True)
    assert proof.confidence == pytest.approx(1 / (1 + math.exp(-(4.2 * 2 / 3 - 2.72))))


def test_coverage_and_conflicts() -> None:
    assert coverage("", "anything") == 0.0
    assert not analyzer_for().contradicts("It opened in 1911.", "It opened.")
    assert not analyzer_for().contradicts("It opened in 1911.", "In 1911 it opened with 12 rooms.")
    assert analyzer_for().contradicts("It had 3 rooms.", "It had 12 rooms.")


def test_a_negation_elsewhere_in_the_evidence_contradicts_nothing() -> None:
    text = ["The war began in 1914.", "Nobody had expected it in 1913."]
    proof = prove("The war began in 1914.", text, k=2, method="bm25", verdict=True)
    assert proof.verdict == Verdict.SUPPORTED


def test_what_is_contradicted_is_not_called_probable() -> None:
    proof = prove("The war began in 1914.", ["The war began in 1915."], k=1, method="bm25", verdict=True)
    assert proof.verdict == Verdict.CONTRADICTED
    assert proof.confidence is not None
    assert proof.confidence <= 0.2
