"""The OpenAI-compatible backend against the loopback server, which misbehaves on demand."""

from __future__ import annotations

import threading
import time
import warnings
from typing import Any

import numpy as np
import pytest
from pydantic import BaseModel

from probative import (
    AuthError,
    BatchError,
    Capability,
    CapabilityError,
    ConnectError,
    EmptyError,
    InputError,
    LanguageModel,
    OutputError,
    RateLimitError,
    ReplyError,
    Request,
    ServerError,
    SlowServerError,
    generate_objects,
    load_encoder,
    load_model,
)
from probative.models.cache import ResponseCache
from probative.models.openai import Connection, OpenAIModel
from probative.models.openai.limits import Limits
from probative.settings import load_settings
from probative.testing import Faults, LoopbackServer
from probative.testing.server import default_answer, embedding, pieces, token_log_probabilities

QUICK: dict[str, Any] = {"retry_base": 0.01, "timeout": 1.0}


def model_at(server: LoopbackServer, **options: Any) -> OpenAIModel:
    return OpenAIModel("test", Connection(base_url=server.base_url, **{**QUICK, **options}))


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
        "model": "test",
        "messages": [{"role": "system", "content": "be brief"}, {"role": "user", "content": "hi"}],
        "max_tokens": 9,
        "temperature": 0.5,
        "top_p": 0.9,
        "seed": 5,
        "stop": ["\n"],
    }


def test_no_more_than_the_allowed_requests_are_under_way() -> None:
    with LoopbackServer(delay=0.02) as server, model_at(server, concurrency=7) as model:
        model.generate([f"q{i}" for i in range(60)])
        assert 5 <= server.most_at_once <= 7


ALL_FAULTS = ["slow", "rate_limit", "failure", "drop", "truncate", "malformed", "empty"]


@pytest.mark.parametrize("fault", ALL_FAULTS)
def test_with_a_fault_in_30_percent_of_requests_every_request_ends_rightly(fault: str) -> None:
    """A right result or a typed error for each, none lost, and the cache holds each right one once."""
    prompts = [f"{fault} {i}" for i in range(120)]
    cache = ResponseCache(load_settings().cache_file)
    with LoopbackServer(faults=Faults(**{fault: 0.3}), slow_seconds=0.6, seed=5) as server:
        model = load_model("openai:test", base_url=server.base_url, timeout=0.3, concurrency=30)
        model.inner.inner._transport.connection = Connection(  # type: ignore[attr-defined]
            base_url=server.base_url, timeout=0.3, concurrency=30, retry_base=0.01, retries=5
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
    with LoopbackServer(faults=faults, slow_seconds=0.6, seed=2) as server:
        with model_at(server, retries=0, timeout=0.3) as model:
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


def test_stopping_early_cancels_what_is_under_way() -> None:
    with LoopbackServer(delay=0.2) as server, model_at(server, concurrency=4) as model:
        outcomes = model._generate([Request.user(f"q{i}") for i in range(40)])
        next(outcomes)
        outcomes.close()  # type: ignore[attr-defined]
        time.sleep(0.5)
        assert server.seen["/v1/chat/completions"] <= 12


def test_it_works_inside_a_running_event_loop() -> None:
    import asyncio

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


# -- models that think --------------------------------------------------------------------------


def reply(message: dict[str, Any], finish: str = "stop") -> dict[str, Any]:
    return {"choices": [{"message": {"role": "assistant", **message}, "finish_reason": finish}]}


def test_thinking_is_kept_apart_from_the_answer() -> None:
    from probative.models.openai.chat import read_message

    assert read_message(reply({"content": "<think>Hm.</think>\nYes."})) == ("Yes.", "Hm.", "stop")
    assert read_message(reply({"content": "Yes.", "reasoning_content": "Hm."})) == ("Yes.", "Hm.", "stop")
    assert read_message(reply({"content": [{"type": "text", "text": "Yes."}]}))[0] == "Yes."


@pytest.mark.parametrize(
    "message", [{"content": ""}, {"content": None, "reasoning": "long"}, {"content": "<think>on and on"}]
)
def test_a_model_that_thinks_until_its_limit_is_told_so(message: dict[str, Any]) -> None:
    from probative.models.openai.chat import check_chat

    with pytest.raises(EmptyError, match="token limit") as caught:
        check_chat(reply(message, "length"))
    assert "max_tokens" in caught.value.mend


def test_an_empty_answer_is_an_error_never_an_empty_string() -> None:
    with LoopbackServer(answer=lambda asked: " ") as server, model_at(server, retries=1) as model:
        with pytest.raises(ReplyError, match="wrote nothing"):
            model.generate(["q"])
        assert server.seen["/v1/chat/completions"] == 2


# -- score --------------------------------------------------------------------------------------


@pytest.mark.parametrize("dialect", ["echo", "prompt_logprobs", "sglang"])
@pytest.mark.parametrize(
    ("prompt", "continuation"),
    [
        ("The mill stood by the river", " for years."),
        ("The mill stood by the ", "river for years."),
        ("A " * 40 + "mill", " stood."),
    ],
)
def test_each_way_of_scoring_reads_the_same_numbers(dialect: Any, prompt: str, continuation: str) -> None:
    tokens = pieces(prompt + continuation)
    values = token_log_probabilities(tokens)
    # By hand: the tokens whose end lies beyond the cut.
    ends = np.cumsum([len(token) for token in tokens])
    expected = [value for value, end in zip(values, ends, strict=True) if end > len(prompt)]
    with LoopbackServer(scoring=dialect) as server, model_at(server) as model:
        (score,) = model.score([(prompt, continuation)])
    assert score.token_log_probabilities == tuple(expected)
    assert score.log_probability == pytest.approx(sum(v for v in expected if v is not None))


@pytest.mark.parametrize("dialect", ["pretend", "none"])
def test_a_server_that_quietly_cannot_score_gets_a_clear_error_not_zeros(dialect: Any) -> None:
    with LoopbackServer(scoring=dialect) as server, model_at(server) as model:
        assert Capability.SCORE in model.capabilities
        with pytest.raises(CapabilityError, match="no log-probabilities of the prompt") as caught:
            model.score([("a b c", " d")])
        assert "vLLM" in caught.value.mend
        assert Capability.SCORE not in model.capabilities
        asked = len(server.bodies)
        with pytest.raises(CapabilityError):
            model.score([("a b c", " d")])
        assert len(server.bodies) == asked  # it is not probed again


def test_a_probe_that_meets_a_broken_server_says_nothing_about_scoring() -> None:
    with LoopbackServer(faults=Faults(failure=1.0)) as server, model_at(server, retries=0) as model:
        with pytest.raises(ServerError, match="something broke"):
            model.score([("a", " b")])
        assert Capability.SCORE in model.capabilities


# -- choose -------------------------------------------------------------------------------------


def test_choose_reads_the_first_tokens_log_probabilities() -> None:
    with LoopbackServer(answer=lambda asked: "Yes indeed") as server, model_at(server) as model:
        (choice,) = model.choose(["Is it?"], ["yes", "no"])
        assert server.bodies[0]["max_tokens"] == 1
    assert choice.probabilities == (1.0, 0.0)
    assert choice.coverage == pytest.approx(0.8)


def test_options_that_begin_alike_are_chosen_by_letter() -> None:
    with LoopbackServer(answer=lambda asked: "B") as server, model_at(server) as model:
        (choice,) = model.choose(["Which?"], ["a red house", "a red roof"])
        assert "B. a red roof" in server.bodies[0]["messages"][-1]["content"]
    assert choice.best == "a red roof"


def test_a_model_that_says_none_of_the_options_is_an_error() -> None:
    with LoopbackServer(answer=lambda asked: "Well") as server, model_at(server) as model:
        with pytest.raises(OutputError, match="none of the options") as caught:
            model.choose(["Is it?"], ["yes", "no"])
    assert "'Well'" in caught.value.raw


def test_a_server_without_log_probabilities_cannot_choose() -> None:
    with LoopbackServer(logprobs=False) as server, model_at(server) as model:
        with pytest.raises(CapabilityError, match="cannot choose"):
            model.choose(["Is it?"], ["yes", "no"])


# -- schema and dialects ------------------------------------------------------------------------


class City(BaseModel):
    name: str
    people: int


def test_the_servers_schema_output_is_used_where_it_has_one() -> None:
    with LoopbackServer() as server, model_at(server) as model:
        (city,) = generate_objects(model, ["Name a city."], City)
        assert server.bodies[0]["response_format"]["type"] == "json_schema"
    assert city.value == City(name="example", people=0)


def test_a_server_without_schema_output_is_asked_in_words() -> None:
    answer = '{"name": "Oslo", "people": 700000}'
    with LoopbackServer(json_schema=False, answer=lambda asked: answer) as server, model_at(server) as model:
        with pytest.warns(UserWarning, match="asked for in words"):
            cities = generate_objects(model, ["Name a city.", "And one more."], City)
        assert '"name": <string>' in server.bodies[-1]["messages"][-1]["content"]
        assert Capability.SCHEMA not in model.capabilities
    assert [city.value.name for city in cities] == ["Oslo", "Oslo"]


def test_a_server_that_wants_another_name_for_the_limit_gets_it() -> None:
    class Picky(LoopbackServer):
        def _chat(self, body: dict[str, Any], *, empty: bool) -> Any:
            from probative.testing.server import _json

            if "max_tokens" in body:
                return _json(400, {"error": {"message": "Unsupported parameter; use max_completion_tokens"}})
            if "temperature" in body:
                return _json(400, {"error": {"message": "temperature does not support 0 with this model"}})
            return super()._chat(body, empty=empty)

    with Picky() as server, model_at(server) as model, warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        results = model.generate(["a", "b", "c"])
        model.generate(["d"])
        assert server.bodies[-1].keys() == {"model", "messages", "max_completion_tokens"}
    assert [result.text for result in results] == [default_answer(p) for p in ("a", "b", "c")]
    assert any("temperature" in str(warning.message) for warning in said)


def test_a_request_the_server_will_not_take_is_an_error_at_once() -> None:
    with (
        LoopbackServer() as server,
        OpenAIModel("m", Connection(base_url=server.base_url + "/nowhere")) as model,
    ):
        with pytest.raises(ServerError, match="404"):
            model.generate(["q"])


# -- encode -------------------------------------------------------------------------------------


def test_remote_vectors_come_in_the_order_of_the_texts_with_length_one() -> None:
    texts = [f"text {i}" for i in range(150)]
    with LoopbackServer() as server:
        encoder = load_encoder("openai:embed", base_url=server.base_url)
        vectors = encoder.encode(texts)
        assert (encoder.dimensions, encoder.usage.calls) == (16, 3)
        encoder.close()
    expected = np.array([embedding(text) for text in texts], dtype=np.float32)
    expected /= np.linalg.norm(expected, axis=1, keepdims=True)
    np.testing.assert_allclose(vectors, expected, atol=1e-6)


def test_an_empty_text_has_no_remote_vector() -> None:
    with pytest.raises(InputError, match="empty text"):
        load_encoder("openai:embed", base_url="http://127.0.0.1:9/v1").encode(["a", " "])
