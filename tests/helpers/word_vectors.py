"""An encoder whose vectors can be worked out by hand: one dimension a word."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from probative import Encoder
from probative.text.words import words
from probative.types import Usage


class WordVectors(Encoder):
    """The cosine of two texts is the number of words in common, divided by the root of both counts."""

    name = "words"

    def __init__(self, dimensions: int = 512) -> None:
        self._places: dict[str, int] = {}
        self._dimensions = dimensions
        self._usage = Usage()
        self.texts: list[str] = []

    @property
    def fingerprint(self) -> str:
        return f"words:{id(self)}"

    @property
    def dimensions(self) -> int:
        return self._dimensions

    @property
    def usage(self) -> Usage:
        return self._usage

    def encode(self, texts: Sequence[str], *, progress: object = None) -> NDArray[np.float32]:
        self.texts.extend(texts)
        self._usage += Usage(calls=1, prompt_tokens=sum(len(text.split()) for text in texts))
        rows = np.zeros((len(texts), self._dimensions), dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            for word in set(words(text)):
                row[self._places.setdefault(word, len(self._places))] = 1.0
            if row.any():
                row /= np.linalg.norm(row)
        return rows
