"""Opened models, shared by every session of a process: the same weights are loaded once."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import Any

from probative.settings import Settings

# What decides how a server is reached or a model is loaded, apart from its name.
_CONNECTION = (
    "base_url",
    "window",
    "control_tokens",
    "api_key",
    "concurrency",
    "timeout",
    "retries",
    "requests_per_minute",
    "tokens_per_minute",
    "device",
    "dtype",
    "compile",
    "wheels",
)


def model_key(kind: str, name: str, settings: Settings) -> Hashable:
    """Return what two openings of a model must have in common to share it."""
    weights = os.path.realpath(settings.weights_folder)  # a link loop is no error here
    if name.partition(":")[0] == "embedded":
        return kind, name, weights, settings.threads, settings.device
    return kind, name, weights, settings.threads, *(getattr(settings, field) for field in _CONNECTION)


@dataclass
class _Entry:
    """A shared model, how many leases it has, and the lock under which it is opened."""

    users: int = 0
    model: Any = None
    opening: threading.Lock = field(default_factory=threading.Lock)


class ModelPool:
    """Opens each model once and closes it when its last lease ends. Safe to use from many threads."""

    def __init__(self) -> None:
        self._entries: dict[Hashable, _Entry] = {}
        self._lock = threading.Lock()
        os.register_at_fork(after_in_child=self._after_fork)

    def lease(self, key: Hashable, open_model: Callable[[], Any]) -> Any:
        """Return the model of this key, opening it if nobody has."""
        with self._lock:
            entry = self._entries.setdefault(key, _Entry())
            entry.users += 1
        try:
            with entry.opening:
                if entry.model is None:
                    entry.model = open_model()
                return entry.model
        except BaseException:
            self.release(key)
            raise

    def release(self, key: Hashable) -> None:
        """End a lease; the last one closes the model."""
        with self._lock:
            entry = self._entries.get(key)
            if entry is None:
                return
            entry.users -= 1
            if entry.users > 0:
                return
            del self._entries[key]
        close = getattr(entry.model, "close", None)
        if close is not None:
            close()

    def _after_fork(self) -> None:
        """Make new locks in a forked child, where a lock may be held by a thread that does not exist."""
        self._lock = threading.Lock()
        for entry in self._entries.values():
            entry.opening = threading.Lock()


POOL = ModelPool()


class Leases:
    """The leases of one session, each model leased once."""

    def __init__(self, pool: ModelPool | None = None) -> None:
        self._pool = pool if pool is not None else POOL
        self._held: dict[Hashable, Any] = {}
        self._lock = threading.RLock()

    def lease(self, key: Hashable, open_model: Callable[[], Any]) -> Any:
        """Return the model of this key, leased until `close`."""
        with self._lock:
            if key not in self._held:
                self._held[key] = self._pool.lease(key, open_model)
            return self._held[key]

    def close(self) -> None:
        """End all leases."""
        with self._lock:
            keys = list(self._held)
            self._held.clear()
        for key in keys:
            self._pool.release(key)
