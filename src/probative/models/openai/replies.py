"""An HTTP reply: its body, read within limits, its cost, and the typed error of a refusal.

A gzip reply of 400 KB can unpack to 400 MB, so the client unpacks the body itself, in small pieces, and
stops at a limit.
"""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing
from typing import TYPE_CHECKING, Any

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
from probative.models.openai.connection import retry_after
from probative.text.words import clean
from probative.types import Usage

if TYPE_CHECKING:
    import aiohttp

ACCEPTED = "gzip, deflate"
_PIECE = 1 << 16


class TooLongError(ReplyError):
    """The reply is longer than the limit."""


async def read_body(response: aiohttp.ClientResponse, limit: int) -> bytes:
    """Return the unpacked body; raises `TooLongError` as soon as it exceeds `limit` bytes."""
    body = await read_start(response, limit + 1)
    if len(body) > limit:
        raise TooLongError(
            f"the reply is longer than {limit:,} bytes",
            hint="the server does not behave like an OpenAI-compatible one: check base_url",
            final=True,
        )
    return body


async def read_start(response: aiohttp.ClientResponse, size: int = _PIECE) -> bytes:
    """Return at most the first `size` bytes of the unpacked body."""
    start = bytearray()
    async with aclosing(_pieces(response)) as pieces:
        async for piece in pieces:
            start += piece
            if len(start) >= size:
                break
    del start[size:]
    return bytes(start)


async def _pieces(response: aiohttp.ClientResponse) -> AsyncGenerator[bytes, None]:
    """Yield the unpacked body in pieces of limited size."""
    encoding = response.headers.get("Content-Encoding", "").strip().lower()
    if encoding not in ("", "identity", "gzip", "x-gzip", "deflate"):
        raise ReplyError(f"the reply has the unknown content encoding {encoding[:40]!r}", final=True)
    inflate: Any = None
    async for chunk in response.content.iter_any():
        if encoding in ("", "identity"):
            yield chunk
            continue
        if inflate is None:
            # 47: gzip or zlib, by the header. Some servers send deflate without a header.
            headless = encoding == "deflate" and chunk[0] & 0x0F != 8
            inflate = zlib.decompressobj(-zlib.MAX_WBITS if headless else 47)
        while chunk:
            try:
                piece = inflate.decompress(chunk, _PIECE)
            except zlib.error as error:
                raise ReplyError(f"the reply cannot be unpacked: {error}") from error
            yield piece
            chunk = inflate.unconsumed_tail


# More tokens than any model reads or writes in one request.
MAX_TOKENS = 10_000_000
_TRANSIENT = {408, 409, 425, 429}  # and everything from 500 on
_OVERFLOW = re.compile(r"context_length_exceeded|maximum context length|exceeds? the available context", re.I)
# "maximum context length is 8192 tokens", "context length is only 8192", "context size (8192 tokens)", and
# "prompt is too long: 210000 tokens > 200000 maximum".
_WINDOW = re.compile(r"(?:context (?:length|size|window)\D{0,12}|too long: \d+ tokens > )(\d{1,9})", re.I)


def safe_text(text: str, secrets: Sequence[str] = ()) -> str:
    r"""Return a server's text fit to be shown: one line without control characters, at most 500 characters,
    with `secrets` masked (some servers repeat the key).

    >>> safe_text("no such key:\x1b[31m sk-123456\n", ["sk-123456"])
    'no such key: ***'
    """
    for secret in sorted(secrets, key=len, reverse=True):
        if len(secret) >= 4:
            text = text.replace(secret, "***")
    return clean(text.encode("utf-8", "replace").decode()[:4000])[:500]


def refusal(
    status: int, raw: bytes, headers: Mapping[str, str], where: str, secrets: Sequence[str] = ()
) -> ModelError:
    """Return the typed error for an HTTP status of 300 and above; `where` names the server."""
    text = raw[:2000].decode("utf-8", "replace")
    try:
        message = message_of(json.loads(raw)) or text
    except (ValueError, RecursionError):
        message = text
    what = f"{where} answered {status}: {safe_text(message, secrets) or 'no message'}"
    details: dict[str, Any] = {"status": status, "body": text}
    if status in (401, 403):
        return AuthError(
            what, hint="check the key (--api-key, PROBATIVE_API_KEY or OPENAI_API_KEY)", **details
        )
    if status < 400:
        return RequestError(
            f"{where} answered {status}: it has moved to "
            + safe_text(headers.get("Location", "another address"), secrets),
            hint="give the new address as base_url",
            **details,
        )
    if status == 404:
        return NotFoundError(
            what, hint="check the model's name and base_url (it often ends in /v1)", **details
        )
    stated = _WINDOW.search(text)
    if status in (400, 413, 422) and (stated or _OVERFLOW.search(text)):
        return ContextError(what, window=token_count(int(stated[1]), 0) or None if stated else None)
    if status < 500 and status not in _TRANSIENT:
        return RequestError(what, hint="change the request: the server does not accept it", **details)
    details["retry_after"] = seconds = retry_after(headers)
    if status == 429:
        if "insufficient_quota" in text:
            return RateLimitError(what, hint="the account's quota is used up", final=True, **details)
        wait = f" (it asks to wait {seconds:g} s)" if seconds else ""
        return RateLimitError(
            what + wait,
            hint="lower --concurrency, or set --requests-per-minute and --tokens-per-minute",
            **details,
        )
    return OverloadError(what, hint="the server failed: try again later", **details)


def message_of(body: Any) -> str:
    """Return the message of an error body, in whichever of the usual forms it has."""
    error = body.get("error", body) if isinstance(body, dict) else body
    if isinstance(error, dict):
        return str(error.get("message") or error.get("detail") or error)
    return str(error)


def cost_of(body: dict[str, Any], error: ModelError) -> Usage:
    """Return the cost of an attempt without a result: what an unusable reply states; one call where the
    server may have worked although no reply came; nothing where it refused.
    """
    if body:
        return usage_of(body, Usage(calls=1))
    return Usage(calls=1) if isinstance(error, ConnectError | SlowServerError | ReplyError) else Usage()


def usage_of(body: dict[str, Any], estimate: Usage) -> Usage:
    """Return the cost that the server states, or the estimate where it states none that is possible.

    >>> usage_of({"usage": {"prompt_tokens": 3, "completion_tokens": None}}, Usage(completion_tokens=9))
    Usage(calls=1, prompt_tokens=3, completion_tokens=9, scored_tokens=0, cached=0, seconds=0.0)
    >>> usage_of({"usage": {"prompt_tokens": -5, "completion_tokens": 10**30}}, Usage(prompt_tokens=7)).tokens
    7
    """
    stated = body.get("usage")
    usage = stated if isinstance(stated, dict) else {}
    return Usage(
        calls=1,
        prompt_tokens=token_count(usage.get("prompt_tokens"), estimate.prompt_tokens),
        completion_tokens=token_count(usage.get("completion_tokens"), estimate.completion_tokens),
    )


def token_count(stated: Any, estimate: int) -> int:
    """Return the number of tokens that a server states, or the estimate if that number is impossible: a
    negative or absurd number must not pass into a budget.
    """
    possible = isinstance(stated, int) and not isinstance(stated, bool) and 0 < stated <= MAX_TOKENS
    return int(stated) if possible else estimate
