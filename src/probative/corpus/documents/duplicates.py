"""Find documents that are nearly the same: copies in other formats, and versions with small changes.

A document is a set of shingles (runs of five words). Two documents are near duplicates if the share of
shingles that they have in common, the Jaccard similarity, is high. It is estimated from the smallest hash
values of each set (Broder, 1997: "On the resemblance and containment of documents").
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from probative.errors import InputError
from probative.text.shingles import shingles
from probative.types import Value

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

SIMILARITY = 0.8
# The error of an estimate from 256 values is about 0.03 at a similarity of 0.8.
_SKETCH = 256
# Documents that share none of their 16 smallest values are not compared. At a similarity of 0.8 each of them
# is shared with a probability of about 0.8, so that the chance to miss a pair is below 1 in 10,000.
_KEYS = 16


class Duplicate(Value):
    """A document that is nearly the same as one before it."""

    source: str
    original: str
    similarity: float


class DuplicateFinder:
    """Compares each document with all before it, in time that hardly grows with their number.

    >>> finder = DuplicateFinder()
    >>> finder.add("a.txt", "The first ferry leaves at six, and the last one comes back before midnight.")
    >>> finder.add("b.txt", "The FIRST ferry leaves at six - and the last one comes back before midnight!")
    Duplicate(source='b.txt', original='a.txt', similarity=1.0)
    >>> finder.add("c.txt", "Tickets are sold on board.")
    """

    def __init__(self, similarity: float = SIMILARITY) -> None:
        if not 0 < similarity <= 1:
            raise InputError(f"similarity must be above 0 and at most 1, got {similarity}")
        self._least = similarity
        self._sketches: dict[str, NDArray[np.uint64]] = {}
        self._by_key: dict[int, list[str]] = {}

    def add(self, source: str, text: str) -> Duplicate | None:
        """Remember a document. Return the most similar one before it, if it is a near duplicate of that."""
        return self.add_sketch(source, sketch_of(text))

    def add_sketch(self, source: str, sketch: NDArray[np.uint64]) -> Duplicate | None:
        """Do the same for a document whose sketch is known."""
        keys = [int(value) for value in sketch[:_KEYS]]
        candidates = dict.fromkeys(other for key in keys for other in self._by_key.get(key, ()))
        scored = [(estimate(sketch, self._sketches[other]), other) for other in candidates]
        best = max(scored, key=lambda pair: pair[0], default=(0.0, ""))
        if best[0] >= self._least:
            # Copies of copies lead to the same original, and are not kept themselves.
            return Duplicate(source=source, original=best[1], similarity=round(best[0], 3))
        if keys:
            self._sketches[source] = sketch
            for key in keys:
                self._by_key.setdefault(key, []).append(source)
        return None


def estimate(first: NDArray[np.uint64], second: NDArray[np.uint64]) -> float:
    """Return the estimated Jaccard similarity of two documents from their sketches."""
    import numpy as np

    size = min(_SKETCH, max(len(first), len(second)))
    smallest = np.union1d(first, second)[:size]
    shared = np.intersect1d(first, second, assume_unique=True)
    return float(np.isin(smallest, shared, assume_unique=True).sum() / max(1, len(smallest)))


def sketch_of(text: str) -> NDArray[np.uint64]:
    """Return the smallest hash values of the shingles of a text, in ascending order."""
    return shingles(text)[:_SKETCH]
