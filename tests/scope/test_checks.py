"""The list of checks of an answer: each has one number, and every view shows the same."""

from __future__ import annotations

import pytest

from probative.scope.checks import AnswerCheck, Signals, first_failed, value_of
from probative.scope.conclude.certainty import certainty_models
from probative.scope.conclude.checks import model_checks
from probative.scope.result import Answer
from probative.types import Verdict
from probative.views.check import numbers
from probative.views.html import notebook

SIGNALS = Signals(
    chain_answerable=0.96,
    cited_answerable=0.05,
    window_answerable=0.04,
    entailed=0.9,
    denied=0.02,
    cited_entailed=0.97,
    fits_kind=1.0,
)


def test_readings_that_differ_make_one_number_that_decides() -> None:
    checks = model_checks(certainty_models().one, SIGNALS)
    failed = first_failed(checks)
    assert failed is not None
    assert failed.name == "answerable"
    assert failed.value == pytest.approx(0.35)
    assert failed.reason == "the reader hardly finds an answer in the chain (35%, and 40% is needed)"
    assert [check.name for check in checks] == ["entailed", "answerable", "kind", "certain"]


def test_every_view_shows_the_numbers_of_the_checks() -> None:
    checks = model_checks(certainty_models().one, SIGNALS)
    answer = Answer(question="?", answer=None, verdict=Verdict.INSUFFICIENT, checks=checks)
    assert "entailed 97%, answerable 35% ✗" in numbers(answer.checks)
    page = notebook(answer) or ""
    assert page.count("an answer in the chain") == 1
    assert "35%, and 40% is needed" in page
    assert "96%" not in page
    assert answer.to_dict()["checks"][1]["value"] == pytest.approx(0.35)


def test_support_must_exceed_denial() -> None:
    signals = Signals(entailed=0.55, denied=0.7)
    (entailed, *_) = model_checks(certainty_models().other, signals)
    assert (entailed.passed, entailed.value, entailed.needed) == (False, 0.55, 0.7)
    assert "reads something else" in entailed.text


def test_a_number_just_below_the_limit_is_shown_exactly() -> None:
    check = AnswerCheck(name="certain", passed=False, text="too uncertain", value=0.628, needed=0.63)
    assert check.number == "62.8%, and 63.0% is needed"
    assert value_of([check], "entailed") is None
