"""Respect the limits of a server: requests and tokens per minute, and pauses that it asks for."""

from __future__ import annotations

import asyncio
import email.utils
import random
import time
from collections.abc import Mapping


class Rate:
    """Spaces requests evenly, so that no minute exceeds the rate."""

    def __init__(self, per_minute: float | None) -> None:
        self._seconds_each = 60.0 / per_minute if per_minute else 0.0
        self._next = 0.0

    def reserve(self, amount: float, now: float) -> float:
        """Reserve `amount` and return the time at which it may be used.

        >>> rate = Rate(per_minute=60)
        >>> [rate.reserve(1, now=10.0), rate.reserve(2, now=10.0), rate.reserve(1, now=10.0)]
        [10.0, 11.0, 13.0]
        """
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

    >>> 0.25 <= backoff(0, base=0.5, longest=30, requested=None) <= 0.5
    True
    >>> backoff(0, base=0.5, longest=30, requested=7.0) >= 7.0
    True
    """
    delay = min(longest, base * 2.0**attempt) * random.uniform(0.5, 1.0)
    return delay if requested is None else requested + min(delay, 0.1 * requested + base)
