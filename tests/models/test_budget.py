from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from probative import Budget, BudgetError, Prices, Request, ResponseCache, Usage
from probative.models.wrappers import budgeted, cached
from probative.testing import ScriptedModel


def echo(request: Request) -> str:
    return request.messages[-1].content


def test_it_stops_before_the_call_that_would_exceed_it_and_keeps_what_is_done() -> None:
    inner = ScriptedModel(generate=echo)
    budget = Budget(calls=3)
    with pytest.raises(BudgetError, match="3 calls") as caught:
        budgeted(inner, budget).generate(["a", "b", "c", "d", "e"])
    assert [result.text if result else None for result in caught.value.results] == ["a", "b", "c", None, None]
    assert len(inner.asked) == budget.spent.calls == 3


def test_tokens_are_held_at_their_dearest_and_settled_at_what_they_were() -> None:
    """Worked by hand: a request of 1 word that may write 10 tokens holds 11 and, writing 1, costs 2.
    Of 30 tokens, a call may go out while at most 19 are spent: after 9 calls 18 are, so the tenth goes
    out; then 20 are spent, and the eleventh does not."""
    inner = ScriptedModel(generate=echo)
    budget = Budget(tokens=30)
    requests = [Request.user(f"w{i}", max_tokens=10) for i in range(20)]
    with pytest.raises(BudgetError) as caught:
        budgeted(inner, budget).generate(requests)
    done = [result for result in caught.value.results if result is not None]
    assert len(done) == len(inner.asked) == 10
    assert budget.spent.tokens == 20


def test_money_counts_by_the_users_prices() -> None:
    budget = Budget(money=0.05, prices=Prices(prompt=1000.0, completion=2000.0))
    model = budgeted(ScriptedModel(generate=echo), budget)
    # One word in and at most 5 out: 0.001 + 0.010 held, 0.001 + 0.002 spent.
    with pytest.raises(BudgetError, match=r"0\.05 in money") as caught:
        model.generate([Request.user("w", max_tokens=5, sample=i) for i in range(50)])
    done = sum(result is not None for result in caught.value.results)
    assert done == 14  # 13 spend 0.039, and 0.039 + 0.011 = 0.05 still fits; 14 spend 0.042
    assert budget.spent_money == pytest.approx(0.042)


def test_scores_and_choices_count_too() -> None:
    inner = ScriptedModel(score=lambda p, c: -1.0, choose=lambda p, o: [1, 1])
    budget = Budget(tokens=10)
    model = budgeted(inner, budget)
    model.score([("one two", " three")])
    model.choose(["four"], ["five", "six"])
    assert budget.spent == Usage(calls=2, scored_tokens=4)
    with pytest.raises(BudgetError):
        model.score([("a b c d e", " f g")])


def test_what_is_cached_costs_nothing() -> None:
    from probative.settings import load_settings

    budget = Budget(calls=2)
    inner = budgeted(ScriptedModel(generate=echo), budget)
    model = cached(inner, ResponseCache(load_settings().cache_file))
    model.generate(["a", "b"])
    assert [result.text for result in model.generate(["b", "a"])] == ["b", "a"]
    with pytest.raises(BudgetError):
        model.generate(["c"])


def test_a_failed_call_counts_as_a_call() -> None:
    from probative import ModelError

    budget = Budget(calls=1)
    with pytest.raises(ModelError, match="broken"):
        budgeted(ScriptedModel(generate=[ModelError("broken")]), budget).generate(["a"])
    assert budget.spent.calls == 1
    assert budget._held == Usage()


def test_one_budget_can_be_shared_by_two_models() -> None:
    budget = Budget(calls=3)
    one, two = (budgeted(ScriptedModel(generate=echo), budget) for _ in range(2))
    one.generate(["a", "b"])
    two.generate(["c"])
    with pytest.raises(BudgetError):
        one.generate(["d"])


def test_a_call_that_does_not_fit_waits_for_those_under_way() -> None:
    """Worked by hand: each call holds 11 tokens of 15 and costs 2, so one goes out at a time, as long as at
    most 4 tokens are spent: three of four calls."""
    budget = Budget(tokens=15)
    model = budgeted(ScriptedModel(generate=slow_echo), budget)

    def ask(word: str) -> str | None:
        try:
            return model.generate([Request.user(word, max_tokens=10)])[0].text
        except BudgetError:
            return None

    with ThreadPoolExecutor(4) as threads:
        answers = list(threads.map(ask, "abcd"))
    assert sum(answer is not None for answer in answers) == budget.spent.calls == 3


def test_the_refused_call_knows_what_is_spent_although_it_came_early() -> None:
    model = budgeted(ScriptedModel(generate=slow_echo), Budget(calls=2))
    with ThreadPoolExecutor(4) as threads:
        futures = [threads.submit(model.generate, [word]) for word in "abcd"]
    errors = [error for future in futures if (error := future.exception()) is not None]
    assert len(errors) == 2
    assert all("2 calls and 4 tokens spent" in str(error) for error in errors)


def slow_echo(request: Request) -> str:
    time.sleep(0.05)
    return request.messages[-1].content
