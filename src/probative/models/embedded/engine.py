"""Engines of CTranslate2: recreated in a forked process, in numbers that do not overflow."""

from __future__ import annotations

import os
import platform
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from typing import Any

# Engines of a parent process: their threads do not exist here, so deleting them would wait forever.
_ABANDONED: list[Any] = []


class Engine:
    """Returns the engine of this process: the workers of the parent process cannot be used after a fork."""

    def __init__(self, make: Callable[[], Any]) -> None:
        self._make = make
        self._engine = made(make)
        self._process = os.getpid()

    def __call__(self) -> Any:
        if self._process != os.getpid():
            _ABANDONED.append(self._engine)
            self._engine = made(self._make)
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


def made(make: Callable[[], Any]) -> Any:
    """Return a new engine, made in a thread of its own.

    An engine is loaded by several threads, which belong to the thread that asks for them. A fork keeps that
    thread and loses the others, for which it would wait forever at the next loading.
    """
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(make).result()


EXACT = "float32"


@cache
def number_type() -> str:
    """Return the type in which weights of 8 bits are multiplied: "int8", or `EXACT` where that overflows.

    x86 processors without the VNNI instructions add two products of 8 bits in 16 bits and cut off what is
    more. The log-probabilities of a text of 26 tokens were wrong by 0.42 on one, and are by 0.06 in `EXACT`
    (0.19 in "int16"), which takes 1.2 times as long.
    """
    if platform.machine().lower() not in ("x86_64", "amd64"):
        return "int8"
    try:
        flags = Path("/proc/cpuinfo").read_text(encoding="utf-8")
    except OSError:
        return EXACT  # Not known, and right on every processor.
    return "int8" if "vnni" in flags else EXACT


def available_cores() -> int:
    """Return the number of cores that this process may use, at most 8: more workers rarely help."""
    available = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return min(available or 1, 8)
