"""Searches side by side: one batch a round, and each search's errors its own."""

from __future__ import annotations

import pytest
from scripts import pseudo_random

from probative import Budget, BudgetError, ContextError, ModelError, Trace, load_model
from probative.engine.methods import Tools
from probative.engine.runner import run_searches
from probative.engine.search import Ask, Search
from probative.models.contract import LanguageModel
from probative.models.encoder import Encoder
from probative.testing import ScriptedModel


def no_encoder() -> Encoder:
    raise AssertionError("no encoder was expected")


def tools(model: LanguageModel) -> Tools:
    return Tools(lambda: model, no_encoder)


class Batches(ScriptedModel):
    """Notes how many pairs came at a time."""

    def score(self, pairs, *, progress=None):  # type: ignore[no-untyped-def]
        self.sizes = [*getattr(self, "sizes", []), len(pairs)]
        return super().score(pairs, progress=progress)


def steps(name: str, rounds: int) -> Search[list[float]]:
    found = []
    for number in range(rounds):
        scores = yield Ask("score", [(f"{name}{number}", "x"), (f"{name}{number}", "y")], "strength")
        found.append(sum(score.log_probability for score in scores))
    return found


def test_a_round_of_all_searches_is_one_batch_and_each_gets_its_own() -> None:
    model = Batches(score=lambda prompt, claim: -pseudo_random(prompt + claim))
    ends = dict(run_searches([steps("a", 3), steps("b", 1), steps("c", 2)], tools(model)))
    assert model.sizes == [6, 4, 2]
    for place, (name, rounds) in enumerate([("a", 3), ("b", 1), ("c", 2)]):
        expected = [-pseudo_random(f"{name}{n}x") - pseudo_random(f"{name}{n}y") for n in range(rounds)]
        assert ends[place].result == expected
        assert ends[place].usage.calls == 2 * rounds


def test_no_more_than_so_many_are_under_way_and_all_come_through() -> None:
    model = Batches(score=lambda prompt, claim: -1.0)
    ends = dict(run_searches((steps(str(n), 1 + n % 3) for n in range(7)), tools(model), max_active=2))
    assert sorted(ends) == list(range(7))
    assert max(model.sizes) == 4


def test_an_error_ends_only_the_search_that_asked() -> None:
    class Choosy(ScriptedModel):
        def _score(self, pairs):  # type: ignore[no-untyped-def]
            for index, outcome in super()._score(pairs):
                wrong = pairs[index].prompt.startswith("b")
                yield index, ContextError("too long") if wrong else outcome

    ends = dict(run_searches([steps("a", 2), steps("b", 2)], tools(Choosy(score=lambda p, c: -1.0))))
    assert ends[0].error is None
    assert ends[0].result == [-2.0, -2.0]
    assert isinstance(ends[1].error, ContextError)


def test_a_search_may_go_on_after_an_error() -> None:
    class Refusing(ScriptedModel):
        def _score(self, pairs):  # type: ignore[no-untyped-def]
            for index, _ in enumerate(pairs):
                yield index, ModelError("no")

    def patient() -> Search[str]:
        try:
            yield Ask("score", [("a", "b")], "strength")
        except ModelError:
            return "went on"
        return "was answered"

    ((_, ended),) = run_searches([patient()], tools(Refusing(score=lambda p, c: -1.0)))
    assert ended.result == "went on"


def test_a_budget_stops_each_with_a_budget_error_and_keeps_what_was_done() -> None:
    inner = ScriptedModel(score=lambda prompt, claim: -1.0)
    model = load_model(inner, budget=Budget(calls=6), cache=False)
    ends = dict(run_searches([steps("a", 1), steps("b", 2)], tools(model)))
    assert ends[0].result == [-2.0]
    assert ends[1].error is None or isinstance(ends[1].error, BudgetError)
    more = dict(run_searches([steps("c", 2)], tools(model)))
    assert isinstance(more[0].error, BudgetError)


def test_steps_are_named_in_the_trace() -> None:
    model = load_model(ScriptedModel(score=lambda prompt, claim: -1.0), cache=False)
    with Trace("run") as trace:
        list(run_searches([steps("a", 1)], tools(model)))
    strength = trace.root.find("strength")
    assert strength is not None
    assert len(strength.calls) == 2


def test_a_search_that_asks_nothing_needs_no_model() -> None:
    def answer() -> Search[int]:
        yield from ()
        return 42

    def none() -> LanguageModel:
        raise AssertionError("no model was expected")

    ((place, ended),) = run_searches([answer()], Tools(none, no_encoder))
    assert (place, ended.result) == (0, 42)


def test_an_error_that_is_not_ours_is_not_hidden() -> None:
    def wrong() -> Search[int]:
        yield from ()
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        list(run_searches([wrong()], tools(ScriptedModel(score=lambda p, c: -1.0))))
