"""Bad input, odd caches, models of ones own."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import BaseModel
from servers import Answering, model_at, said

import probative
from probative import (
    BatchError,
    Budget,
    BudgetError,
    ContextError,
    EmptyError,
    InputError,
    OverloadError,
    Request,
    ResponseCache,
    Usage,
    load_model,
)
from probative.models.embedded.language import EmbeddedModel
from probative.models.wrappers import budgeted, cached
from probative.settings import load_settings
from probative.testing import Faults, LoopbackServer, ScriptedModel
from probative.testing.server import default_answer


def test_a_cache_that_cannot_be_written_loses_no_result(monkeypatch: pytest.MonkeyPatch) -> None:
    cache = ResponseCache(load_settings().cache_file)
    model = cached(ScriptedModel(generate=["a", "b"]), cache)
    cache.summary()

    def full(*_: object) -> None:
        raise probative.StoreError("the disk is full")

    monkeypatch.setattr(cache, "put", full)
    with pytest.warns(UserWarning, match="could not be cached"):
        assert [result.text for result in model.generate(["1", "2"])] == ["a", "b"]


def test_a_model_of_ones_own_gets_cache_budget_and_trace() -> None:
    inner = ScriptedModel(generate="always this")
    model = load_model(inner, budget=Budget(calls=1))
    with probative.Trace("run") as trace:
        assert [model.generate(["q"])[0].text for _ in range(2)] == ["always this"] * 2
    assert len(inner.asked) == 1
    assert trace.usage.cached == 1
    with pytest.raises(BudgetError):
        model.generate(["r"])


def test_settings_and_options_together_are_refused() -> None:
    with pytest.raises(InputError, match="cannot be passed together"):
        load_model("openai:x", settings=load_settings())


def test_a_dry_run_counts_nothing_for_what_is_cached() -> None:
    with LoopbackServer() as server:
        options: dict[str, Any] = {"base_url": server.base_url}
        with load_model("openai:x", **options) as model:
            model.generate(["known"])
    dry = load_model("openai:x", dry_run=True, **options)
    with probative.Trace("plan") as plan:
        dry.generate(["known", "new"])
    assert (plan.usage.calls, plan.usage.cached) == (1, 1)


@pytest.mark.parametrize("bad", [None, 5, ("ab", "cd"), ["ab"]])
def test_what_is_no_batch_of_pairs_is_refused(bad: Any) -> None:
    with pytest.raises(InputError):
        ScriptedModel(score=lambda p, c: 0.0).score(bad)


@pytest.mark.parametrize("options", [None, 5, [1, 2], ["yes", ["a", "b"]]])
def test_what_are_no_options_is_refused(options: Any) -> None:
    with pytest.raises(InputError):
        ScriptedModel(choose=lambda p, o: [1, 1]).choose(["p", "q"], options)


@pytest.mark.parametrize("requests", ["hello", [None], None])
def test_objects_are_asked_for_in_lists_of_requests(requests: Any) -> None:

    class Anything(BaseModel):
        text: str

    model = ScriptedModel(generate="x")
    with pytest.raises(InputError):
        probative.generate_objects(model, requests, Anything)
    with pytest.raises(InputError, match="pydantic"):
        probative.generate_objects(model, ["q"], dict)  # type: ignore[type-var]
    assert model.asked == []


def test_encoders_lose_nothing_that_was_paid_for() -> None:
    class Forgetful(LoopbackServer):
        def _embed(self, body: dict[str, Any]) -> dict[str, Any]:
            return {"data": []} if "text 130" in body["input"] else super()._embed(body)

    with (
        Forgetful() as server,
        probative.load_encoder("openai:e", base_url=server.base_url, retries=0) as encoder,
    ):
        with pytest.raises(BatchError) as caught:
            encoder.encode([f"text {i}" for i in range(140)])
        assert encoder.usage.calls == 3
    assert sum(row is not None for row in caught.value.results) == 128


def test_usage_is_the_same_type_everywhere() -> None:
    assert EmptyError("x").usage is None
    with LoopbackServer(faults=Faults(failure=1.0)) as server, model_at(server, retries=0) as model:
        with pytest.raises(OverloadError) as caught:
            model.generate(["q"])
    assert caught.value.usage == Usage()


def test_two_scripts_are_not_mixed_up_by_the_cache() -> None:
    cache = ResponseCache(load_settings().cache_file)
    answers = [cached(ScriptedModel(generate=text), cache).generate(["q"])[0].text for text in "AB"]
    assert answers == ["A", "B"]


def test_a_server_without_schema_output_is_paid_once() -> None:
    answer = '{"a": 1}'
    asked = Request.user("q", json_schema={"type": "object", "properties": {"a": {"type": "integer"}}})
    with LoopbackServer(json_schema=False, answer=lambda _: answer) as server:
        with load_model("openai:m", base_url=server.base_url) as model:
            with pytest.warns(UserWarning, match="describes the schema"):
                model.generate([asked])
            assert model.generate([asked])[0].usage.cached == 1


@pytest.mark.model
def test_what_was_never_asked_costs_nothing(embedded: EmbeddedModel) -> None:
    budget = Budget(calls=1)
    with pytest.raises(BatchError) as caught:
        budgeted(embedded, budget).score([("word " * 9000, "end"), ("Two and two make", " four")])
    assert caught.value.results[1] is not None
    assert isinstance(caught.value.errors[0], ContextError)


def test_a_trace_counts_what_failures_cost() -> None:
    thought = {**said("", "length"), "usage": {"prompt_tokens": 10, "completion_tokens": 256}}
    with Answering((200, thought)) as server, load_model("openai:m", base_url=server.base_url) as model:
        with probative.Trace("run") as trace, pytest.raises(EmptyError):
            model.generate(["q"])
    assert trace.usage.completion_tokens == 256


def test_a_server_can_be_started_again() -> None:
    server = LoopbackServer()
    for _ in range(2):
        with server, model_at(server) as model:
            assert model.generate(["q"])[0].text == default_answer("q")
