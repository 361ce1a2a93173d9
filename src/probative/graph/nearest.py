"""The entities nearest to a vector: by all cosines in a small graph, in two passes in a large one.

The first pass compares signs only: a vector of 384 numbers becomes 384 bits, and the number of bits in which
two vectors differ grows with the angle between them. Counting them for 844,158 entities reads 41 MB instead
of 648 MB. The second pass computes the exact cosines of the few thousand entities with the fewest
differing bits.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from probative.errors import InputError
from probative.graph.formats.arguments import check_numbers, check_whole_number, short_repr

Vectors = NDArray[np.float32] | NDArray[np.float16]
Codes = NDArray[np.uint64]
# Below this number of entities all cosines are computed: 50,000 take a few milliseconds.
EXACT_BELOW = 50_000
# The number of entities in the second pass. On 844,158 vectors 500 already contained the three nearest.
CANDIDATES = 2_000
_BLOCK = 32_768


class EntityIndex:
    """The vectors of all entities, each of length 1, and the search for the nearest of them.

    >>> index = EntityIndex(np.eye(3, dtype=np.float32))
    >>> index.nearest(np.array([[0.6, 0.8, 0.0]], dtype=np.float32), 2)
    [[(1, 0.8...), (0, 0.6...)]]

    `codes` are the signs from `codes_of`, if they are stored. `recall` is the share of the true three nearest
    that the two-pass search found for a sample, if it was measured. `notes` tell about stored vectors that
    were damaged and made again.
    """

    def __init__(
        self,
        vectors: Vectors,
        codes: Codes | None = None,
        *,
        recall: float | None = None,
        notes: Sequence[str] = (),
        exact_below: int = EXACT_BELOW,
    ) -> None:
        self._vectors = vectors
        self._given_codes = codes
        self.recall = recall
        self.notes = tuple(notes)
        self.exact = len(vectors) < exact_below

    def __len__(self) -> int:
        return len(self._vectors)

    @property
    def dimensions(self) -> int:
        """The number of dimensions of a vector."""
        return int(self._vectors.shape[1])

    def vectors(self, entities: Sequence[int]) -> NDArray[np.float32]:
        """Return the vectors of these entities."""
        numbers = check_numbers(len(self), entities)
        return self._vectors[np.array(numbers, dtype=np.int64)].astype(np.float32)

    def take(self, entities: NDArray[Any]) -> NDArray[np.float32]:
        """Return the vectors of an array of entities, without checking the numbers."""
        return np.asarray(self._vectors[entities], dtype=np.float32)

    def nearest(self, vectors: NDArray[np.float32], n: int) -> list[list[tuple[int, float]]]:
        """Return for each vector the `n` nearest entities with their cosines, nearest first."""
        n = check_whole_number(n, "n")
        try:
            queries = np.atleast_2d(np.asarray(vectors, dtype=np.float32))
        except (TypeError, ValueError):
            queries = np.empty((0, 0, 0), dtype=np.float32)
        if queries.ndim != 2:
            raise InputError(
                f"vectors must be rows of numbers, got {short_repr(vectors)}",
                hint="encode a text first: index.nearest(encoder.encode([text]), n)",
            )
        if queries.shape[1] != self.dimensions:
            raise InputError(
                f"vectors must have {self.dimensions} dimensions, got {queries.shape[1]}",
                hint="use the encoder that the graph was embedded with",
            )
        if self.exact:
            return [best(cosines, n) for cosines in queries @ self._in_memory.T]
        return [self._in_two_passes(query, n) for query in queries]

    def exactly(self, vectors: NDArray[np.float32], n: int) -> list[list[tuple[int, float]]]:
        """Return the same from all cosines; the two-pass search is measured against it."""
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
        count = min(len(self), max(CANDIDATES, 20 * n))
        farthest = np.searchsorted(np.cumsum(np.bincount(differing)), count)
        candidates = np.flatnonzero(differing <= farthest)
        # Not `@`: for a few thousand rows, starting the threads of BLAS takes longer than the product.
        cosines = np.einsum("ij,j->i", self._vectors[candidates].astype(np.float32), vector)
        return [(int(candidates[index]), cosine) for index, cosine in best(cosines, n)]


def best(cosines: NDArray[np.float32], n: int) -> list[tuple[int, float]]:
    """Return the `n` highest cosines with their indexes, highest first; among equals the lower index first.

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
    """Return the signs of vectors, packed 64 to a number: a row for each 64 dimensions, a column a vector.

    >>> codes_of(np.array([[1.0, -1.0, 1.0]], dtype=np.float32)).tolist()
    [[160]]
    """
    width = -(-vectors.shape[1] // 64)
    codes = np.empty((width, len(vectors)), dtype=np.uint64)
    for start in range(0, len(vectors), _BLOCK):
        block: NDArray[Any] = np.ascontiguousarray(vectors[start : start + _BLOCK])
        # The bits of a positive float read as an integer are positive too, and integers compare faster.
        signs = np.packbits(block.view(f"i{block.itemsize}") > 0, axis=1)
        padded = np.zeros((len(block), width * 8), dtype=np.uint8)
        padded[:, : signs.shape[1]] = signs
        codes[:, start : start + len(block)] = padded.view("<u8").T
    return codes


def _differing(codes: Codes, code: Codes) -> NDArray[np.uint16]:
    """Count the bits in which each of `codes` differs from `code`, in blocks that fit the CPU cache."""
    counts = np.zeros(codes.shape[1], dtype=np.uint16)
    for start in range(0, len(counts), _BLOCK):
        block = slice(start, start + _BLOCK)
        for row, bits in zip(codes, code, strict=True):
            counts[block] += bits_set(row[block] ^ bits)
    return counts


def _bits_by_table(numbers: Codes) -> NDArray[np.uint8]:
    """Count the set bits of each number, for numpy before 2.0."""
    quarters = _TABLE[np.ascontiguousarray(numbers).view(np.uint16)]
    counted: NDArray[np.uint8] = quarters.reshape(-1, 4).sum(axis=1, dtype=np.uint8)
    return counted


_TABLE = np.array([bin(number).count("1") for number in range(65_536)], dtype=np.uint8)
bits_set: Any = getattr(np, "bitwise_count", _bits_by_table)
