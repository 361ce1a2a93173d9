"""Run a step in a process of its own, so that its memory is its own, and time queries."""

from __future__ import annotations

import multiprocessing
import resource
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Measured:
    """What a step returned, its seconds, and the peak of its process's memory in MB."""

    result: Any
    seconds: float
    memory: float


def in_process(function: Callable[..., Any], *arguments: Any) -> Measured:
    """Run a function in a new process."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        measured: Measured = pool.apply(_measured, (function, arguments))
        return measured


def _measured(function: Callable[..., Any], arguments: tuple[Any, ...]) -> Measured:
    started = time.perf_counter()
    result = function(*arguments)
    seconds = time.perf_counter() - started
    return Measured(result, seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)


def times(query: Callable[[str], object], texts: Sequence[str]) -> list[float]:
    """Return the seconds of each query, after one that is not counted."""
    query(texts[0])
    seconds = []
    for text in texts:
        started = time.perf_counter()
        query(text)
        seconds.append(time.perf_counter() - started)
    return seconds


def milliseconds(seconds: Sequence[float]) -> str:
    """Return the median in words.

    >>> milliseconds([0.002, 0.0041, 0.1])
    '4.1 ms'
    """
    return f"{1000 * statistics.median(seconds):.1f} ms"


def size(folder: Path) -> int:
    """Return the bytes of all files below a folder."""
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())
