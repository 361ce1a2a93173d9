"""The entities nearest to a vector: exact where they are few, in two passes where they are many.

The first pass compares only signs: a vector of 384 numbers becomes 384 bits, and the number of bits in which
two differ grows with the angle between them. Counting them for 844,158 entities reads 41 MB instead of 648.
The second pass takes the few thousand with the fewest, and computes their cosines exactly.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from probative.errors import InputError
from probative.graph.arguments import check_numbers, check_whole_number, shown

Vectors = NDArray[np.float32] | NDArray[np.float16]
Codes = NDArray[np.uint64]
# Below so many entities all cosines are computed: 50,000 take a few milliseconds.
EXACT_BELOW = 50_000
# How many go on to the second pass. On 844,158 vectors 500 already held all of the three nearest.
CANDIDATES = 2_000
_BLOCK = 32_768


class EntityIndex:
    """Vectors of length 1, one an entity, and the nearest of them to others.

    >>> index = EntityIndex(np.eye(3, dtype=np.float32))
    >>> index.nearest(np.array([[0.6, 0.8, 0.0]], dtype=np.float32), 2)
    [[(1, 0.8...), (0, 0.6...)]]

    `codes` are the signs as `codes_of` gives them, where they are stored; `recall` is the share of the true
    nearest three that two passes found for a sample, where that was measured.
    """

    def __init__(
        self,
        vectors: Vectors,
        codes: Codes | None = None,
        *,
        recall: float | None = None,
        exact_below: int = EXACT_BELOW,
    ) -> None:
        self._vectors = vectors
        self._given_codes = codes
        self.recall = recall
        self.exact = len(vectors) < exact_below

    def __len__(self) -> int:
        return len(self._vectors)

    @property
    def dimensions(self) -> int:
        """The length of a vector."""
        return int(self._vectors.shape[1])

    def vectors(self, entities: Sequence[int]) -> NDArray[np.float32]:
        """The vectors of these entities."""
        numbers = check_numbers(len(self), entities)
        return self._vectors[np.array(numbers, dtype=np.int64)].astype(np.float32)

    def nearest(self, vectors: NDArray[np.float32], n: int) -> list[list[tuple[int, float]]]:
        """For each vector the `n` nearest entities and their cosines, best first."""
        n = check_whole_number(n, "n")
        try:
            asked = np.atleast_2d(np.asarray(vectors, dtype=np.float32))
        except (TypeError, ValueError):
            asked = np.empty((0, 0, 0), dtype=np.float32)
        if asked.ndim != 2:
            raise InputError(
                f"the nearest are found for rows of numbers, not {shown(vectors)}",
                hint="encode a text first: index.nearest(encoder.encode([text]), n)",
            )
        if asked.shape[1] != self.dimensions:
            raise InputError(
                f"the entities have vectors of {self.dimensions} numbers, not {asked.shape[1]}",
                hint="use the encoder that the graph was embedded with",
            )
        if self.exact:
            return [best(cosines, n) for cosines in asked @ self._in_memory.T]
        return [self._in_two_passes(one, n) for one in asked]

    def exactly(self, vectors: NDArray[np.float32], n: int) -> list[list[tuple[int, float]]]:
        """The same from all cosines, however many: what the two passes are measured against."""
        cosines = np.empty((len(vectors), len(self)), dtype=np.float32)
        for start in range(0, len(self), _BLOCK):
            block = self._vectors[start : start + _BLOCK].astype(np.float32)
            cosines[:, start : start + len(block)] = vectors @ block.T
        return [best(row, n) for row in cosines]

    @cached_property
    def _in_memory(self) -> NDArray[np.float32]:
        return self._vectors.astype(np.float32)

    @cached_property
    def _codes(self) -> Codes:
        return codes_of(self._vectors) if self._given_codes is None else self._given_codes

    def _in_two_passes(self, vector: NDArray[np.float32], n: int) -> list[tuple[int, float]]:
        differing = _differing(self._codes, codes_of(vector[None, :])[:, 0])
        wanted = min(len(self), max(CANDIDATES, 20 * n))
        farthest = np.searchsorted(np.cumsum(np.bincount(differing)), wanted)
        candidates = np.flatnonzero(differing <= farthest)
        # Not `@`: for so few rows the waking of BLAS's threads takes longer than all the rest.
        cosines = np.einsum("ij,j->i", self._vectors[candidates].astype(np.float32), vector)
        found = best(cosines, n)
        return [(int(candidates[at]), cosine) for at, cosine in found]


def best(cosines: NDArray[np.float32], n: int) -> list[tuple[int, float]]:
    """The `n` highest, best first; of equals the one that comes first.

    >>> best(np.array([0.5, 0.25, 0.5], dtype=np.float32), 2)
    [(0, 0.5), (2, 0.5)]
    """
    n = min(n, len(cosines))
    if n <= 0:
        return []
    lowest = np.partition(cosines, -n)[-n]
    candidates = np.flatnonzero(cosines >= lowest)
    order = np.argsort(-cosines[candidates], kind="stable")[:n]
    return [(int(entity), float(cosines[entity])) for entity in candidates[order]]


def codes_of(vectors: Vectors) -> Codes:
    """The signs of vectors, 64 to a number: one row for each 64 dimensions, one column a vector.

    >>> codes_of(np.array([[1.0, -1.0, 1.0]], dtype=np.float32)).tolist()
    [[160]]
    """
    width = -(-vectors.shape[1] // 64)
    codes = np.empty((width, len(vectors)), dtype=np.uint64)
    for start in range(0, len(vectors), _BLOCK):
        block: NDArray[Any] = np.ascontiguousarray(vectors[start : start + _BLOCK])
        # A positive float is a positive whole number of the same bits, and that is quicker to compare.
        signs = np.packbits(block.view(f"i{block.itemsize}") > 0, axis=1)
        padded = np.zeros((len(block), width * 8), dtype=np.uint8)
        padded[:, : signs.shape[1]] = signs
        codes[:, start : start + len(block)] = padded.view("<u8").T
    return codes


def _differing(codes: Codes, code: Codes) -> NDArray[np.uint16]:
    """In how many bits each code differs from one; in blocks that stay in the processor's cache."""
    counts = np.zeros(codes.shape[1], dtype=np.uint16)
    for start in range(0, len(counts), _BLOCK):
        block = slice(start, start + _BLOCK)
        for row, bits in zip(codes, code, strict=True):
            counts[block] += bits_set(row[block] ^ bits)
    return counts


def _bits_by_table(numbers: Codes) -> NDArray[np.uint8]:
    """How many bits of each number are set, for numpy before 2.0."""
    quarters = _TABLE[np.ascontiguousarray(numbers).view(np.uint16)]
    counted: NDArray[np.uint8] = quarters.reshape(-1, 4).sum(axis=1, dtype=np.uint8)
    return counted


_TABLE = np.array([bin(number).count("1") for number in range(65_536)], dtype=np.uint8)
bits_set: Any = getattr(np, "bitwise_count", _bits_by_table)
