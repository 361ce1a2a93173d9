"""An encoder for tests of the index."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from probative.models.contract import Progress
from probative.models.encoder import CountedEncoder

_LETTERS = "abcdefghijklmnopqrstuvwxyz"


class LetterEncoder(CountedEncoder):
    """Counts letters: texts with the same letters are near. `texts` is the number of texts it has read."""

    def __init__(self, fingerprint: str = "letters") -> None:
        super().__init__("letters", fingerprint, len(_LETTERS))
        self.texts = 0

    def encode(self, texts: Sequence[str], *, progress: Progress | None = None) -> NDArray[np.float32]:
        self.texts += len(texts)
        rows = np.array(
            [[text.lower().count(letter) for letter in _LETTERS] for text in texts], dtype=np.float32
        )
        lengths = np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)
        vectors: NDArray[np.float32] = rows / lengths
        return vectors
