"""What an HTTP reply means: a typed error for a refusal, and what a reply cost."""

from __future__ import annotations

import json
import re
from typing import Any

from probative.errors import (
    AuthError,
    ConnectError,
    ContextError,
    ModelError,
    NotFoundError,
    OverloadError,
    RateLimitError,
    ReplyError,
    RequestError,
    SlowServerError,
)
from probative.models.openai.limits import retry_after
from probative.usage import Usage

_TRANSIENT = {408, 409, 425, 429}  # and everything from 500 on
_OVERFLOW = re.compile(r"context_length_exceeded|maximum context length|exceeds? the available context", re.I)


def refusal(status: int, raw: bytes, headers: Any, where: str) -> ModelError:
    """The typed error for an HTTP status of 300 and above."""
    text = raw[:2000].decode("utf-8", "replace")
    try:
        message = message_of(json.loads(raw)) or text
    except ValueError:
        message = text
    what = f"{where} answered {status}: {message.strip()[:500] or 'no message'}"
    details: dict[str, Any] = {"status": status, "body": text}
    if status in (401, 403):
        return AuthError(
            what, hint="check the key (--api-key, PROBATIVE_API_KEY or OPENAI_API_KEY)", **details
        )
    if status < 400:
        return RequestError(
            f"{where} answered {status}: it has moved to {headers.get('Location', 'another address')}",
            hint="give the new address as base_url",
            **details,
        )
    if status == 404:
        return NotFoundError(
            what, hint="check the model's name and base_url (it often ends in /v1)", **details
        )
    if status in (400, 413, 422) and _OVERFLOW.search(text):
        return ContextError(what)
    if status < 500 and status not in _TRANSIENT:
        return RequestError(what, hint="the server will not take this request as it is", **details)
    details["retry_after"] = asked = retry_after(headers)
    if status == 429:
        if "insufficient_quota" in text:
            return RateLimitError(what, hint="the account's quota is used up", final=True, **details)
        wait = f" (it asks to wait {asked:g} s)" if asked else ""
        return RateLimitError(
            what + wait,
            hint="lower --concurrency, or set --requests-per-minute and --tokens-per-minute",
            **details,
        )
    return OverloadError(what, hint="the server is in trouble: try again later", **details)


def message_of(body: Any) -> str:
    """The words of an error body, whichever of the usual forms it has."""
    error = body.get("error", body) if isinstance(body, dict) else body
    if isinstance(error, dict):
        return str(error.get("message") or error.get("detail") or error)
    return str(error)


def cost_of(body: dict[str, Any], error: ModelError) -> Usage:
    """What a try cost that gave no result: what an unusable reply says; one call where a server may
    have worked without our seeing the end of it; nothing where it refused.
    """
    if body:
        return usage_of(body, Usage(calls=1))
    return Usage(calls=1) if isinstance(error, ConnectError | SlowServerError | ReplyError) else Usage()


def usage_of(body: dict[str, Any], estimate: Usage) -> Usage:
    """What the server says a reply cost, or the estimate where it does not say.

    >>> usage_of({"usage": {"prompt_tokens": 3, "completion_tokens": None}}, Usage(completion_tokens=9))
    Usage(calls=1, prompt_tokens=3, completion_tokens=9, scored_tokens=0, cached=0, seconds=0.0)
    """
    said = body.get("usage")
    usage = said if isinstance(said, dict) else {}
    prompt, completion = usage.get("prompt_tokens"), usage.get("completion_tokens")
    return Usage(
        calls=1,
        prompt_tokens=prompt if isinstance(prompt, int) else estimate.prompt_tokens,
        completion_tokens=completion if isinstance(completion, int) else estimate.completion_tokens,
    )
