"""An index from words to the names that contain them."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from probative.graph.edges import Ints, Longs
from probative.graph.name_table import NameTable
from probative.text.words import words


class NameWords:
    """The words of all names, and for each word the names that contain it (`holders`).

    >>> index = NameWords.of(["hot dog", "dog", "cat show", "hot water"])
    >>> index.search("Are hot dogs served at the show?", 3)
    [0, 2, 1]
    """

    def __init__(
        self, vocabulary: NameTable, starts: Longs, holders: Ints, lengths: NDArray[np.uint16]
    ) -> None:
        self.vocabulary = vocabulary
        self.starts = starts
        self.holders = holders
        self.lengths = lengths

    @classmethod
    def of(cls, names: Iterable[str]) -> NameWords:
        """Index the words of `names`."""
        vocabulary: dict[str, int] = {}
        words_of_piece: dict[str, tuple[int, ...]] = {}
        pairs: list[int] = []
        lengths: list[int] = []
        for name in names:
            in_name: set[int] = set()
            for piece in name.lower().split():
                numbers = words_of_piece.get(piece)
                if numbers is None:  # names share their words: each piece is split once
                    numbers = tuple(vocabulary.setdefault(word, len(vocabulary)) for word in words(piece))
                    words_of_piece[piece] = numbers
                in_name.update(numbers)
            pairs.extend(in_name)
            lengths.append(len(in_name))
        counts = np.array(lengths, dtype=np.int64)
        holders = np.repeat(np.arange(len(counts), dtype=np.int32), counts)
        word_numbers = np.array(pairs, dtype=np.int64)
        order = np.argsort(word_numbers, kind="stable")
        starts = np.zeros(len(vocabulary) + 1, dtype=np.int64)
        np.cumsum(np.bincount(word_numbers, minlength=len(vocabulary)), out=starts[1:])
        return cls(
            NameTable.of(vocabulary), starts, holders[order], np.minimum(counts, 65_535).astype(np.uint16)
        )

    def search(self, text: str, n: int) -> list[int]:
        """Return the `n` names that share the most with a text, best first. Rare words count more than common
        ones, and among names with the same score the shorter comes first.
        """
        total = len(self.lengths)
        numbers = [self.vocabulary.find(word) for word in dict.fromkeys(words(text))]
        spans = [slice(self.starts[word], self.starts[word + 1]) for word in numbers if word is not None]
        if not spans or n <= 0:
            return []
        weights = [np.log1p(total / (span.stop - span.start)) for span in spans]
        holders = np.concatenate([self.holders[span] for span in spans])
        gains = np.repeat(weights, [span.stop - span.start for span in spans])
        names, positions = np.unique(holders, return_inverse=True)
        scores = np.bincount(positions, weights=gains)
        order = np.lexsort((names, self.lengths[names], -scores))[:n]
        return [int(number) for number in names[order]]
