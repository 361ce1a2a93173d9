"""How to reach a server and how often to ask it, what is sent to it, and what comes back."""

from __future__ import annotations

import asyncio
import email.utils
import random
import time
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from pydantic import Field

from probative.server_url import Url
from probative.settings import Settings
from probative.types import Usage, Value


class Connection(Value):
    """How to reach a server and how often to try."""

    base_url: Url = "https://api.openai.com/v1"
    """The address. A user name and password in it are sent as basic authentication, a query with every
    request; both are masked wherever the address is shown or stored."""
    api_key: str | None = None
    concurrency: int = 16
    timeout: float = 120.0
    retries: int = 5
    retry_base: float = 0.5
    """Seconds before the first retry; each further retry waits twice as long."""
    longest_wait: float = 60.0
    """A server that asks for a longer wait than this gets no further request."""
    requests_per_minute: float | None = None
    tokens_per_minute: float | None = None
    max_reply_bytes: int = 16 * 2**20
    """A reply that is longer, after decompression, is an error."""
    control_tokens: bool = False
    """Whether chat control tokens inside texts are sent unchanged."""
    headers: dict[str, str] = Field(default_factory=dict)

    @classmethod
    def from_settings(cls, settings: Settings) -> Connection:
        """Return the connection to the server of the settings."""
        same = ("concurrency", "timeout", "retries", "requests_per_minute", "tokens_per_minute")
        return cls(
            **({"base_url": settings.base_url} if settings.base_url else {}),
            api_key=settings.api_key.get_secret_value() if settings.api_key else None,
            control_tokens=settings.control_tokens,
            **{name: getattr(settings, name) for name in same},
        )

    def __repr__(self) -> str:
        """Leave out the key, so that it never reaches a log."""
        return f"Connection(base_url={str(self.base_url)!r}, concurrency={self.concurrency})"

    __str__ = __repr__


Check = Callable[[dict[str, Any]], None]
"""Raises an error for a reply that cannot be used; after a `ReplyError` the request is sent again."""


class Post(NamedTuple):
    """A request to send: the path below the base URL, the body (a GET without one), the most tokens it may
    cost, and the check of its reply.
    """

    path: str
    body: dict[str, Any]
    tokens: int = 0
    check: Check = lambda body: None


class Reply(NamedTuple):
    """A parsed JSON body, the seconds until it came (waiting and retries included), and the cost of
    earlier attempts whose replies could not be used.
    """

    body: dict[str, Any]
    seconds: float
    wasted: Usage


class Rate:
    """Spaces requests evenly, so that no minute exceeds the rate."""

    def __init__(self, per_minute: float | None) -> None:
        self._seconds_each = 60.0 / per_minute if per_minute else 0.0
        self._next = 0.0

    def reserve(self, amount: float, now: float) -> float:
        """Reserve `amount` and return the time at which it may be used."""
        start = max(now, self._next)
        self._next = start + amount * self._seconds_each
        return start


class Limits:
    """The rates of one server, and the last pause that it asked for."""

    def __init__(self, requests_per_minute: float | None, tokens_per_minute: float | None) -> None:
        self._requests = Rate(requests_per_minute)
        self._tokens = Rate(tokens_per_minute)
        self._paused_until = 0.0

    def pause(self, seconds: float) -> None:
        """Hold back all requests for `seconds`."""
        self._paused_until = max(self._paused_until, time.monotonic() + seconds)

    async def turn(self, tokens: int) -> None:
        """Wait until a request of `tokens` tokens may be sent."""
        now = max(time.monotonic(), self._paused_until)
        start = max(self._requests.reserve(1, now), self._tokens.reserve(tokens, now))
        while (wait := max(start, self._paused_until) - time.monotonic()) > 0:
            await asyncio.sleep(wait)


def retry_after(headers: Mapping[str, str], now: float | None = None) -> float | None:
    """Return the seconds that a server asks to wait, from one of three forms of header; None without one.

    >>> retry_after({"Retry-After": "2.5"}), retry_after({"retry-after-ms": "40"})
    (2.5, 0.04)
    >>> retry_after({"Retry-After": "Thu, 01 Jan 1970 00:01:00 GMT"}, now=50.0)
    10.0
    >>> retry_after({"Retry-After": "soon"}) is None
    True
    """
    lower = {name.lower(): value for name, value in headers.items()}
    try:
        if "retry-after-ms" in lower:
            return max(0.0, float(lower["retry-after-ms"]) / 1000)
        return max(0.0, float(lower["retry-after"]))
    except KeyError:
        return None
    except ValueError:
        pass
    try:
        date = email.utils.parsedate_to_datetime(lower.get("retry-after", ""))
    except ValueError:
        return None
    return max(0.0, date.timestamp() - (time.time() if now is None else now))


def backoff(attempt: int, *, base: float, longest: float, requested: float | None) -> float:
    """Return the seconds before the next attempt: twice as long each time, randomised so that many clients
    do not return at once, and never less than the server requested.
    """
    delay = min(longest, base * 2.0**attempt) * random.uniform(0.5, 1.0)
    return delay if requested is None else requested + min(delay, 0.1 * requested + base)
