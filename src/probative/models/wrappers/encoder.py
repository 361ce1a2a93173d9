"""Cache and budget around an encoder, text by text."""

from __future__ import annotations

import base64
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from probative.errors import ModelError
from probative.models.contract import Progress
from probative.models.encoder import Encoder, checked_texts, stack_vectors
from probative.models.types import Vector
from probative.models.wrappers.budget import Budget, Prices
from probative.models.wrappers.cache import CacheReader, Codec, key_of
from probative.models.wrappers.response_cache import ResultStore
from probative.usage import Usage

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

VectorOutcomes = Iterator[tuple[int, Vector | ModelError]]

# Texts that a budget admits at a time: it is settled after each such group.
BUDGETED_TEXTS = 64


class EncoderWrapper(Encoder):
    """Passes everything on to `inner`; a subclass overrides `encode_each`."""

    def __init__(self, inner: Encoder) -> None:
        self.inner = inner
        self.name = inner.name

    @property
    def fingerprint(self) -> str:
        return self.inner.fingerprint

    @property
    def dimensions(self) -> int:
        return self.inner.dimensions

    @property
    def usage(self) -> Usage:
        return self.inner.usage

    def close(self) -> None:
        self.inner.close()

    def encode(self, texts: Sequence[str], *, progress: Progress | None = None) -> NDArray[np.float32]:
        texts = checked_texts(texts)
        if not texts:
            return self.inner.encode(texts)
        return stack_vectors(self.encode_each(texts), len(texts), progress)

    def encode_each(self, texts: Sequence[str]) -> VectorOutcomes:
        return self.inner.encode_each(texts)


class CachedEncoder(EncoderWrapper):
    """Answers from the cache what it holds; every other text is encoded once and stored at once."""

    def __init__(self, inner: Encoder, cache: ResultStore) -> None:
        super().__init__(inner)
        self._reader = CacheReader(cache)

    def encode_each(self, texts: Sequence[str]) -> VectorOutcomes:
        codec = Codec(
            verb="encode",
            model=self.name,
            to_text=vector_to_text,
            from_text=vector_from_text,
            with_usage=lambda vector, usage: vector._replace(usage=usage),
        )
        keys = [key_of(self.inner, "encode", text) for text in texts]
        return self._reader.answer(
            keys, codec, lambda indexes: self.inner.encode_each([texts[index] for index in indexes])
        )


def without_cache(encoder: Encoder) -> Encoder:
    """Return the encoder behind its cache, for vectors that are stored elsewhere."""
    return encoder.inner if isinstance(encoder, CachedEncoder) else encoder


class BudgetedEncoder(EncoderWrapper):
    """Encodes as long as the budget covers it; the remaining texts fail with a `BudgetError`.

    A text counts one token for 4 characters until the server says what it cost.
    """

    def __init__(self, inner: Encoder, budget: Budget, prices: Prices | None = None) -> None:
        super().__init__(inner)
        self.budget = budget
        self.prices = prices or budget.prices

    def encode_each(self, texts: Sequence[str]) -> VectorOutcomes:
        for start in range(0, len(texts), BUDGETED_TEXTS):
            group = texts[start : start + BUDGETED_TEXTS]
            worst = Usage(calls=1, prompt_tokens=sum(-(-len(text) // 4) for text in group))
            limit = self.budget.hold(worst, self.prices)
            if limit:
                error = self.budget.exceeded(limit)
                yield from ((index, error) for index in range(start, len(texts)))
                return
            spent = Usage()
            try:
                for index, outcome in self.inner.encode_each(group):
                    spent += outcome.usage or Usage()
                    yield start + index, outcome
            finally:
                self.budget.settle(worst, spent, self.prices)


def vector_to_text(vector: Vector) -> str:
    """Return the 32-bit floats of a vector in base 64.

    >>> import numpy as np
    >>> text = vector_to_text(Vector(np.array([0.6, 0.8], dtype=np.float32)))
    >>> vector_from_text(text).values
    array([0.6, 0.8], dtype=float32)
    """
    return base64.b64encode(vector.values.astype("<f4").tobytes()).decode()


def vector_from_text(text: str) -> Vector:
    """Return the vector that `vector_to_text` wrote; raises `ValueError` if the text is damaged."""
    import numpy as np

    values = np.frombuffer(base64.b64decode(text, validate=True), dtype="<f4").astype(np.float32)
    if not values.size or not np.isfinite(values).all():
        raise ValueError("the stored vector is damaged")
    return Vector(values)
