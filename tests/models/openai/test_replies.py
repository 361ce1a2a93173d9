"""What servers send, thinking and nonsense included."""

from __future__ import annotations

import json
from typing import Any

import pytest
from servers import Answering, model_at, said

from probative import (
    BatchError,
    CapabilityError,
    ContextError,
    EmptyError,
    OverloadError,
    ReplyError,
    RequestError,
    load_model,
)
from probative.models.openai.replies import refusal
from probative.testing import LoopbackServer


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
    assert "max_tokens" in caught.value.hint


def test_an_empty_answer_is_an_error_never_an_empty_string() -> None:
    with LoopbackServer(answer=lambda asked: " ") as server, model_at(server, retries=1) as model:
        with pytest.raises(ReplyError, match="wrote nothing"):
            model.generate(["q"])
        assert server.seen["/v1/chat/completions"] == 2


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


@pytest.mark.parametrize(
    ("message", "window"),
    [
        ("This model's maximum context length is 8192 tokens. However, you requested 9000 tokens.", 8192),
        ("You passed 1015 input tokens. However, the model's context length is only 1024 tokens.", 1024),
        ("request (5000 tokens) exceeds the available context size (4096 tokens), try increasing it", 4096),
        ("The input (9000 tokens) is longer than the model's context length (4096 tokens).", 4096),
        ("prompt is too long: 210000 tokens > 200000 maximum", 200_000),
        ("input length exceeds maximum context length", None),
        ("the code is context_length_exceeded", None),
    ],
)
def test_a_refusal_of_a_prompt_that_is_too_long_says_the_window(message: str, window: int | None) -> None:
    error = refusal(400, json.dumps({"error": {"message": message}}).encode(), {}, "host")
    assert isinstance(error, ContextError)
    assert error.window == window


def test_a_number_without_a_context_is_no_window() -> None:
    body = json.dumps({"error": {"message": "max_tokens must be at most 4096"}}).encode()
    assert not isinstance(refusal(400, body, {}, "host"), ContextError)
