"""How a guarantee, its lack and a test are shown."""

from __future__ import annotations

import pytest

from probative import Answer, Verdict
from probative.calibration.bounds import CheckedLimit
from probative.calibration.labels import Calibration
from probative.calibration.self_test import ClaimOutcome, CurvePoint, SelfTest, Share
from probative.scope.result import Guarantee
from probative.views.calibration import MAX_LISTED
from probative.views.html import notebook
from probative.views.terminal import show_result

GUARANTEE = Guarantee(alpha=0.05, delta=0.05, n=120, kind="given")
SENTENCE = "at most 5% of supported answers to questions like the 120 drawn are wrong, with 95% confidence"


def shown(result: object, capsys: pytest.CaptureFixture[str]) -> str:
    show_result(result)
    return " ".join(capsys.readouterr().out.split())


def test_a_supported_answer_says_what_is_guaranteed(capsys: pytest.CaptureFixture[str]) -> None:
    answer = Answer(
        question="Where?", answer="Molde", verdict=Verdict.SUPPORTED, complete=True, guarantee=GUARANTEE
    )
    assert f"guarantee: {SENTENCE}" in shown(answer, capsys)
    assert SENTENCE in (notebook(answer) or "")


def test_an_answer_that_is_not_supported_has_no_guarantee_to_show(capsys: pytest.CaptureFixture[str]) -> None:
    answer = Answer(question="Where?", answer=None, verdict=Verdict.INSUFFICIENT, guarantee=GUARANTEE)
    assert "guarantee" not in shown(answer, capsys)


def test_questions_that_a_model_made_are_named_as_such() -> None:
    made = GUARANTEE.model_copy(update={"kind": "made"})
    assert "questions like the 120 made from the documents" in made.text


def test_the_limits_that_were_tested_are_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    limits = (
        CheckedLimit(limit=0.8, supported=70, wrong=0, bound=0.042, passed=True),
        CheckedLimit(limit=0.79, supported=75, wrong=4, bound=0.118, passed=False),
    )
    result = Calibration(
        kind="guarantee",
        alpha=0.05,
        delta=0.05,
        questions=120,
        supported=90,
        labelled=90,
        wrong=4,
        needed=59,
        limits=limits,
        limit=0.8,
        guarantee=GUARANTEE,
        index="ships.index",
    )
    text = shown(result, capsys)
    assert "supported from a certainty of 80% on; kept with ships.index" in text
    assert "80% 70 0 4.2% yes 79% 75 4 11.8% no" in text


def test_a_self_test_is_called_a_test_and_lists_wrong_verdicts(capsys: pytest.CaptureFixture[str]) -> None:
    claims = (
        ClaimOutcome(
            kind="number",
            claim="The hall seats 90.",
            sentence="The hall seats 80.",
            citation="a",
            verdict=Verdict.SUPPORTED,
            supported=0.8,
        ),
    ) * (MAX_LISTED + 2)
    none, one = Share.of([]), Share.of([True])
    test = SelfTest(
        claims=claims,
        believed=none,
        caught=Share.of([False]),
        accepted=one,
        invented=none,
        denied=none,
        kinds={"number": Share.of([False])},
        curve=(CurvePoint(limit=0.5, true=0, false=1, not_stated=0),),
        seed=1,
        index="ships.index",
        version=1,
        asked=20,
    )
    text = shown(test, capsys)
    assert "20 were asked for: the documents have too few whole sentences" in text
    assert "were asked for" not in shown(test.model_copy(update={"asked": len(claims)}), capsys)
    assert text.startswith("a test of this corpus, not a guarantee: 10 claims made of its sentences")
    assert "falsified claims believed 1 of 1 100% 21% to 100%" in text
    assert "wrong verdicts, the first 8" in text
    assert text.count("number supported The hall seats 90.") == MAX_LISTED
