"""The listed prices, those of the user before them, and the money of a run."""

from __future__ import annotations

import datetime
from typing import Any

import pytest

from probative import BudgetError, load_settings
from probative.models.budget import Prices
from probative.models.loading import judge_prices, model_prices, settings_budget
from probative.models.prices import listed_prices, money
from probative.types import Usage

MINI = (0.15, 0.6)


def of_model(**options: Any) -> tuple[float, float] | None:
    prices = model_prices(load_settings(options, environ={}))
    return prices and (prices.prompt, prices.completion)


def test_a_model_has_the_listed_price_on_its_makers_server_alone() -> None:
    assert of_model(model="openai:gpt-4o-mini") == MINI
    assert of_model(model="openai:gpt-4o-mini-2024-07-18", base_url="https://api.openai.com/v1") == MINI
    assert of_model(model="openai:gpt-4o-mini", base_url="http://127.0.0.1:8000/v1") is None
    assert of_model(model="openai:gpt-4o-mini", base_url="https://api.deepseek.com") is None
    assert of_model(model="hf:gpt-4o-mini") is None
    assert of_model(model="embedded") is None


def test_a_users_price_goes_before_the_listed_one() -> None:
    assert of_model(model="openai:gpt-4o-mini", price_prompt=3.0) == (3.0, 0.0)
    assert of_model(model="openai:gpt-4o-mini", price_prompt=0, price_completion=0) == (0.0, 0.0)


def test_a_judge_has_its_own_price_or_the_models_or_the_listed_one() -> None:
    judged = {"model": "embedded", "judge_model": "openai:gpt-4o-mini"}
    for options, expected in (
        ({}, MINI),
        ({"judge_base_url": "http://127.0.0.1:9/v1"}, None),
        ({"price_prompt": 1.0}, (1.0, 0.0)),
        ({"price_prompt": 1.0, "judge_price_prompt": 2.0}, (2.0, 0.0)),
    ):
        prices = judge_prices(load_settings({**judged, **options}, environ={}))
        assert (prices and (prices.prompt, prices.completion)) == expected


def test_a_budget_of_money_needs_no_price_of_the_user_for_a_listed_model() -> None:
    budget = settings_budget(load_settings({"model": "openai:gpt-4o-mini", "budget_money": 1.0}, environ={}))
    assert budget is not None
    assert budget.hold(Usage(calls=1, completion_tokens=2_000_000), budget.prices) == "1 in money"
    assert isinstance(budget.exceeded("1 in money"), BudgetError)


def test_every_listed_price_has_a_date_and_output_costs_no_less_than_input() -> None:
    for name in ("gpt-4.1", "gpt-5-mini", "o3"):
        listed = listed_prices(f"openai:{name}", None)
        assert listed is not None
        assert listed.date is not None
        assert listed.date > datetime.date(2026, 1, 1)
        assert listed.completion >= listed.prompt > 0


def test_money_says_by_which_prices_it_is_and_is_unknown_if_one_of_them_is() -> None:
    used = Usage(calls=1, prompt_tokens=1_000_000, completion_tokens=1_000_000)
    listed, own = listed_prices("openai:gpt-4o-mini", None), Prices(prompt=2.0)
    assert listed is not None
    assert str(money([(used, listed)])) == f"0.75 (US dollars, prices of {listed.date})"
    assert str(money([(used, listed), (used, own)])) == (
        f"2.75 (US dollars, prices of {listed.date}; your prices)"
    )
    assert money([(used, listed), (used, None)]) is None
    assert str(money([(used, own), (Usage(), None)])) == "2 (your prices)"
    assert money([(Usage(), own)]) is None


@pytest.mark.parametrize("verb", ["prompt_tokens", "scored_tokens"])
def test_scored_tokens_cost_as_much_as_prompt_tokens(verb: str) -> None:
    assert Prices(prompt=4.0).cost(Usage(**{verb: 500_000})) == 2.0
