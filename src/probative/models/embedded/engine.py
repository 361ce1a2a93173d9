"""Engines of CTranslate2: recreated in a forked process, in numbers that do not overflow."""

from __future__ import annotations

import json
import os
import re
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple, TypeVar
from weakref import WeakValueDictionary

from probative.errors import SettingsError
from probative.models.contract import Counted
from probative.models.embedded.convert import FACTS
from probative.models.embedded.processor import ALL_BITS, SAFE, sums_fit
from probative.models.embedded.store import Weights
from probative.runners.processes import available_cores

Batch = TypeVar("Batch")
Result = TypeVar("Result")

# Engines of a parent process: their threads do not exist here, so deleting them would wait forever.
_ABANDONED: list[Any] = []
EXACT = "float32"
# The size of a model's weights in bytes from which on all cores read one text.
LARGE_BYTES = 500_000_000


class Device(NamedTuple):
    """Where an engine computes: "cpu" or "cuda", and the number of the graphics card."""

    kind: str = "cpu"
    number: int = 0


CPU = Device()


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
    device: Device = CPU,
) -> Callable[[], Any]:
    """Return a function that opens the weights in a folder, as a ``Generator`` or an ``Encoder``."""

    def make() -> Any:
        import ctranslate2

        return getattr(ctranslate2, kind)(
            str(folder),
            device=device.kind,
            device_index=device.number,
            compute_type=numbers or (number_type(folder) if device == CPU else "int8_float16"),
            inter_threads=workers,
            intra_threads=threads,
        )

    return make


_SHARED: WeakValueDictionary[tuple[object, ...], Engine] = WeakValueDictionary()
_SHARING = threading.Lock()


def shared_engine(kind: str, folder: Path, cores: int, device: Device = CPU) -> Engine:
    """Return the engine of some weights; models that use the same ones, as a reader and a verdict model may,
    have one engine together.
    """
    key = (kind, folder, cores, device)
    workers, threads = workers_and_threads(folder, cores)
    with _SHARING:
        engine = _SHARED.get(key)
        if engine is None:
            make = maker(kind, folder, workers=workers, threads=threads, device=device)
            engine = _SHARED[key] = Engine(make, lazy=True)
    engine()
    return engine


def workers_and_threads(folder: Path, cores: int) -> tuple[int, int]:
    """Return how many texts the weights of a folder read at a time, and with how many cores each.

    A small model reads a text with each core. A large one reads one text with all of them: that is as fast
    for many texts, and nearly twice as fast on two cores for the one that somebody waits for.
    """
    return (1, cores) if (folder / "model.bin").stat().st_size > LARGE_BYTES else (cores, 1)


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


def device_for(setting: str | None) -> Device:
    """Return the device of a setting; `auto` takes a graphics card if there is one.

    >>> device_for(None), device_for("cpu")
    (Device(kind='cpu', number=0), Device(kind='cpu', number=0))
    """
    if setting in (None, "cpu"):
        return CPU
    match = re.fullmatch(r"auto|cuda(?::(\d{1,3}))?", setting or "")
    if match is None:
        raise SettingsError(
            f"the embedded model cannot compute on {setting!r}",
            hint="set device to auto: then hf: models compute on mps, and embedded ones on the CPU"
            if setting == "mps"
            else "set device to auto, cpu, cuda or cuda:1",
        )
    import ctranslate2

    cards, number = ctranslate2.get_cuda_device_count(), int(match[1] or 0)
    if setting == "auto":
        return Device("cuda") if cards else CPU
    if number >= cards:
        which = "no graphics card" if not cards else f"no graphics card {number}, only 0 to {cards - 1},"
        raise SettingsError(
            f"device is {setting}, and this machine has {which} that CTranslate2 can use",
            hint="set device to auto or cpu",
        )
    return Device("cuda", number)


def number_type(folder: Path) -> str:
    """Return the type in which the weights of a folder, which have 8 bits, are multiplied: "int8", or `EXACT`
    where that overflows.

    Small models keep all the bits. In `EXACT` the log-probabilities of a text of 26 tokens were wrong by 0.06
    (0.19 in "int16"), and it takes 1.2 times as long. A large model would take 3 times as long and 4 GB more:
    where sums do not fit, its weights are rounded to `SAFE` numbers, which do not overflow.
    """
    if sums_fit():
        return "int8"
    facts = json.loads((folder / FACTS).read_text(encoding="utf-8"))
    return "int8" if facts.get("largest", ALL_BITS) <= SAFE else EXACT


def engine_cores() -> int:
    """Return the number of cores that an engine uses, at most 8: more workers rarely help."""
    return min(available_cores(), 8)


class EmbeddedScorer(Counted):
    """A model in this process that scores items."""

    def __init__(self, kind: str, weights: Weights, threads: int | None, device: Device = CPU) -> None:
        super().__init__()
        self._weights = weights
        self._workers = threads or engine_cores()
        self._device = device
        self._engine = shared_engine(kind, weights.folder, self._workers, device)
        self._tokenizer = text_tokenizer(weights.folder)

    @property
    def fingerprint(self) -> str:
        """Identifies these weights."""
        return f"ctranslate2-int8{device_mark(self._device)}:{self._weights.fingerprint}"


def device_mark(device: Device) -> str:
    """Return the part of a fingerprint that names the kind of device: on a graphics card numbers differ."""
    return "" if device.kind == "cpu" else f"@{device.kind}"
