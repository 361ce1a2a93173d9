"""The attributes of spans, by the names of OpenTelemetry's conventions for generative AI where they have one.

Prompts, outputs and the messages of errors are left out unless the variable
`OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT` asks for content in spans.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import Any

from probative.trace import Call
from probative.types import Usage, Value

CAPTURE = "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT"
# EVENT_ONLY asks for content in events of the log, which are not sent here.
_IN_SPANS = ("TRUE", "SPAN_ONLY", "SPAN_AND_EVENT")
# The conventions name no operations for log-probabilities, weights and verdicts: these keep our names.
_OPERATIONS = {"generate": "chat", "encode": "embeddings"}
_PROVIDERS = {"openai": "openai", "hf": "huggingface"}
_REQUESTED = {
    "max_tokens": "gen_ai.request.max_tokens",
    "temperature": "gen_ai.request.temperature",
    "top_p": "gen_ai.request.top_p",
    "seed": "gen_ai.request.seed",
    "stop": "gen_ai.request.stop_sequences",
}
_FINISHED = {"filter": "content_filter"}

Attributes = dict[str, Any]


def captures_content() -> bool:
    """Return whether the user asks for prompts and outputs in spans."""
    return os.environ.get(CAPTURE, "").strip().upper() in _IN_SPANS


def call_name(call: Call) -> str:
    """Return the name of the span of a call: the operation and the model.

    >>> call_name(Call(verb="generate", model="openai:gpt-4o-mini", request={}))
    'chat gpt-4o-mini'
    """
    return f"{_operation(call)} {_provider_and_model(call)[1]}"


def is_remote(call: Call) -> bool:
    """Return whether the model runs on a server."""
    return call.model.startswith("openai:")


def call_attributes(call: Call, *, content: bool) -> Attributes:
    """Return what is known of a call; with `content`, its prompt and its output, too.

    >>> call = Call(verb="score", model="embedded", request={"prompt": "It rained."})
    >>> call_attributes(call, content=False)["gen_ai.operation.name"]
    'score'
    """
    provider, model = _provider_and_model(call)
    usage = call.usage
    attributes: Attributes = {
        "gen_ai.operation.name": _operation(call),
        "gen_ai.provider.name": provider,
        "gen_ai.request.model": model,
        "gen_ai.usage.input_tokens": usage.prompt_tokens + usage.scored_tokens,
        "gen_ai.usage.output_tokens": usage.completion_tokens,
        "probative.cached": bool(usage.cached),
    }
    for field, name in _REQUESTED.items():
        if (value := call.request.get(field)) is not None and value != []:
            attributes[name] = value
    result = call.result or {}
    if (reason := result.get("finish_reason")) is not None:
        attributes["gen_ai.response.finish_reasons"] = [_FINISHED.get(reason, reason)]
    if call.error is not None:
        attributes["error.type"] = call.error_type or "_OTHER"
    return attributes | (_content(call, result) if content else {})


def usage_attributes(usage: Usage) -> Attributes:
    """Return the cost of a run. The tokens have names of ours: those of the conventions are on the calls,
    and would be counted twice.
    """
    fields = usage.model_dump(exclude={"seconds"})
    return {f"probative.usage.{name}": value for name, value in fields.items()}


def result_attributes(result: Value) -> Attributes:
    """Return the verdict of a result, or how many of its claims have each."""
    verdict, counts = getattr(result, "verdict", None), getattr(result, "counts", None)
    attributes: Attributes = {} if verdict is None else {"probative.verdict": str(verdict)}
    if isinstance(counts, Mapping):
        attributes |= {f"probative.claims.{name}": count for name, count in counts.items()}
    return attributes


def _operation(call: Call) -> str:
    return _OPERATIONS.get(call.verb, call.verb)


def _provider_and_model(call: Call) -> tuple[str, str]:
    """Return the provider and the model, without the prefix that is the provider.

    >>> _provider_and_model(Call(verb="judge", model="embedded:large", request={}))
    ('probative', 'embedded:large')
    """
    prefix, _, name = call.model.partition(":")
    if name and prefix in _PROVIDERS:
        return _PROVIDERS[prefix], name
    return "probative", call.model


def _content(call: Call, result: Mapping[str, Any]) -> Attributes:
    """Return the prompt and the output of a call."""
    if call.verb != "generate":
        content = {"probative.request": call.request, "probative.result": call.result}
        return {name: _json(value) for name, value in content.items() if value is not None}
    messages = [
        {"role": message["role"], "parts": [_text(message["content"])]}
        for message in call.request.get("messages", ())
    ]
    attributes = {"gen_ai.input.messages": _json(messages)}
    if "text" in result:
        reason = result.get("finish_reason", "stop")
        answer = {"role": "assistant", "parts": [_text(result["text"])]}
        attributes["gen_ai.output.messages"] = _json(
            [{**answer, "finish_reason": _FINISHED.get(reason, reason)}]
        )
    return attributes


def _text(content: str) -> dict[str, str]:
    return {"type": "text", "content": content}


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)
