"""The prices of common models on their makers' servers, and what a run costs with them."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from functools import cache
from importlib import resources
from typing import NamedTuple
from urllib.parse import urlsplit

from probative.models.budget import Prices
from probative.types import Usage

_OPENAI = "https://api.openai.com/v1"
_VERSION = re.compile(r"-(?:\d{4}-\d{2}-\d{2}|\d{8})$")


@cache
def _table() -> dict[tuple[str, str], Prices]:
    """Return the prices of `prices.toml` by the host of the server and the name of the model."""
    text = (resources.files("probative.models") / "prices.toml").read_text(encoding="utf-8")
    return {
        (server["host"], model): Prices(prompt=prompt, completion=completion, date=server["date"])
        for server in tomllib.loads(text)["servers"]
        for model, (prompt, completion) in server["models"].items()
    }


def listed_prices(model: str | None, base_url: str | None) -> Prices | None:
    """Return the prices of a model on its maker's server; None if they are not known. A dated version of a
    model costs as much as the model.

    >>> listed_prices("openai:gpt-4o-mini-2024-07-18", None)
    Prices(prompt=0.15, completion=0.6, date=datetime.date(2026, 10, 16))
    >>> listed_prices("openai:gpt-4o-mini", "http://127.0.0.1:8000/v1") is None
    True
    """
    backend, _, name = (model or "").partition(":")
    host = urlsplit(base_url or _OPENAI).hostname or ""
    return _table().get((host, _VERSION.sub("", name))) if backend == "openai" else None


class Money(NamedTuple):
    """An amount, and by which prices."""

    amount: float
    prices: str

    def __str__(self) -> str:
        return f"{self.amount:.4g} ({self.prices})"


def money(parts: Iterable[tuple[Usage, Prices | None]]) -> Money | None:
    """Return what the models of a run cost together; None if the price of one that was called is not known.

    >>> parts = [(Usage(calls=9, prompt_tokens=2_000_000), listed_prices("openai:gpt-4o-mini", None))]
    >>> str(money(parts))
    '0.3 (US dollars, prices of 2026-10-16)'
    """
    called = [(usage, prices) for usage, prices in parts if usage.calls]
    if not called or any(prices is None for _, prices in called):
        return None
    known = [(usage, prices) for usage, prices in called if prices is not None]
    named = dict.fromkeys(
        f"US dollars, prices of {prices.date}" if prices.date else "your prices" for _, prices in known
    )
    return Money(sum(prices.cost(usage) for usage, prices in known), "; ".join(named))
