"""Chat completions: the body of a request, and the parsing of a reply, for `generate` and for `choose`.

Servers differ: some want `max_completion_tokens`, some allow only one temperature, some have no JSON-schema
output. `Dialect` has the known differences of a server; the model learns them from refusals.

`choose` reads the log-probabilities of the first token of an answer.
"""

from __future__ import annotations

import json
import math
import re
import warnings
from dataclasses import dataclass
from typing import Any

from probative.errors import EmptyError, ModelError, OutputError, ReplyError, RequestError
from probative.models.contract import Capability, lacks
from probative.models.openai.connection import Post, Reply
from probative.models.openai.replies import usage_of
from probative.models.structured import in_words
from probative.models.types import (
    Choice,
    Completion,
    FinishReason,
    Message,
    Request,
    Selection,
    split_thinking,
)
from probative.types import Usage

_FINISH: dict[str, FinishReason] = {
    "stop": "stop",
    "eos": "stop",
    "end_turn": "stop",
    "length": "length",
    "max_tokens": "length",
    "content_filter": "filter",
}

TOP = 20
NONE_GIVEN = "its server returns no top log-probabilities"
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


@dataclass
class Dialect:
    """The fields that a server accepts, as far as its refusals have shown."""

    length_field: str = "max_tokens"
    temperature: bool = True
    schema: bool = True

    def learn(self, error: RequestError, sent: dict[str, Any]) -> bool:
        """Adapt to a refusal of the body `sent`; return whether the request should be sent again.

        Only the message, parameter and code of the error are read (the rest may repeat the user's text), and
        only for words that say that a field is not accepted. A value out of range is an error of the caller.
        """
        complaint = _complaint(error)
        if "max_tokens" in sent and re.search(r"max_completion_tokens", complaint):
            self.length_field = "max_completion_tokens"
            return True
        if "temperature" in sent and _refuses("temperature", complaint):
            warnings.warn(
                "the server does not accept a temperature: it uses its default, so answers vary", stacklevel=2
            )
            self.temperature = False
            return True
        if "response_format" in sent and _refuses("response_format|json_schema", complaint):
            warnings.warn(
                "the server has no JSON-schema output: the prompt describes the schema instead", stacklevel=2
            )
            self.schema = False
            return True
        return False

    @property
    def mark(self) -> str:
        """The part of the cache key for answers at the server's own temperature."""
        return "" if self.temperature else "+own-temperature"


_UNKNOWN = (
    r"(?:not support|unsupported|unknown|unrecogni[sz]ed|not permitted|not allowed|not available|"
    r"not implemented|only the default)"
)


def _refuses(field: str, complaint: str) -> bool:
    """Return whether a complaint says that a field is not accepted.

    >>> _refuses("temperature", "temperature does not support 0 with this model")
    True
    >>> _refuses("temperature", "temperature must be at most 2")
    False
    """
    near = rf"(?:{field})\b.{{0,60}}{_UNKNOWN}|{_UNKNOWN}.{{0,60}}(?:{field})\b"
    return re.search(near, complaint, re.IGNORECASE | re.DOTALL) is not None


def _complaint(error: RequestError) -> str:
    """Return the message, parameter and code of a refusal."""
    try:
        body = json.loads(error.body)
        complaint = body.get("error", body)
        parts = [complaint.get(name) for name in ("message", "param", "code")]
        return " ".join(part for part in parts if isinstance(part, str))[:400]
    except (ValueError, AttributeError):
        return error.body[:400]


def chat_post(model: str, request: Request, dialect: Dialect, prompt_tokens: int) -> Post:
    """Return the HTTP request for a chat, in the dialect of the server."""
    if not dialect.schema:
        request = in_words(request)
    body: dict[str, Any] = {
        "model": model,
        "messages": [{"role": m.role, "content": m.content} for m in request.messages],
        dialect.length_field: request.max_tokens,
    }
    if dialect.temperature:
        body["temperature"] = request.temperature
        if request.top_p < 1.0:
            body["top_p"] = request.top_p
    if request.seed is not None:
        body["seed"] = request.seed + request.sample
    if request.stop:
        body["stop"] = list(request.stop)
    if request.json_schema is not None:
        body["response_format"] = {
            "type": "json_schema",
            "json_schema": {
                "name": "answer",
                "schema": request.json_schema,
                "strict": allows_strict(request.json_schema),
            },
        }
    return Post("chat/completions", body, prompt_tokens + request.max_tokens)


def allows_strict(schema: Any) -> bool:
    """Return whether a schema allows `strict` at OpenAI: every object closed, every field required.

    >>> allows_strict({"type": "object", "properties": {"a": {"type": "string"}},
    ...                "required": ["a"], "additionalProperties": False})
    True
    >>> allows_strict({"type": "object", "properties": {"a": {"type": "string"}}})
    False
    """
    if isinstance(schema, dict):
        if schema.get("type") == "object":
            fields = set(schema.get("properties", {}))
            if schema.get("additionalProperties") is not False or fields - set(schema.get("required", [])):
                return False
        return "default" not in schema and all(allows_strict(part) for part in schema.values())
    if isinstance(schema, list):
        return all(allows_strict(part) for part in schema)
    return True


def check_chat(body: dict[str, Any]) -> None:
    """Raise an error for a reply without text: a `ReplyError` is retried, an `EmptyError` is final."""
    text, reasoning, finish = read_message(body)
    if text.strip():
        return
    if finish == "length":
        thinking = f" after {len(reasoning):,} characters of thinking" if reasoning else ""
        raise EmptyError(
            f"the model reached its token limit{thinking} before it wrote an answer",
            hint="raise max_tokens, or switch off the model's thinking",
        )
    raise _nothing_written(body, finish)


def _nothing_written(body: dict[str, Any], finish: FinishReason) -> ModelError:
    if finish == "filter":
        return EmptyError("the server's content filter withheld the answer", hint="rephrase the request")
    return ReplyError("the model wrote nothing", hint="try again, or use another model", body=str(body)[:500])


def read_message(body: dict[str, Any]) -> tuple[str, str, FinishReason]:
    """Return the answer, the thinking before it, and the finish reason."""
    try:
        choice = body["choices"][0]
        message = choice["message"]
        content = message.get("content")
    except (KeyError, IndexError, TypeError, AttributeError) as error:
        raise ReplyError("the reply contains no message", body=str(body)[:500]) from error
    if isinstance(content, list):  # a list of parts
        content = "".join(str(part.get("text") or "") for part in content if isinstance(part, dict))
    text = _encodable(content) if isinstance(content, str) else ""
    reasoning = str(message.get("reasoning_content") or message.get("reasoning") or "")
    if not text and message.get("refusal"):
        return "", str(message["refusal"]), "filter"
    thinking, text = split_thinking(text)
    reasoning = _encodable(reasoning or thinking)
    return text, reasoning, _FINISH.get(str(choice.get("finish_reason")), "stop")


def read_chat(reply: Reply, model: str, estimated_prompt: int) -> Completion:
    """Return the completion in a reply that `check_chat` accepted."""
    text, reasoning, finish = read_message(reply.body)
    estimate = Usage(prompt_tokens=estimated_prompt, completion_tokens=(len(text) + len(reasoning) + 3) // 4)
    return Completion(
        text=text,
        finish_reason=finish,
        model=model,
        reasoning=reasoning or None,
        usage=read_usage(reply, estimate),
    )


def read_usage(reply: Reply, estimate: Usage) -> Usage:
    """Return the cost of a reply, with the attempts before it that failed."""
    cost = usage_of(reply.body, estimate) + reply.wasted
    return cost.model_copy(update={"seconds": reply.seconds})


def _encodable(text: str) -> str:
    """Return the text without halves of surrogate pairs, which a truncated reply can contain."""
    return text.encode("utf-8", "replace").decode()


def needs_letters(options: tuple[str, ...]) -> bool:
    """Return whether the first token of an answer may not distinguish the options.

    >>> needs_letters(("yes", "no", "maybe")), needs_letters(("red", "rose"))
    (False, True)
    """
    plain = [option.strip() for option in options]
    if any(" " in option or not (option[0].isalnum() and option[-1].isalnum()) for option in plain):
        return True
    return len({option.strip()[0].casefold() for option in options}) < len(options)


def with_letters(selection: Selection) -> Request:
    """Return the request with lettered options and the instruction to reply with a letter."""
    lines = [f"{LETTERS[i]}. {option}" for i, option in enumerate(selection.options)]
    *before, last = selection.request.messages
    prompt = f"{last.content}\n\n" + "\n".join(lines) + "\n\nReply with one letter only."
    messages = (*before, Message(role=last.role, content=prompt))
    return selection.request.model_copy(update={"messages": messages})


def check_choice(body: dict[str, Any]) -> None:
    """Raise an error for a reply that contains neither log-probabilities nor text: it is sent again.

    Text without log-probabilities is not such a reply: the server has none to give.
    """
    text, _, finish = read_message(body)
    if text.strip() or finish == "length" or _top_tokens(body) is not None:
        return
    raise _nothing_written(body, finish)


def read_choice(reply: Reply, selection: Selection, model: str, prompt_tokens: int) -> Choice | ModelError:
    """Return the distribution over the options from the top log-probabilities of the first token."""
    top = _top_tokens(reply.body)
    usage = read_usage(reply, Usage(prompt_tokens=prompt_tokens, completion_tokens=1))
    if top is None:
        missing = lacks(model, Capability.CHOOSE, NONE_GIVEN)
        missing.usage = usage
        return missing
    names = (
        tuple(LETTERS[: len(selection.options)]) if needs_letters(selection.options) else selection.options
    )
    masses = attribute(top, names)
    coverage = math.fsum(masses)
    if coverage <= 0.0:
        error = OutputError(
            f"none of the options {list(names)} is among the {len(top)} most probable first tokens",
            raw=" ".join(repr(token) for token, _ in top),
            model=model,
            step="choose",
            finish_reason="stop",
            hint="name the options in the prompt; a model that thinks before it answers cannot choose",
        )
        error.usage = usage
        return error
    return Choice(
        options=selection.options,
        probabilities=tuple(mass / coverage for mass in masses),
        coverage=min(1.0, coverage),
        model=model,
        usage=usage,
    )


def attribute(top: list[tuple[str, float]], names: tuple[str, ...]) -> list[float]:
    """Return the probability of each name: a token counts for the only name that starts with it.

    >>> attribute([("Yes", 0.5), (" yes.", 0.25), ("N", 0.125), ("Perhaps", 0.1)], ("yes", "no"))
    [0.75, 0.125]
    """
    masses = [0.0] * len(names)
    for token, probability in top:
        piece = token.strip().strip(".,:;!?*\"'`()").casefold()
        matches = [i for i, name in enumerate(names) if piece and name.strip().casefold().startswith(piece)]
        if len(matches) == 1:
            masses[matches[0]] += probability
    return masses


def _top_tokens(body: dict[str, Any]) -> list[tuple[str, float]] | None:
    """Return the alternatives of the first token with their probabilities; None without log-probabilities."""
    try:
        entries = body["choices"][0]["logprobs"]["content"][0]["top_logprobs"]
        values = [(str(entry["token"]), float(entry["logprob"])) for entry in entries]
    except (KeyError, IndexError, TypeError, ValueError):
        return None
    if any(math.isnan(value) or value > 1e-3 for _, value in values):
        return None  # not log-probabilities
    return [(token, math.exp(value)) for token, value in values] or None
