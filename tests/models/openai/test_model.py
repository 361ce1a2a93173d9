"""The OpenAI-compatible backend against the loopback server, which misbehaves on demand."""

from __future__ import annotations

import asyncio
import threading
import time
from typing import Any

import pytest
from servers import model_at

from probative import (
    AuthError,
    BatchError,
    ConnectError,
    InputError,
    LanguageModel,
    RateLimitError,
    ReplyError,
    Request,
    ResponseCache,
    ServerError,
    SlowServerError,
    load_model,
)
from probative.models.openai.connection import Connection, Limits
from probative.models.openai.model import OpenAIModel
from probative.settings import load_settings
from probative.testing import Faults, LoopbackServer
from probative.testing.server import default_answer, pieces


def test_answers_come_back_in_order_with_the_servers_usage() -> None:
    prompts = [f"question {i}" for i in range(50)]
    with LoopbackServer() as server, model_at(server) as model:
        results = model.generate(prompts)
    assert [result.text for result in results] == [default_answer(prompt) for prompt in prompts]
    assert results[0].usage.prompt_tokens == len(pieces(prompts[0]))
    assert results[0].usage.calls == 1


def test_what_is_sent_is_what_was_asked() -> None:
    with LoopbackServer() as server, model_at(server) as model:
        model.generate(
            [
                Request.user(
                    "hi",
                    system="be brief",
                    max_tokens=9,
                    temperature=0.5,
                    top_p=0.9,
                    seed=3,
                    sample=2,
                    stop=("\n",),
                )
            ]
        )
        (body,) = server.bodies
    assert body == {
        "model": "m",
        "messages": [{"role": "system", "content": "be brief"}, {"role": "user", "content": "hi"}],
        "max_tokens": 9,
        "temperature": 0.5,
        "top_p": 0.9,
        "seed": 5,
        "stop": ["\n"],
    }


class Gathering(LoopbackServer):
    """Answers the first `at_once` requests and those before them only when all of them are there."""

    def __init__(self, at_once: int) -> None:
        super().__init__(delay=0.01)
        self._wanted = at_once
        self._gathered = asyncio.Event()

    async def _with_faults(self, path: str, body: dict[str, Any]) -> Any:
        if self._at_once >= self._wanted:
            self._gathered.set()
        await self._gathered.wait()
        return await super()._with_faults(path, body)


def test_no_more_than_the_allowed_requests_are_under_way() -> None:
    with Gathering(7) as server, model_at(server, concurrency=7) as model:
        model.generate([f"q{i}" for i in range(60)])
        assert server.most_at_once == 7


ALL_FAULTS = ["slow", "rate_limit", "failure", "drop", "truncate", "malformed", "empty"]


@pytest.mark.slow
@pytest.mark.parametrize("fault", ALL_FAULTS)
def test_with_a_fault_in_30_percent_of_requests_every_request_ends_rightly(fault: str) -> None:
    """A right result or a typed error for each, none lost, and the cache holds each right one once."""
    prompts = [f"{fault} {i}" for i in range(120)]
    cache = ResponseCache(load_settings().cache_file)
    # A reply that is slow never comes; others may be late on a busy machine.
    limit = 2.0 if fault == "slow" else 60.0
    with LoopbackServer(faults=Faults(**{fault: 0.3}), slow_seconds=600, seed=5) as server:
        model = load_model("openai:test", base_url=server.base_url, timeout=limit, concurrency=30)
        model.inner.inner._transport.connection = Connection(  # type: ignore[attr-defined]
            base_url=server.base_url, timeout=limit, concurrency=30, retry_base=0.01, retries=5
        )
        outcomes = outcomes_of(model, prompts)
        assert server.seen[fault] > 20
        right = [prompt for prompt, outcome in outcomes.items() if isinstance(outcome, str)]
        assert all(outcomes[prompt] == default_answer(prompt) for prompt in right)
        assert all(isinstance(outcomes[p], ServerError) for p in prompts if p not in right)
        assert len(right) >= 115  # 0.3 to the power of 6 is one in 1,400
        assert cache.summary().results == len(right)
        # Asking again costs only what failed.
        before = sum(server.seen[path] for path in server.seen if path.startswith("/"))
        again = outcomes_of(model, prompts)
        model.close()
        after = sum(server.seen[path] for path in server.seen if path.startswith("/"))
        assert all(again[prompt] == default_answer(prompt) for prompt in right)
        assert (after - before == 0) == (len(right) == len(prompts))


def test_with_every_fault_at_once_and_no_retries_nothing_is_lost() -> None:
    faults = Faults(
        slow=0.04, rate_limit=0.06, failure=0.05, drop=0.05, truncate=0.04, malformed=0.03, empty=0.03
    )
    prompts = [f"all {i}" for i in range(200)]
    with LoopbackServer(faults=faults, slow_seconds=600, seed=2) as server:
        with model_at(server, retries=0, timeout=5.0, concurrency=30) as model:
            outcomes = outcomes_of(model, prompts)
        assert server.seen["/v1/chat/completions"] == 200
        wrong = [outcome for outcome in outcomes.values() if not isinstance(outcome, str)]
        assert len(wrong) == 200 - server.seen["fine"]
        assert {type(error) for error in wrong} == {
            SlowServerError,
            RateLimitError,
            ConnectError,
            ReplyError,
        } | {type(error) for error in wrong if error.status in (500, 502, 503)}


def outcomes_of(model: LanguageModel, prompts: list[str]) -> dict[str, Any]:
    try:
        return {p: r.text for p, r in zip(prompts, model.generate(list(prompts)), strict=True)}
    except BatchError as error:
        return {prompt: error.errors.get(i) or error.results[i].text for i, prompt in enumerate(prompts)}


def test_a_retry_waits_as_long_as_the_server_asks() -> None:
    with LoopbackServer(faults=Faults(rate_limit=1.0), retry_after=0.3) as server:
        started = time.perf_counter()
        with model_at(server, retries=2) as model, pytest.raises(RateLimitError, match="too many requests"):
            model.generate(["q"])
        assert time.perf_counter() - started >= 0.6
        assert server.seen["rate_limit"] == 3


def test_a_server_that_asks_for_too_long_a_wait_gets_no_further_try() -> None:
    with LoopbackServer(faults=Faults(rate_limit=1.0), retry_after=3600) as server, model_at(server) as model:
        with pytest.raises(RateLimitError, match="wait 3600 s"):
            model.generate(["q"])
        assert server.seen["rate_limit"] == 1


def test_a_used_up_quota_is_not_tried_again() -> None:
    from probative.models.openai.replies import refusal

    error = refusal(429, b'{"error": {"code": "insufficient_quota", "message": "pay"}}', {}, "host")
    assert isinstance(error, RateLimitError)
    assert error.final


def test_a_wrong_key_is_said_at_once_and_never_shown() -> None:
    with LoopbackServer(api_key="right") as server, model_at(server, api_key="wr0ng-secret") as model:
        with pytest.raises(AuthError) as caught:
            model.generate(["q"])
        assert server.seen["/v1/chat/completions"] == 1
    assert "wr0ng-secret" not in str(caught.value)
    assert "wr0ng-secret" not in repr(Connection(api_key="wr0ng-secret"))
    assert "wr0ng-secret" not in load_settings({"api_key": "wr0ng-secret"}).to_json()


def test_no_server_is_a_typed_error_that_says_where() -> None:
    with OpenAIModel("m", Connection(base_url="http://127.0.0.1:9/v1", retries=1, retry_base=0.01)) as model:
        with pytest.raises(ConnectError, match=r"127\.0\.0\.1:9"):
            model.generate(["q"])


@pytest.mark.parametrize(
    "address", ["localhost:8000", "ftp://x/v1", "", "http://h:99999/v1", "http://h:abc/v1", "http://[::1/v1"]
)
def test_an_address_that_is_none_is_refused(address: str) -> None:
    with pytest.raises(InputError, match="not the address"):
        OpenAIModel("m", Connection(base_url=address))


def test_requests_are_paced_to_the_rate() -> None:
    with LoopbackServer() as server, model_at(server, requests_per_minute=600) as model:
        started = time.perf_counter()
        model.generate([f"q{i}" for i in range(8)])
        assert time.perf_counter() - started >= 0.65  # 7 intervals of 0.1 s


def test_tokens_are_paced_to_the_rate() -> None:
    limits = Limits(requests_per_minute=None, tokens_per_minute=6000)
    starts = [limits._tokens.reserve(50, now=0.0) for _ in range(4)]
    assert starts == [0.0, 0.5, 1.0, 1.5]


class AnswersOne(LoopbackServer):
    """Answers the first request, and no other before it is let go."""

    def __init__(self) -> None:
        super().__init__()
        self.goes_on = threading.Event()
        self._first = True

    async def _with_faults(self, path: str, body: dict[str, Any]) -> Any:
        first, self._first = self._first, False
        while not first and not self.goes_on.is_set():
            await asyncio.sleep(0.01)
        return await super()._with_faults(path, body)


def test_stopping_early_cancels_what_is_under_way() -> None:
    with AnswersOne() as server, model_at(server, concurrency=4) as model:
        outcomes = model._generate([Request.user(f"q{i}") for i in range(40)])
        next(outcomes)
        outcomes.close()  # type: ignore[attr-defined]
        server.goes_on.set()
        # Nothing of the first batch follows the one that was answered and those that were under way with it.
        assert model.generate(["after"])[0].text == default_answer("after")
        assert server.seen["/v1/chat/completions"] <= 1 + 4 + 1


def test_it_works_inside_a_running_event_loop() -> None:
    async def caller() -> str:
        with LoopbackServer() as server, model_at(server) as model:
            return model.generate(["q"])[0].text

    assert asyncio.run(caller()) == default_answer("q")


def test_threads_can_share_a_model() -> None:
    with LoopbackServer(delay=0.01) as server, model_at(server) as model:
        found: dict[int, list[str]] = {}

        def ask(n: int) -> None:
            found[n] = [result.text for result in model.generate([f"{n} {i}" for i in range(10)])]

        threads = [threading.Thread(target=ask, args=(n,)) for n in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert found == {n: [default_answer(f"{n} {i}") for i in range(10)] for n in range(4)}
