"""An engine of CTranslate2 that is recreated in a forked process."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from typing import Any

# Engines of a parent process: their threads do not exist here, so deleting them would wait forever.
_ABANDONED: list[Any] = []


class Engine:
    """Returns the engine of this process: the workers of the parent process cannot be used after a fork."""

    def __init__(self, make: Callable[[], Any]) -> None:
        self._make = make
        self._engine = make()
        self._process = os.getpid()

    def __call__(self) -> Any:
        if self._process != os.getpid():
            _ABANDONED.append(self._engine)
            self._engine = self._make()
            self._process = os.getpid()
        return self._engine


class Lazy:
    """An engine that is created at its first use."""

    def __init__(self, make: Callable[[], Any]) -> None:
        self._make = make
        self._opening = threading.Lock()
        self._engine: Engine | None = None

    def __call__(self) -> Any:
        with self._opening:
            if self._engine is None:
                self._engine = Engine(self._make)
        return self._engine()


def available_cores() -> int:
    """Return the number of cores that this process may use, at most 8: more workers rarely help."""
    available = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return min(available or 1, 8)
