"""The list of checks of an answer: each has one number, and every view shows the same."""

from __future__ import annotations

import pytest

from probative.scope.checks import AnswerCheck, Signals, first_failed
from probative.scope.conclude.certainty import certainty_models
from probative.scope.conclude.verdict import model_checks, no_answer_check
from probative.scope.finding import NO_ANSWER, Chain, Finding, Reading
from probative.scope.question import Features, Judgements
from probative.scope.result import Answer
from probative.types import Verdict
from probative.views.html import notebook
from probative.views.terminal import show_result

SIGNALS = Signals(chain_answerable=0.3, completeness=0.6, probability=0.2, entailed=0.9, denied=0.02)


def test_an_entailed_answer_may_be_too_uncertain() -> None:
    checks = model_checks(certainty_models().one, SIGNALS, 0.9)
    assert [(check.name, check.passed) for check in checks] == [("entailed", True), ("certain", False)]
    failed = first_failed(checks)
    assert failed is not None
    assert failed.value == certainty_models().one.certainty(SIGNALS)
    assert failed.needed == 0.9


def test_every_view_shows_the_numbers_of_the_checks(capsys: pytest.CaptureFixture[str]) -> None:
    checks = model_checks(certainty_models().one, SIGNALS, 0.9)
    answer = Answer(question="?", answer=None, verdict=Verdict.INSUFFICIENT, checks=checks)
    certainty = f"{certainty_models().one.certainty(SIGNALS):.0%}"
    show_result(answer)
    printed = " ".join(capsys.readouterr().out.split())
    assert f"✗ the answer is too uncertain {certainty}, and 90% is needed" in printed
    page = notebook(answer) or ""
    assert page.count("the answer is too uncertain") == 1
    assert f"{certainty}, and 90% is needed" in page
    assert answer.to_dict()["checks"][0]["value"] == 0.9


def test_support_must_exceed_denial() -> None:
    signals = Signals(entailed=0.55, denied=0.7)
    (entailed, *_) = model_checks(certainty_models().other, signals)
    assert (entailed.passed, entailed.value, entailed.needed) == (False, 0.55, 0.7)
    assert "reads something else" in entailed.text


def test_a_number_just_below_the_limit_is_shown_exactly() -> None:
    check = AnswerCheck(name="certain", passed=False, text="too uncertain", value=0.628, needed=0.63)
    assert check.number == "62.8%, and 63.0% is needed"


def test_the_number_behind_unknown_is_that_of_unknown() -> None:
    nothing = Features(intent="town")
    chain = Chain((0,), Judgements(nothing, [[1.0]]), Judgements(nothing, [[1.0]]))
    reading = Reading(NO_ANSWER, answerable=0.03, declined=True)
    finding = Finding(chain, (0,), complete=True, missing=(), reading=reading, answerable=0.03)
    check = no_answer_check(finding)
    assert check.reason.endswith("“unknown” is more probable than any answer (97%)")
    # Beside the check's name stands how probable it is that there is an answer.
    assert check.value == 0.03
