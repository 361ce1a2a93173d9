"""Chat completions: what is sent, and what a reply may look like.

Servers differ: some want `max_completion_tokens`, some allow only one temperature, some have no
JSON-schema output. `Dialect` holds what a server has been found to want; the model learns it from
the server's own refusals.
"""

from __future__ import annotations

import re
import warnings
from dataclasses import dataclass
from typing import Any

from probative.errors import EmptyError, ModelError, ReplyError, RequestError
from probative.models.contract import Completion, FinishReason, Request
from probative.models.openai.transport import Post, Reply
from probative.models.schema import in_words
from probative.usage import Usage

_FINISH: dict[str, FinishReason] = {
    "stop": "stop",
    "eos": "stop",
    "end_turn": "stop",
    "length": "length",
    "max_tokens": "length",
    "content_filter": "filter",
}
_THOUGHT = re.compile(r"^\s*<think(?:ing)?>(.*?)(?:</think(?:ing)?>|\Z)", re.DOTALL)


@dataclass
class Dialect:
    """What this server wants, as far as its refusals have taught us."""

    length_field: str = "max_tokens"
    temperature: bool = True
    schema: bool = True

    def learn(self, error: RequestError, request_had_schema: bool) -> bool:
        """Adapt to a refusal; True when the request is worth sending again."""
        said = (error.what + error.body).lower()
        if "max_completion_tokens" in said and self.length_field == "max_tokens":
            self.length_field = "max_completion_tokens"
            return True
        if "temperature" in said and self.temperature:
            warnings.warn(
                "the server allows no choice of temperature: its own default is used, so answers vary",
                stacklevel=2,
            )
            self.temperature = False
            return True
        names_schema = "response_format" in said or "json_schema" in said or "schema" in said
        if request_had_schema and names_schema and self.schema:
            warnings.warn(
                "the server has no JSON-schema output: the schema is asked for in words", stacklevel=2
            )
            self.schema = False
            return True
        return False


def chat_post(model: str, request: Request, dialect: Dialect, prompt_tokens: int) -> Post:
    """The request as the server wants it."""
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
    """Whether a schema meets OpenAI's conditions for `strict`: every object closed, every field required.

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
    """Raise what makes a reply unusable: a `ReplyError` is tried again, an `EmptyError` is final."""
    text, reasoning, finish = read_message(body)
    if text.strip():
        return
    if finish == "length":
        thought = f" after thinking {len(reasoning):,} characters" if reasoning else ""
        raise EmptyError(
            f"the model reached its token limit{thought} before it wrote an answer",
            mend="raise max_tokens, or turn the model's thinking off",
        )
    if finish == "filter":
        raise EmptyError("the server's content filter withheld the answer", mend="rephrase the request")
    raise ReplyError("the model wrote nothing", mend="try again, or another model", body=str(body)[:500])


def read_message(body: dict[str, Any]) -> tuple[str, str, FinishReason]:
    """The answer, the thinking before it, and why it ended."""
    try:
        choice = body["choices"][0]
        message = choice["message"]
        content = message.get("content")
    except (KeyError, IndexError, TypeError, AttributeError) as error:
        raise ReplyError("the reply holds no message", body=str(body)[:500]) from error
    if isinstance(content, list):  # a list of parts
        content = "".join(str(part.get("text", "")) for part in content if isinstance(part, dict))
    text = content if isinstance(content, str) else ""
    reasoning = str(message.get("reasoning_content") or message.get("reasoning") or "")
    if not text and message.get("refusal"):
        return "", str(message["refusal"]), "filter"
    if (thought := _THOUGHT.match(text)) is not None:
        reasoning, text = reasoning or thought.group(1).strip(), text[thought.end() :].lstrip()
    return text, reasoning, _FINISH.get(str(choice.get("finish_reason")), "stop")


def read_chat(reply: Reply, model: str, estimated_prompt: int) -> Completion | ModelError:
    """The completion in a reply that `check_chat` passed."""
    text, reasoning, finish = read_message(reply.body)
    return Completion(
        text=text,
        finish_reason=finish,
        model=model,
        reasoning=reasoning or None,
        usage=read_usage(reply, estimated_prompt, (len(text) + len(reasoning) + 3) // 4),
    )


def read_usage(reply: Reply, estimated_prompt: int, estimated_completion: int) -> Usage:
    """What the server says it cost, or our estimate where it does not say."""
    said = reply.body.get("usage")
    usage = said if isinstance(said, dict) else {}
    prompt, completion = usage.get("prompt_tokens"), usage.get("completion_tokens")
    return Usage(
        calls=1,
        prompt_tokens=prompt if isinstance(prompt, int) else estimated_prompt,
        completion_tokens=completion if isinstance(completion, int) else estimated_completion,
        seconds=reply.seconds,
    )
