"""How many tokens the model of a server reads: by a setting, by what the server says, or by a table.

| server | where it says so |
| --- | --- |
| vLLM, SGLang | `max_model_len` in `/v1/models` |
| llama.cpp | `meta.n_ctx` in `/v1/models`, or `/props`; `n_ctx_train` is what the model could read |
| Ollama | `context_length` of the loaded model in `/api/ps`; `/api/show` has only what it could read |
| OpenRouter, Groq, Mistral | `context_length`, `context_window`, `max_context_length` in `/v1/models` |
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from contextlib import closing
from typing import Any

from probative.errors import (
    ContextError,
    ModelError,
    NotFoundError,
    OverloadError,
    ReplyError,
    RequestError,
)
from probative.models.openai.connection import Connection, Post
from probative.models.openai.replies import token_count
from probative.models.openai.transport import Transport

# The smallest window among the models whose names begin so (in July 2026); the longest one
# counts. Models that people serve themselves are not here: their servers say it.
TABLE = {
    "gpt-3.5": 16_385,
    "gpt-4": 8_192,
    "gpt-4-turbo": 128_000,
    "gpt-4o": 128_000,
    "gpt-4.1": 1_047_576,
    "gpt-5": 128_000,
    "o3": 200_000,
    "o4": 200_000,
    "claude-": 200_000,
    "gemini-": 1_048_576,
    "deepseek-": 131_072,
    "grok-4": 256_000,
}
_FIELDS = ("max_model_len", "context_length", "context_window", "max_context_length")
# Tokens are estimated at four characters each, and names and numbers have more. So this share of a window is
# filled, and this share of that again each time the server still finds a prompt too long.
FILLED = 0.8
# A server that was down, or was loading the model, is asked again after this time.
EXPIRES_SECONDS = 600.0
# These say nothing about windows, and need not be asked.
_SILENT = ("https://api.openai.com/",)


class Window:
    """The window of one model of a server, in tokens as they are estimated; found at its first use.

    >>> Window(Connection(), "gpt-4o-mini").tokens, Window(Connection(), "gpt-4o-mini", 10_000).tokens
    (102400, 8000)
    """

    def __init__(self, connection: Connection, model: str, setting: int | None = None) -> None:
        self._connection, self._model = connection, model
        self._stated = setting
        self._share = FILLED
        self._again = 0.0
        self._finding = threading.Lock()

    @property
    def tokens(self) -> int | None:
        """The estimated tokens of a prompt with its output that fit; None if nobody says it."""
        with self._finding:
            if self._stated is None and time.monotonic() >= self._again:
                self._stated = self._asked() or table_window(self._model)
                self._again = time.monotonic() + EXPIRES_SECONDS
        return self.known

    @property
    def unasked(self) -> int | None:
        """The same, by the setting or the table if the server was not asked yet."""
        listed = None if self._stated is not None else table_window(self._model)
        return self.known if listed is None else int(listed * self._share)

    @property
    def known(self) -> int | None:
        """The same as far as it was found so far: the server is not asked."""
        return None if self._stated is None else int(self._stated * self._share)

    def learn(self, refusal: ContextError, sent: int | None) -> None:
        """Correct the window by the refusal of a prompt; `sent` is what was known when it was sent."""
        with self._finding:
            if self.known != sent:
                return  # another request of the same batch was refused before this one
            if refusal.window is not None and (self._stated is None or refusal.window < self._stated):
                self._stated = refusal.window
            elif self._stated is not None:
                self._share *= FILLED

    def _asked(self) -> int | None:
        """Return what the server says, in one attempt each; None if it says nothing or cannot be reached."""
        connection = self._connection.model_copy(update={"retries": 0})
        with closing(Transport(connection)) as transport:
            if transport.base_url.startswith(_SILENT):
                return None
            try:
                return _stated_window(lambda path, body: _reply(transport, path, body), self._model)
            except ModelError:
                return None


def table_window(model: str) -> int | None:
    """Return the window of a common model by its name, None for another model.

    >>> table_window("gpt-4"), table_window("openai/gpt-4o-mini"), table_window("my-model")
    (8192, 128000, None)
    """
    name = model.rpartition("/")[2].lower()
    return TABLE.get(max((start for start in TABLE if name.startswith(start)), key=len, default=""))


def _reply(transport: Transport, path: str, body: dict[str, Any]) -> dict[str, Any]:
    """Return the reply of a path beside or below the base URL; nothing if the server does not have it."""
    if path.startswith("/"):
        path = transport.base_url.removesuffix("/v1") + path
    ((_, outcome),) = transport.send([Post(path, body)])
    if isinstance(outcome, NotFoundError | RequestError | ReplyError | OverloadError):
        return {}
    if isinstance(outcome, ModelError):
        raise outcome
    return outcome.body


def _stated_window(ask: Callable[[str, dict[str, Any]], dict[str, Any]], model: str) -> int | None:
    """Ask a server by each of its ways; an empty body is a GET."""
    entry = _entry(ask("models", {}).get("data"), "id", model, alone=True)
    meta = _object(entry.get("meta"))
    stated = next(
        (size for name in _FIELDS if (size := _tokens(entry.get(name)))), _tokens(meta.get("n_ctx"))
    )
    if stated is None:
        stated = _tokens(_object(ask("/props", {}).get("default_generation_settings")).get("n_ctx"))
    if stated is None and isinstance((loaded := ask("/api/ps", {})).get("models"), list):
        if not _entry(loaded["models"], "model", model):
            ask("/api/generate", {"model": model, "stream": False})  # loads it, as the first chat would
            loaded = ask("/api/ps", {})
        stated = _tokens(_entry(loaded.get("models"), "model", model).get("context_length"))
    return stated or _tokens(meta.get("n_ctx_train"))


def _entry(entries: Any, key: str, model: str, *, alone: bool = False) -> dict[str, Any]:
    """Return the entry of a model in a list; with `alone`, the only entry whatever its name.

    >>> _entry([{"model": "qwen3:latest", "context_length": 4096}], "model", "qwen3")["context_length"]
    4096
    """
    listed = [_object(entry) for entry in entries] if isinstance(entries, list) else []
    named = [entry for entry in listed if entry.get(key) in (model, f"{model}:latest")]
    return (named or (listed if alone and len(listed) == 1 else [{}]))[0]


def _object(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _tokens(value: Any) -> int | None:
    return token_count(value, 0) or None
