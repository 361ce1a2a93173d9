"""How to reach a server, what is sent to it, and what comes back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from pydantic import Field

from probative.server_url import Url
from probative.types import Value
from probative.usage import Usage


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

    def __repr__(self) -> str:
        """Leave out the key, so that it never reaches a log."""
        return f"Connection(base_url={str(self.base_url)!r}, concurrency={self.concurrency})"

    __str__ = __repr__


Check = Callable[[dict[str, Any]], None]
"""Raises an error for a reply that cannot be used; after a `ReplyError` the request is sent again."""


def accept(body: dict[str, Any]) -> None:
    """Accept every reply."""


class Post(NamedTuple):
    """A request to send: the path below the base URL, the body, the most tokens it may cost, and the check
    of its reply.
    """

    path: str
    body: dict[str, Any]
    tokens: int = 0
    check: Check = accept


class Reply(NamedTuple):
    """A parsed JSON body, the seconds until it came (waiting and retries included), and the cost of
    earlier attempts whose replies could not be used.
    """

    body: dict[str, Any]
    seconds: float
    wasted: Usage
