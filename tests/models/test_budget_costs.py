"""What budgets hold and book."""

from __future__ import annotations

import pytest
from servers import Answering, model_at, said

import probative
from probative import (
    Budget,
    BudgetError,
    EmptyError,
    Request,
    SettingsError,
    load_model,
)
from probative.models.embedded.language import EmbeddedModel
from probative.models.wrappers import budgeted
from probative.testing import LoopbackServer


@pytest.mark.model
def test_a_choice_is_budgeted_for_every_reading_of_its_prompt(tiny_model: EmbeddedModel) -> None:
    prompt = "Rivers carry water from the mountains to the sea. "
    options = ["a very long option", "another long option", "one more long option"]
    budget = Budget(tokens=400)
    with pytest.raises(BudgetError):
        budgeted(tiny_model, budget).choose([prompt], options)
    assert budget.spent.tokens == 0
    free = Budget()
    budgeted(tiny_model, free).choose([prompt], options)
    held = tiny_model.choice_tokens(probative.Selection(request=Request.user(prompt), options=tuple(options)))
    assert 400 < free.spent.tokens <= held


def test_what_failed_calls_cost_is_booked() -> None:
    thought = {**said("", "length"), "usage": {"prompt_tokens": 10, "completion_tokens": 256}}
    budget = Budget(tokens=600)
    with Answering((200, thought)) as server, model_at(server) as model:
        limited = budgeted(model, budget)
        for _ in range(2):
            with pytest.raises(EmptyError):
                limited.generate([Request.user("q", max_tokens=256)])
        with pytest.raises(BudgetError):
            limited.generate([Request.user("q", max_tokens=256)])
    assert budget.spent.tokens == 532


def test_unusable_replies_before_a_good_one_are_booked() -> None:
    empty = {**said(""), "usage": {"prompt_tokens": 5, "completion_tokens": 7}}
    good = {**said("fine"), "usage": {"prompt_tokens": 5, "completion_tokens": 1}}
    with Answering((200, empty), (200, good)) as server, model_at(server) as model:
        (result,) = model.generate(["q"])
    usage = result.usage
    assert (usage.calls, usage.prompt_tokens, usage.completion_tokens) == (2, 10, 8)


def test_money_without_prices_is_refused() -> None:
    with pytest.raises(SettingsError, match="limits nothing"):
        load_model("openai:m", base_url="http://127.0.0.1:9/v1", budget_money=1.0)


def test_model_and_judge_have_prices_of_their_own() -> None:
    with LoopbackServer() as server:
        models = probative.load_models(
            model="openai:a", judge_model="openai:b", base_url=server.base_url,
            budget_money=1.0, judge_price_completion=1e6,
        )  # fmt: skip
        models.model.generate([Request.user("free", max_tokens=500)])
        with pytest.raises(BudgetError):
            models.judge.generate([Request.user("dear", max_tokens=500)])
        for model in models:
            model.close()
