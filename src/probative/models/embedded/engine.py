"""Engines of CTranslate2: recreated in a forked process, in numbers that do not overflow."""

from __future__ import annotations

import os
import platform
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from probative.errors import SettingsError

Batch = TypeVar("Batch")
Result = TypeVar("Result")

# Engines of a parent process: their threads do not exist here, so deleting them would wait forever.
_ABANDONED: list[Any] = []
EXACT = "float32"


class Engine:
    """The engine of this process: the workers of the parent process cannot be used after a fork.

    A `lazy` one is made at its first use.
    """

    def __init__(self, make: Callable[[], Any], *, lazy: bool = False) -> None:
        self._make = make
        self._engine: Any = None
        self._process = 0
        self._opening = threading.Lock()
        if not lazy:
            self()

    def __call__(self) -> Any:
        if self._process != os.getpid():
            with self._opening:
                if self._process != os.getpid():
                    _ABANDONED.append(self._engine)
                    self._engine = made(self._make)
                    self._process = os.getpid()
        return self._engine


def maker(
    kind: str,
    folder: Path,
    *,
    workers: int = 1,
    threads: int = 1,
    numbers: str | None = None,
    device: str = "cpu",
) -> Callable[[], Any]:
    """Return a function that opens the weights in a folder, as a ``Generator`` or an ``Encoder``."""

    def make() -> Any:
        import ctranslate2

        where = {"device": device} if device != "cpu" else {}
        kept = numbers or (number_type() if device == "cpu" else "int8_float16")
        return getattr(ctranslate2, kind)(
            str(folder), compute_type=kept, inter_threads=workers, intra_threads=threads, **where
        )

    return make


def made(make: Callable[[], Any]) -> Any:
    """Return a new engine, made in a thread of its own.

    An engine is loaded by several threads, which belong to the thread that asks for them. A fork keeps that
    thread and loses the others, for which it would wait forever at the next loading.
    """
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(make).result()


def on_workers(
    workers: int, function: Callable[[Batch], Result], batches: Sequence[Batch]
) -> Iterator[tuple[Batch, Result]]:
    """Yield each batch with its result; `workers` batches are computed at a time."""
    with ThreadPoolExecutor(max(1, min(workers, len(batches)))) as pool:
        yield from zip(batches, pool.map(function, batches), strict=True)


def text_tokenizer(folder: Path) -> Any:
    """Return the tokenizer of a model, for which control tokens in a text stay text."""
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.encode_special_tokens = True
    return tokenizer


def device_for(setting: str | None) -> str:
    """Return where an engine computes: "cpu" or "cuda"; `auto` takes a graphics card if there is one.

    >>> device_for(None), device_for("cpu")
    ('cpu', 'cpu')
    """
    if setting in (None, "cpu"):
        return "cpu"
    import ctranslate2

    cards = ctranslate2.get_cuda_device_count()
    if setting == "auto":
        return "cuda" if cards else "cpu"
    if setting != "cuda":
        raise SettingsError(
            f"the embedded model cannot compute on {setting!r}", hint="set device to auto, cpu or cuda"
        )
    if not cards:
        raise SettingsError(
            "device is cuda, and this machine has no graphics card that CTranslate2 can use",
            hint="set device to auto or cpu",
        )
    return "cuda"


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
