"""An embedding model behind an OpenAI-compatible server."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from probative.errors import InputError, ModelError, ReplyError
from probative.models.encoder import CountedEncoder, checked_texts
from probative.models.openai.connection import Connection, Post
from probative.models.openai.model import checked_name
from probative.models.openai.replies import usage_of
from probative.models.openai.transport import Transport
from probative.models.types import Vector
from probative.settings import Settings
from probative.types import Usage

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def open_encoder(name: str, settings: Settings) -> OpenAIEncoder:
    """Return the embedding model `name` on the server of the settings."""
    return OpenAIEncoder(checked_name(name), Connection.from_settings(settings))


class OpenAIEncoder(CountedEncoder):
    """An embedding model behind an OpenAI-compatible server; `batch` texts are sent in one request."""

    def __init__(self, model: str, connection: Connection, *, batch: int = 64) -> None:
        self._transport = Transport(connection)
        super().__init__(f"openai:{model}", f"{self._transport.base_url}#{model}")
        self._model = model
        self._batch = batch

    def close(self) -> None:
        self._transport.close()

    def encode_each(self, texts: Sequence[str]) -> Iterator[tuple[int, Vector | ModelError]]:
        texts = checked_texts(texts)
        if any(not text.strip() for text in texts):
            raise InputError("an empty text has no embedding", hint="leave empty texts out")
        starts = range(0, len(texts), self._batch)
        batches = [texts[start : start + self._batch] for start in starts]
        posts = [self._post(batch) for batch in batches]
        started = time.perf_counter()
        for number, outcome in self._transport.send(posts):
            batch, first = batches[number], starts[number]
            if isinstance(outcome, ModelError):
                self._count((outcome.usage or Usage(calls=1)) + _since(started))
                started = time.perf_counter()
                yield from ((first + index, outcome) for index in range(len(batch)))
                continue
            vectors = read_vectors(outcome.body, len(batch))
            cost = usage_of(outcome.body, Usage(prompt_tokens=posts[number].tokens)) + outcome.wasted
            self._dimensions = vectors.shape[1]
            self._count(cost + _since(started))
            started = time.perf_counter()
            for index, share in enumerate(cost.shares([len(text) for text in batch])):
                yield first + index, Vector(vectors[index], share)

    def _post(self, texts: Sequence[str]) -> Post:
        def check(body: dict[str, Any]) -> None:
            read_vectors(body, len(texts))

        body = {"model": self._model, "input": list(texts)}
        return Post("embeddings", body, sum(len(text) // 4 for text in texts), check)


def _since(started: float) -> Usage:
    return Usage(seconds=time.perf_counter() - started)


def read_vectors(body: dict[str, Any], expected: int) -> NDArray[np.float32]:
    """Return the vectors in the order of the texts, each scaled to length 1; `expected` is their number."""
    import numpy as np

    try:
        data = sorted(body["data"], key=lambda item: item["index"])
        # In 64 bits: the squares of large components do not fit into 32.
        vectors = np.array([item["embedding"] for item in data], dtype=np.float64)
        if vectors.shape[0] != expected or vectors.ndim != 2 or not np.isfinite(vectors).all():
            raise ValueError(f"an array of {vectors.shape} for {expected} texts")
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        raise ReplyError(f"the server's embeddings cannot be used: {error}", body=str(body)[:300]) from error
    vectors /= np.maximum(np.abs(vectors).max(axis=1, keepdims=True, initial=0.0), 1e-300)
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(vectors / np.maximum(lengths, 1e-12), dtype=np.float32)
