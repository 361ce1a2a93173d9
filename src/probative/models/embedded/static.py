"""The static encoder: potion-base-8M, one vector for each token, on the CPU with numpy.

The vector of a text is the mean of its tokens' vectors, so a thousand passages take a second where a
transformer takes a minute. An index has these vectors beside its words.
"""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from probative.models.contract import Progress
from probative.models.embedded.store import Weights
from probative.models.encoder import LocalEncoder, checked_texts
from probative.usage import Usage

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_BATCH = 1_024


class StaticEncoder(LocalEncoder):
    """potion-base-8M in this process: 256 numbers per text. It reads the whole text."""

    def __init__(self, weights: Weights) -> None:
        facts = json.loads((weights.folder / "facts.json").read_text(encoding="utf-8"))
        super().__init__("static", f"static:{weights.fingerprint}", facts["dimensions"])
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
        from tokenizers import Tokenizer

        tokenizer = Tokenizer.from_file(str(self._weights.folder / "tokenizer.json"))
        tokenizer.encode_special_tokens = True
        return tokenizer

    def encode(self, texts: Sequence[str], *, progress: Progress | None = None) -> NDArray[np.float32]:
        import numpy as np

        texts = checked_texts(texts)
        vectors = np.zeros((len(texts), self._dimensions), dtype=np.float32)
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
        vectors = np.zeros((len(texts), self._dimensions), dtype=np.float32)
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
