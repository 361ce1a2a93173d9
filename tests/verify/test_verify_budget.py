"""A budget bounds verify as it bounds the other verbs."""

from __future__ import annotations

import pytest
from verifying import PASSAGES, by_overlap, ruled_by_words

import probative
from probative.models.budget import Budget
from probative.testing import ScriptedModel

TEXT = "The mill burnt down in 1890. The wheel is made of oak. Herons eat fish."


def session_of(budget: Budget, *, cache: bool = False) -> probative.Session:
    settings = probative.load_settings({"cache": cache})
    return probative.Session(policy=by_overlap(), verdict=ruled_by_words(), settings=settings, budget=budget)


@pytest.mark.parametrize("cache", [True, False])
@pytest.mark.parametrize("budget", [{"calls": 1}, {"tokens": 10}])
def test_no_call_beyond_the_budget_is_made(budget: dict[str, int], cache: bool) -> None:
    limit = Budget(**budget)  # type: ignore[arg-type]
    with session_of(limit, cache=cache) as session:
        with pytest.raises(probative.BudgetError, match="would be exceeded"):
            session.verify(TEXT, PASSAGES)
        assert session.usage.calls == limit.spent.calls <= 1
        assert session.usage.tokens <= 10 or "calls" in budget


def test_the_error_has_the_claims_that_were_checked() -> None:
    with session_of(Budget()) as session:
        whole = session.verify(TEXT, PASSAGES)
    budget = Budget(calls=whole.usage.calls - 1)
    with session_of(budget) as session, pytest.raises(probative.BudgetError) as caught:
        session.verify(TEXT, PASSAGES)
    first, second, third = caught.value.results
    assert (first.claim, second.claim, third) == (whole.claims[0].claim, whole.claims[1].claim, None)


def test_a_budget_that_is_enough_changes_nothing() -> None:
    with session_of(Budget()) as session:
        whole = session.verify(TEXT, PASSAGES)
    budget = Budget(calls=whole.usage.calls)
    with session_of(budget) as session:
        assert session.verify(TEXT, PASSAGES).claims == whole.claims
    assert budget.spent.calls == whole.usage.calls
    assert budget.under_way().calls == 0


def test_cached_readings_cost_no_budget() -> None:
    with session_of(Budget(), cache=True) as session:
        session.verify(TEXT, PASSAGES)
    with session_of(Budget(calls=0), cache=True) as session:
        assert len(session.verify(TEXT, PASSAGES).claims) == 3


def test_a_session_with_another_model_counts_once() -> None:
    budget = Budget()
    with session_of(budget) as session:
        verification = session.with_model(ScriptedModel()).verify(TEXT, PASSAGES)
    assert budget.spent.calls == verification.usage.calls
