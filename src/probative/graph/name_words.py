"""Names by their words: which entities share words with a text."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from probative.graph.edges import Ints, Longs
from probative.graph.name_table import NameTable
from probative.text.words import words


class NameWords:
    """The words of names, and for each word the names it stands in.

    >>> index = NameWords.of(["hot dog", "dog", "cat show", "hot water"])
    >>> index.search("Are hot dogs served at the show?", 3)
    [0, 2, 1]
    """

    def __init__(self, known: NameTable, starts: Longs, holders: Ints, lengths: NDArray[np.uint16]) -> None:
        self.known = known
        self.starts = starts
        self.holders = holders
        self.lengths = lengths

    @classmethod
    def of(cls, names: Iterable[str]) -> NameWords:
        """The words of these names."""
        known: dict[str, int] = {}
        seen: dict[str, tuple[int, ...]] = {}
        pairs: list[int] = []
        lengths: list[int] = []
        for name in names:
            found: set[int] = set()
            for piece in name.lower().split():
                numbers = seen.get(piece)
                if numbers is None:  # names share their words: each is looked at once
                    numbers = tuple(known.setdefault(word, len(known)) for word in words(piece))
                    seen[piece] = numbers
                found.update(numbers)
            pairs.extend(found)
            lengths.append(len(found))
        counts = np.array(lengths, dtype=np.int64)
        holders = np.repeat(np.arange(len(counts), dtype=np.int32), counts)
        numbers_array = np.array(pairs, dtype=np.int64)
        order = np.argsort(numbers_array, kind="stable")
        starts = np.zeros(len(known) + 1, dtype=np.int64)
        np.cumsum(np.bincount(numbers_array, minlength=len(known)), out=starts[1:])
        return cls(NameTable.of(known), starts, holders[order], np.minimum(counts, 65_535).astype(np.uint16))

    def search(self, text: str, n: int) -> list[int]:
        """The `n` names that share most with a text, best first: rare words count more than common ones, and
        of two names that share the same the shorter one is meant.
        """
        total = len(self.lengths)
        numbers = [self.known.find(word) for word in dict.fromkeys(words(text))]
        slices = [slice(self.starts[at], self.starts[at + 1]) for at in numbers if at is not None]
        if not slices or n <= 0:
            return []
        weights = [np.log1p(total / (here.stop - here.start)) for here in slices]
        holders = np.concatenate([self.holders[here] for here in slices])
        gains = np.repeat(weights, [here.stop - here.start for here in slices])
        found, at = np.unique(holders, return_inverse=True)
        scores = np.bincount(at, weights=gains)
        order = np.lexsort((found, self.lengths[found], -scores))[:n]
        return [int(number) for number in found[order]]
