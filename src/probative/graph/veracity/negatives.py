"""False triples for training and calibration: true ones with a part replaced by another of the graph.

The new part is drawn as often as it occurs in the graph, so that frequency alone cannot tell true from false.
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

Part = Literal["head", "relation", "tail", "same relation", "reversed"]
Rows = NDArray[Any]
"""Triples as rows (head, relation, tail)."""

PARTS: tuple[Part, ...] = ("head", "relation", "tail", "same relation", "reversed")
"""What is replaced; "same relation" replaces the tail by one that the same relation has elsewhere, "reversed"
exchanges head and tail. A new head or tail is any end of an edge: extrapolation asks for every direction."""
# A replacement that makes a true triple is drawn again, at most this many times.
_DRAWS = 8


class Corruptor:
    """Draws false triples that the graph of `rows` does not contain."""

    def __init__(self, rows: Rows, entities: int, relations: int) -> None:
        self._rows = rows
        self._entities, self._relations = entities, relations
        self._true_keys = np.sort(self._keys(rows))
        order = np.argsort(rows[:, 1], kind="stable")
        self._tails = rows[order, 2]
        self._counts = np.bincount(rows[:, 1], minlength=relations)
        self._starts = np.cumsum(self._counts) - self._counts

    def draw(self, rows: Rows, part: Part, random: np.random.Generator) -> tuple[Rows, NDArray[np.bool_]]:
        """Return each row with a part replaced, and whether the result is false: not an edge.

        A row of a relation that has all its possible tails stays true.
        """
        corrupted = rows.copy()
        open_rows = np.arange(len(rows))
        for _ in range(_DRAWS):
            corrupted[open_rows] = self._replaced(rows[open_rows], part, random)
            open_rows = open_rows[self.contains(corrupted[open_rows])]
            if not len(open_rows):
                break
        false = np.ones(len(rows), dtype=np.bool_)
        false[open_rows] = False
        return corrupted, false

    def contains(self, rows: Rows) -> NDArray[np.bool_]:
        """Return whether the graph has each row."""
        keys = self._keys(rows)
        at = np.minimum(np.searchsorted(self._true_keys, keys), len(self._true_keys) - 1)
        return np.asarray(self._true_keys[at] == keys)

    def _replaced(self, rows: Rows, part: Part, random: np.random.Generator) -> Rows:
        rows = rows.copy()
        if part == "same relation":
            relations = rows[:, 1]
            counts = np.maximum(1, self._counts[relations])
            at = self._starts[relations] + (random.random(len(rows)) * counts).astype(np.int64)
            usable = self._counts[relations] > 0
            rows[usable, 2] = self._tails[at[usable]]
            return rows
        if part == "reversed":
            return rows[:, ::-1]
        drawn = self._rows[random.integers(len(self._rows), size=len(rows))]
        if part == "relation":
            rows[:, 1] = drawn[:, 1]
        else:
            column, end = (0 if part == "head" else 2), 2 * random.integers(2, size=len(rows))
            rows[:, column] = drawn[np.arange(len(rows)), end]
        return rows

    def _keys(self, rows: Rows) -> NDArray[np.int64]:
        # Distinct for all graphs with fewer than 2^63 possible triples; beyond that two may rarely coincide.
        head, relation, tail = rows.T.astype(np.int64)
        return np.asarray((head * self._relations + relation) * self._entities + tail)
