"""The embedded encoders, on the CPU: all-MiniLM-L6-v2 in 8 bits with CTranslate2, and the static
potion-base-8M with numpy, which has one vector for each token.

The static vector of a text is the mean of its tokens' vectors, so a thousand passages take a second where a
transformer takes a minute. An index has these vectors beside its words.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from probative.errors import ModelError
from probative.models.contract import Progress
from probative.models.embedded.catalog import ENCODER, STATIC
from probative.models.embedded.engine import Engine, engine_cores, maker, text_tokenizer
from probative.models.embedded.shipped import unknown_model
from probative.models.embedded.store import Store, Weights, weights_for
from probative.models.encoder import CountedEncoder, checked_texts
from probative.models.types import Vector
from probative.settings import Settings
from probative.usage import Usage

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

BATCH_TOKENS = 2048


def open_encoder(rest: str, settings: Settings) -> EmbeddedEncoder:
    """Return the embedded encoder."""
    if rest:
        raise unknown_model(rest, "'embedded'")
    return EmbeddedEncoder(weights_for(ENCODER, settings), threads=settings.threads)


def open_static(settings: Settings, *, fetch: bool = True) -> StaticEncoder | None:
    """Return the static encoder; None if it is not here and `fetch` is false."""
    if fetch:
        return StaticEncoder(weights_for(STATIC, settings))
    weights = Store(settings.weights_folder).find(STATIC)
    return None if weights is None else StaticEncoder(weights)


class EmbeddedEncoder(CountedEncoder):
    """all-MiniLM-L6-v2 in this process: 384 numbers per text.

    It reads the first 256 tokens of a text, as in its training; `truncated` counts the longer texts.
    """

    def __init__(self, weights: Weights, *, threads: int | None = None) -> None:
        facts = weights.facts
        super().__init__("embedded", f"ctranslate2-int8:{weights.fingerprint}", facts["dimensions"])
        self._window: int = facts["window"]
        self._engine = Engine(maker("Encoder", weights.folder, threads=threads or engine_cores()))
        self._tokenizer = text_tokenizer(weights.folder)
        self.truncated = 0

    def encode_each(self, texts: Sequence[str]) -> Iterator[tuple[int, Vector | ModelError]]:
        encoded = [encoding.ids for encoding in self._tokenizer.encode_batch(checked_texts(texts))]
        # [CLS] … [SEP]: a text that was cut still ends in [SEP].
        read = [ids if len(ids) <= self._window else [*ids[: self._window - 1], ids[-1]] for ids in encoded]
        with self._counting:
            self.truncated += sum(len(ids) > self._window for ids in encoded)
        return self._encode_batches(read, BATCH_TOKENS, self._vectors)

    def _vectors(self, batch: list[list[int]]) -> NDArray[np.float32]:
        """Return the mean of the states of each text, with length 1."""
        import numpy as np

        states = np.asarray(self._engine().forward_batch(batch).last_hidden_state)
        means = [states[row, : len(ids)].mean(axis=0) for row, ids in enumerate(batch)]
        return np.stack([mean / max(float(np.linalg.norm(mean)), 1e-12) for mean in means])


_BATCH = 1_024


class StaticEncoder(CountedEncoder):
    """potion-base-8M in this process: 256 numbers per text. It reads the whole text."""

    def __init__(self, weights: Weights) -> None:
        super().__init__("static", f"static:{weights.fingerprint}", weights.facts["dimensions"])
        self._weights = weights

    @cached_property
    def _table(self) -> NDArray[np.float32]:
        import numpy as np

        table: NDArray[np.float32] = np.load(
            self._weights.folder / "model.bin", mmap_mode="r", allow_pickle=False
        )
        return table

    @cached_property
    def _tokenizer(self) -> Any:
        return text_tokenizer(self._weights.folder)

    def encode(self, texts: Sequence[str], *, progress: Progress | None = None) -> NDArray[np.float32]:
        import numpy as np

        texts = checked_texts(texts)
        vectors = np.zeros((len(texts), self.dimensions), dtype=np.float32)
        for start in range(0, len(texts), _BATCH):
            part = texts[start : start + _BATCH]
            vectors[start : start + len(part)] = self._encode(part)
            if progress is not None:
                progress(start + len(part), len(texts))
        return vectors

    def _encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return the vectors of one batch; a text without a known token gets zeros."""
        import numpy as np

        started = time.perf_counter()
        unknown = self._tokenizer.token_to_id("[UNK]")
        encoded = self._tokenizer.encode_batch_fast(texts, add_special_tokens=False)
        table = np.asarray(self._table)
        vectors = np.zeros((len(texts), self.dimensions), dtype=np.float32)
        tokens = 0
        for row, each in enumerate(encoded):
            ids = [token for token in each.ids if token != unknown]
            if ids:
                # One sum for each text: `np.add.reduceat` over all of them takes eight times as long.
                table.take(ids, axis=0).sum(axis=0, out=vectors[row])
                tokens += len(ids)
        vectors /= np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-12)
        seconds = time.perf_counter() - started
        self._count(Usage(calls=1, prompt_tokens=tokens, seconds=seconds))
        return vectors
