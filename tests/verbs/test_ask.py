"""The limit of a guarantee, applied to an answer as a whole."""

from __future__ import annotations

import pytest

from probative import Verdict
from probative.scope.result import ScopeResult
from probative.verbs.ask import at_limit


def found(certainty: float | None) -> ScopeResult:
    return ScopeResult((), Verdict.SUPPORTED, complete=True, answer="Molde; 1894", certainty=certainty)


@pytest.mark.parametrize("certainty", [0.49, None])
def test_an_answer_below_the_limit_becomes_a_candidate(certainty: float | None) -> None:
    # Two parts with 70% each reach 60%; together they have 49%, and so the labels counted them.
    result = at_limit(found(certainty), 0.6)
    assert (result.verdict, result.complete) == (Verdict.INSUFFICIENT, False)
    assert (result.answer, result.candidate) == (None, "Molde; 1894")
    assert "60% is needed" in (result.reason or "")


def test_an_answer_at_the_limit_stays() -> None:
    assert at_limit(found(0.6), 0.6) == found(0.6)
