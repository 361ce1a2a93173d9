"""The entities nearest to a text: their vectors, kept once, and the search among them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

# Rows compared at once: the vectors may be float16 on disk, and only so many are float32 in memory.
_BLOCK = 16_384


class EntityIndex:
    """Vectors of length 1, one an entity, and the nearest of them to others.

    >>> index = EntityIndex(np.eye(3, dtype=np.float32))
    >>> index.nearest(np.array([[0.6, 0.8, 0.0]], dtype=np.float32), 2)
    [[(1, 0.8...), (0, 0.6...)]]
    """

    def __init__(self, vectors: NDArray[np.float32] | NDArray[np.float16]) -> None:
        self._vectors = vectors

    def __len__(self) -> int:
        return len(self._vectors)

    def vectors(self, entities: Sequence[int]) -> NDArray[np.float32]:
        """The vectors of these entities."""
        return self._vectors[np.asarray(entities, dtype=np.int64)].astype(np.float32)

    def nearest(self, vectors: NDArray[np.float32], n: int) -> list[list[tuple[int, float]]]:
        """For each vector the `n` nearest entities and their cosines, best first."""
        asked = np.atleast_2d(np.asarray(vectors, dtype=np.float32))
        cosines = np.empty((len(asked), len(self)), dtype=np.float32)
        for start in range(0, len(self), _BLOCK):
            block = self._vectors[start : start + _BLOCK].astype(np.float32)
            cosines[:, start : start + len(block)] = asked @ block.T
        return [_best(row, n) for row in cosines]


def _best(cosines: NDArray[np.float32], n: int) -> list[tuple[int, float]]:
    """The `n` highest, best first; of equals the one that comes first."""
    n = min(n, len(cosines))
    if n <= 0:
        return []
    lowest = np.partition(cosines, -n)[-n]
    candidates = np.flatnonzero(cosines >= lowest)
    order = np.argsort(-cosines[candidates], kind="stable")[:n]
    return [(int(entity), float(cosines[entity])) for entity in candidates[order]]
