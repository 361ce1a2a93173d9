"""Forks, closing in the middle, odd replies, pickling: what real programs do to a model."""

from __future__ import annotations

import contextlib
import copy
import json
import multiprocessing
import pickle
import subprocess
import sys
import threading
import time
from typing import Any

import pytest

import probative
from probative import (
    BatchError,
    Budget,
    BudgetError,
    CapabilityError,
    ConnectError,
    ContextError,
    EmptyError,
    InputError,
    MissingExtraError,
    ModelError,
    OutputError,
    OverloadError,
    ReplyError,
    Request,
    RequestError,
    ResponseCache,
    SettingsError,
    Usage,
    load_model,
)
from probative.models.budget import Budgeted
from probative.models.cache import Cached
from probative.models.embedded.encoder import EmbeddedEncoder
from probative.models.embedded.language import EmbeddedModel
from probative.models.openai import Connection, OpenAIModel
from probative.settings import load_settings
from probative.testing import Faults, LoopbackServer, ScriptedModel
from probative.testing.server import _json, default_answer

QUICK: dict[str, Any] = {"retry_base": 0.01, "timeout": 2.0}


class Answering(LoopbackServer):
    """A server that answers chats with whatever it is given."""

    def __init__(self, *replies: tuple[int, Any], **options: Any) -> None:
        super().__init__(**options)
        self._replies = list(replies)

    def _chat(self, body: dict[str, Any], *, empty: bool) -> Any:
        status, content = self._replies.pop(0) if len(self._replies) > 1 else self._replies[0]
        if isinstance(content, bytes):
            return status, {}, content
        return _json(status, content)


def said(text: Any, finish: str = "stop", **more: Any) -> dict[str, Any]:
    return {"choices": [{"message": {"content": text}, "finish_reason": finish, **more}]}


def model_at(server: LoopbackServer, **options: Any) -> OpenAIModel:
    return OpenAIModel("m", Connection(base_url=server.base_url, **{**QUICK, **options}))


# -- processes and threads ------------------------------------------------------------------------


def in_fork(work: Any) -> Any:
    """What `work()` gives in a forked child, which must end."""
    context = multiprocessing.get_context("fork")
    receive, send = context.Pipe(duplex=False)
    child = context.Process(target=lambda: send.send(work()))
    child.start()
    assert receive.poll(60), "the child hangs"
    result = receive.recv()
    child.join(timeout=10)
    return result


def test_a_model_works_in_a_forked_child(embedded: EmbeddedModel, encoder: EmbeddedEncoder) -> None:
    pair = ("Bread is made of", " flour")
    ours = embedded.score([pair])[0].log_probability
    theirs = in_fork(lambda: embedded.score([pair])[0].log_probability)
    assert theirs == pytest.approx(ours, abs=1e-4)
    encoder.encode(["a text"])
    assert in_fork(lambda: encoder.encode(["a text"]).shape) == (1, 384)


def test_a_server_model_works_in_a_forked_child() -> None:
    with LoopbackServer() as server, model_at(server) as model:
        model.generate(["before"])
        assert in_fork(lambda: model.generate(["after"])[0].text) == default_answer("after")
        assert model.generate(["again"])[0].text == default_answer("again")


def test_closing_a_model_ends_the_batch_that_is_under_way() -> None:
    with LoopbackServer(delay=5.0) as server:
        model = model_at(server, timeout=30.0)
        closing = threading.Timer(0.3, model.close)
        started = time.perf_counter()
        closing.start()
        with pytest.raises((ConnectError, BatchError)):
            model.generate(["a", "b", "c"])
        assert time.perf_counter() - started < 4
        closing.join()


def test_closing_while_another_thread_begins_hangs_nobody() -> None:
    """Whoever comes first: a result, or an error that says that the model was closed."""
    with LoopbackServer() as server:
        for _ in range(20):
            model = model_at(server, retries=0)
            model.generate(["first"])
            ended = threading.Event()

            def ask(model: OpenAIModel = model, ended: threading.Event = ended) -> None:
                with contextlib.suppress(ConnectError):
                    model.generate(["second"])
                ended.set()

            thread = threading.Thread(target=ask)
            thread.start()
            model.close()
            assert ended.wait(timeout=20), "the sender hangs"
            thread.join()
            model.close()


def test_a_forked_child_ends_at_once() -> None:
    code = (
        "import os, sys, time\n"
        "from probative.testing import LoopbackServer\n"
        "from probative import load_model\n"
        "with LoopbackServer() as server:\n"
        "    model = load_model('openai:m', base_url=server.base_url, cache=False)\n"
        "    model.generate(['q'])\n"
        "    started = time.perf_counter()\n"
        "    if os.fork() == 0:\n"
        "        sys.exit(0)\n"
        "    _, status = os.wait()\n"
        "    print('SLOW' if time.perf_counter() - started > 8 else 'SOON', status)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["SOON", "0"]


def test_a_closed_model_can_be_used_again() -> None:
    with LoopbackServer() as server:
        model = model_at(server)
        for prompt in ("one", "two"):
            assert model.generate([prompt])[0].text == default_answer(prompt)
            model.close()


def test_concurrency_holds_for_all_threads_together() -> None:
    with LoopbackServer(delay=0.05) as server, model_at(server, concurrency=3) as model:
        threads = [
            threading.Thread(target=lambda n=n: model.generate([f"{n} {i}" for i in range(6)]))
            for n in range(4)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert server.most_at_once <= 3


@pytest.mark.parametrize(
    "error",
    [
        ContextError("too long", tokens=9, window=5),
        OutputError("bad", raw="r", model="m", step="s", finish_reason="stop"),
        BatchError(["x", None], {1: EmptyError("nothing")}),
        MissingExtraError("hf", "it"),
        BudgetError("spent", results=[1]),
        RequestError("no", status=400, body="b"),
    ],
)
def test_errors_travel_between_processes(error: ModelError) -> None:
    for again in (pickle.loads(pickle.dumps(error)), copy.deepcopy(error)):
        assert type(again) is type(error)
        assert str(again) == str(error)
        assert again.__dict__.keys() == error.__dict__.keys()


# -- what servers send ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "reply",
    [
        b"[" * 100_000,
        b"[]",
        b"null",
        b"\xff\xfe",
        json.dumps({"choices": None}).encode(),
        json.dumps({"choices": [{"message": 3}]}).encode(),
        json.dumps(said([{"type": "text", "text": None}])).encode(),
    ],
)
def test_an_odd_reply_is_a_typed_error_of_that_request(reply: bytes) -> None:
    with Answering((200, reply)) as server, model_at(server, retries=1) as model:
        with pytest.raises(BatchError) as caught:
            model.generate(["a", "b"])
    assert {type(error) for error in caught.value.errors.values()} == {ReplyError}


def test_half_a_surrogate_pair_in_a_reply_harms_nothing() -> None:
    raw = b'{"choices": [{"message": {"content": "abc\\ud83d"}, "finish_reason": "stop"}]}'
    with Answering((200, raw)) as server:
        with load_model("openai:m", base_url=server.base_url) as model:
            assert model.generate(["q"])[0].text == "abc?"
            assert model.generate(["q"])[0].usage.cached == 1


@pytest.mark.parametrize("value", [1000.0, float("nan"), float("inf")])
def test_what_is_no_log_probability_is_not_taken_for_one(value: float) -> None:
    top = {"content": [{"top_logprobs": [{"token": "yes", "logprob": value}]}]}
    with Answering((200, said("yes", logprobs=top))) as server, model_at(server) as model:
        with pytest.raises(CapabilityError):
            model.choose(["Is it?"], ["yes", "no"])


@pytest.mark.parametrize("status", [500, 501, 507, 521, 530])
def test_every_5xx_is_tried_again(status: int) -> None:
    broken = (status, {"error": {"message": "no"}})
    with Answering(broken, (200, said("fine"))) as server, model_at(server) as model:
        assert model.generate(["q"])[0].text == "fine"
    with Answering(broken) as server, model_at(server, retries=0) as model:
        with pytest.raises(OverloadError):
            model.generate(["q"])


def test_a_redirect_is_said_and_not_followed() -> None:
    with (
        Answering((302, {})) as server,
        model_at(server) as model,
        pytest.raises(RequestError, match="moved"),
    ):
        model.generate(["q"])


def test_a_prompt_too_long_for_the_server_is_a_context_error() -> None:
    refusal = {"error": {"code": "context_length_exceeded", "message": "maximum context length is 10 tokens"}}
    with Answering((400, refusal)) as server, model_at(server) as model, pytest.raises(ContextError):
        model.generate(["q"])


def test_thinking_with_only_a_closing_tag_is_no_part_of_the_answer() -> None:
    with Answering((200, said("Let me see…\n</think>\n\nRome"))) as server, model_at(server) as model:
        (result,) = model.generate(["q"])
    assert (result.text, result.reasoning) == ("Rome", "Let me see…")


# -- learning a server's dialect -------------------------------------------------------------------


@pytest.mark.parametrize(
    "refusal",
    [
        (
            422,
            {
                "detail": [
                    {"loc": ["body", "stop"], "msg": "bad", "input": {"temperature": 0.5, "schema": "x"}}
                ]
            },
        ),
        (400, {"error": {"message": "temperature must be at most 2"}}),
        (400, {"error": {"message": "cannot draw a database schema"}}),
    ],
)
def test_a_refusal_that_names_no_unknown_field_teaches_nothing(refusal: tuple[int, Any]) -> None:
    with Answering(refusal, (200, said("fine"))) as server, model_at(server) as model:
        with pytest.raises(RequestError):
            model.generate([Request.user("q", temperature=5, json_schema={"type": "object"})])
        model.generate([Request.user("r", temperature=0.5, json_schema={"type": "object"})])
        assert server.bodies[-1]["temperature"] == 0.5
        assert "response_format" in server.bodies[-1]


def test_answers_of_an_adapted_model_are_cached_apart() -> None:
    refusal = (400, {"error": {"message": "temperature is not supported with this model"}})
    with Answering(refusal, (200, said("fine"))) as server, model_at(server) as model:
        before = model.fingerprint
        with pytest.warns(UserWarning, match="temperature"):
            model.generate(["q"])
        assert model.fingerprint != before


def test_choose_learns_too() -> None:
    top = {"content": [{"top_logprobs": [{"token": "Yes.", "logprob": -0.1}]}]}
    refusal = (400, {"error": {"message": "use max_completion_tokens", "param": "max_tokens"}})
    with Answering(refusal, (200, said("yes", logprobs=top))) as server, model_at(server) as model:
        assert model.choose(["Is it?"], ["yes", "no"])[0].best == "yes"
        assert server.bodies[-1]["max_completion_tokens"] == 1


# -- scoring --------------------------------------------------------------------------------------


def test_long_words_do_not_hide_the_start_of_the_continuation() -> None:
    prompt = "internationalization of administrative organizations nevertheless notwithstanding " * 5
    with LoopbackServer(scoring="sglang") as server, model_at(server) as model:
        (score,) = model.score([(prompt, " requires extraordinary responsibility")])
        asked = [body["logprob_start_len"] for body in server.bodies if "logprob_start_len" in body]
        assert asked[-1] == 0 < asked[-2]
    assert len(score.token_log_probabilities) == 3


MARK = "\ufffd"


@pytest.mark.parametrize(
    ("prompt", "rest", "tokens", "expected"),
    [
        # A space merged into the first byte of a character, as byte-level tokenizers do.
        ("I saw", " 🦜", [("I", None), (" saw", -1), (f" {MARK}", -2), (MARK, -3), (MARK, -4)], [-2, -3, -4]),
        # Unfinished pieces without any text, the character on the last of them.
        ("I ", "🦜", [("I", None), (" ", -1), ("", -5), ("", -6), ("🦜", -7)], [-5, -6, -7]),
        # A run over the cut is shared out among its characters.
        ("I 🦜", "🦊", [("I", None), (" ", -1), (MARK, -10), (MARK, -11), (MARK, -2), (MARK, -3)], [-2, -3]),
        # The same character twice, once whole and once in pieces.
        ("x ", "谢谢", [("x", None), (" ", -1), ("谢", -2), (MARK, -3), (MARK, -4)], [-2, -3, -4]),
        ("I", " am", [("I", None), (" am", -1)], [-1]),
    ],
)
def test_tokens_without_text_of_their_own_are_counted_where_they_belong(
    prompt: str, rest: str, tokens: list[tuple[str, float | None]], expected: list[float]
) -> None:
    from probative.models.openai.scoring import Token, continuation

    pair = probative.Pair(prompt=prompt, continuation=rest)
    assert continuation([Token(*token) for token in tokens], pair) == expected


def test_scores_are_paced_by_their_tokens() -> None:
    with LoopbackServer() as server, model_at(server, tokens_per_minute=6000) as model:
        model.score([("warm", " up")])
        started = time.perf_counter()
        model.score([("word " * 40, f" number {i}") for i in range(4)])
        assert time.perf_counter() - started > 1.0  # 4 × about 50 tokens at 100 a second, the first at once


# -- budget ---------------------------------------------------------------------------------------


def test_a_choice_is_budgeted_for_every_reading_of_its_prompt(embedded: EmbeddedModel) -> None:
    prompt = "Rivers carry water from the mountains to the sea. " * 10
    options = ["a very long option", "another long option", "one more long option"]
    budget = Budget(tokens=400)
    with pytest.raises(BudgetError):
        Budgeted(embedded, budget).choose([prompt], options)
    assert budget.spent.tokens == 0
    free = Budget()
    Budgeted(embedded, free).choose([prompt], options)
    held = embedded.choice_tokens(probative.Selection(request=Request.user(prompt), options=tuple(options)))
    assert 400 < free.spent.tokens <= held


def test_what_failed_calls_cost_is_booked() -> None:
    thought = {**said("", "length"), "usage": {"prompt_tokens": 10, "completion_tokens": 256}}
    budget = Budget(tokens=600)
    with Answering((200, thought)) as server, model_at(server) as model:
        limited = Budgeted(model, budget)
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


# -- cache, loading, input -------------------------------------------------------------------------


def test_a_cache_that_cannot_be_written_loses_no_result(monkeypatch: pytest.MonkeyPatch) -> None:
    cache = ResponseCache(load_settings().cache_file)
    model = Cached(ScriptedModel(generate=["a", "b"]), cache)
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
    with pytest.raises(InputError, match="both settings and"):
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
    from pydantic import BaseModel

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

    with Forgetful() as server, probative.load_encoder("openai:e", base_url=server.base_url) as encoder:
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
    answers = [Cached(ScriptedModel(generate=text), cache).generate(["q"])[0].text for text in "AB"]
    assert answers == ["A", "B"]


def test_a_server_without_schema_output_is_paid_once() -> None:
    answer = '{"a": 1}'
    asked = Request.user("q", json_schema={"type": "object", "properties": {"a": {"type": "integer"}}})
    with LoopbackServer(json_schema=False, answer=lambda _: answer) as server:
        with load_model("openai:m", base_url=server.base_url) as model:
            with pytest.warns(UserWarning, match="in words"):
                model.generate([asked])
            assert model.generate([asked])[0].usage.cached == 1


def test_what_was_never_asked_costs_nothing(embedded: EmbeddedModel) -> None:
    budget = Budget(calls=1)
    with pytest.raises(BatchError) as caught:
        Budgeted(embedded, budget).score([("word " * 9000, "end"), ("Two and two make", " four")])
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
