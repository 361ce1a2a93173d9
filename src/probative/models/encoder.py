"""The contract of an encoder: one vector per text."""

from __future__ import annotations

import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from probative.errors import InputError, ModelError
from probative.models.contract import Closing, Counted, Progress, as_list, collect
from probative.models.in_process import by_tokens
from probative.models.types import Vector, encodable
from probative.types import Usage

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Encoder(Closing, ABC):
    """Turns texts into vectors of length 1, so that their dot product is the cosine."""

    name: str

    @property
    @abstractmethod
    def fingerprint(self) -> str:
        """Identifies the weights."""

    @property
    @abstractmethod
    def dimensions(self) -> int:
        """The length of a vector."""

    @abstractmethod
    def encode(self, texts: Sequence[str], *, progress: Progress | None = None) -> NDArray[np.float32]:
        """Return one row per text; the rows have length 1."""

    def encode_each(self, texts: Sequence[str]) -> Iterator[tuple[int, Vector | ModelError]]:
        """Yield the index and the vector (or the error) of each text as soon as it exists.

        Wrappers and the runner use this form, so that a finished vector is cached even if a later request
        fails. The default calls `encode` once and shares its cost out by the length of the texts; a
        backend that sends several requests overrides it.
        """
        with _counting(self):
            before = self.usage
            try:
                rows = self.encode(texts)
            except ModelError as error:
                yield from ((index, error) for index in range(len(texts)))
                return
            spent = self.usage - before
        for index, (row, usage) in enumerate(zip(rows, spent.shares([len(t) for t in texts]), strict=True)):
            yield index, Vector(row, usage)

    @property
    @abstractmethod
    def usage(self) -> Usage:
        """The cost of this encoder since it was loaded."""


class CountedEncoder(Counted, Encoder):
    """An encoder that counts its own cost and implements `encode_each`. Threads may share it.

    Without `dimensions`, the first vector tells them.
    """

    def __init__(self, name: str, fingerprint: str, dimensions: int | None = None) -> None:
        super().__init__()
        self.name = name
        self._fingerprint = fingerprint
        self._dimensions = dimensions

    @property
    def fingerprint(self) -> str:
        return self._fingerprint

    @property
    def dimensions(self) -> int:
        if self._dimensions is None:
            self._dimensions = self.encode(["one word"]).shape[1]
        return self._dimensions

    def encode(self, texts: Sequence[str], *, progress: Progress | None = None) -> NDArray[np.float32]:
        import numpy as np

        texts = checked_texts(texts)
        if not texts:
            return np.empty((0, self._dimensions or 0), dtype=np.float32)
        return stack_vectors(self.encode_each(texts), len(texts), progress)

    def _encode_batches(
        self,
        tokens: Sequence[list[int]],
        max_tokens: int,
        encode: Callable[[list[list[int]]], NDArray[np.float32]],
    ) -> Iterator[tuple[int, Vector | ModelError]]:
        """Yield the vectors of texts, the longest first; `encode` returns those of one batch of tokens."""
        order = sorted(range(len(tokens)), key=lambda index: -len(tokens[index]))
        calls = 1
        for batch in by_tokens(order, max_tokens, length=lambda index: len(tokens[index])):
            started = time.perf_counter()
            vectors = encode([tokens[index] for index in batch])
            seconds = (time.perf_counter() - started) / len(batch)
            for index, vector in zip(batch, vectors, strict=True):
                usage = Usage(calls=calls, prompt_tokens=len(tokens[index]), seconds=seconds)
                calls = 0
                self._count(usage)
                yield index, Vector(vector, usage)


_LOCKS: WeakKeyDictionary[Encoder, threading.Lock] = WeakKeyDictionary()


def _counting(encoder: Encoder) -> threading.Lock:
    """Return the lock under which the cost of one call of an encoder is measured."""
    return _LOCKS.setdefault(encoder, threading.Lock())


def stack_vectors(
    outcomes: Iterator[tuple[int, Vector | ModelError]], count: int, progress: Progress | None = None
) -> NDArray[np.float32]:
    """Return the vectors of `count` texts, at least one, in order; raises if a text has none."""
    import numpy as np

    rows = ((index, each if isinstance(each, ModelError) else each.values) for index, each in outcomes)
    return np.stack(collect(rows, count, progress))


def checked_texts(texts: Sequence[str]) -> list[str]:
    """Return the texts for an encoder as a list; raises `InputError` if one is not a string."""
    checked = as_list(texts)
    for text in checked:
        if not isinstance(text, str):
            raise InputError(f"a text to encode must be a string, got {type(text).__name__}")
        try:
            encodable(text)
        except ValueError as error:
            raise InputError(str(error)) from None
    return checked
