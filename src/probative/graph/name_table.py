"""Names by number: all names in one array of bytes, each decoded when it is read.

Opening a graph of a million names therefore reads none of them. A sorted table of hashes finds a name; the
hash ignores case, spaces and underscores. An index leads from words to the names that contain them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from typing import overload

import numpy as np
from numpy.typing import NDArray

from probative.graph.edges import Ints, Longs
from probative.text.words import words


def normalized_name(name: str) -> str:
    """Return a name without differences of case, spaces and underscores.

    >>> normalized_name("Hot_Dog ") == normalized_name("hot  dog")
    True
    """
    return _spaced(name).casefold()


def spelling_match(name: str, query: str) -> int:
    """Rank how well the spelling of a name matches a query with the same normalized name: 2 for the same
    spelling, 1 if only spaces and underscores differ, otherwise 0.

    >>> [spelling_match(name, "hot_dog") for name in ("hot_dog", "hot dog", "Hot dog")]
    [2, 1, 0]
    """
    return 2 if name == query else int(_spaced(name) == _spaced(query))


def _spaced(name: str) -> str:
    return " ".join(name.replace("_", " ").split())


def _hash(name: str) -> int:
    digest = hashlib.blake2b(normalized_name(name).encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "little")


class NameTable(Sequence[str]):
    """Names by number.

    >>> names = NameTable.of(["lighthouse", "Grey Heron"])
    >>> names[1], len(names), names.find("grey_heron"), names.find("tern")
    ('Grey Heron', 2, 1, None)
    """

    def __init__(
        self,
        text: NDArray[np.uint8],
        starts: NDArray[np.int64],
        hashes: NDArray[np.uint64],
        order: NDArray[np.int32],
    ) -> None:
        self.text = text
        self.starts = starts
        self.hashes = hashes
        self.order = order

    @classmethod
    def of(cls, names: Iterable[str]) -> NameTable:
        """Build the table of `names`, numbered in this order."""
        items = list(names)
        encoded = [name.encode() for name in items]
        starts = np.zeros(len(items) + 1, dtype=np.int64)
        np.cumsum([len(data) for data in encoded], out=starts[1:])
        text = np.frombuffer(b"".join(encoded), dtype=np.uint8)
        hashes = np.fromiter(map(_hash, items), dtype=np.uint64, count=len(items))
        order = np.argsort(hashes, kind="stable").astype(np.int32)
        return cls(text, starts, hashes[order], order)

    def __len__(self) -> int:
        return len(self.starts) - 1

    @overload
    def __getitem__(self, number: int) -> str: ...
    @overload
    def __getitem__(self, number: slice) -> list[str]: ...
    def __getitem__(self, number: int | slice) -> str | list[str]:
        if isinstance(number, slice):
            return [self[index] for index in range(*number.indices(len(self)))]
        if not -len(self) <= number < len(self):
            raise IndexError(f"there are {len(self)} names, and none has the number {number}")
        number = int(number) % len(self)
        return self.text[self.starts[number] : self.starts[number + 1]].tobytes().decode()

    def find(self, name: str) -> int | None:
        """Return the number of a name, or None. The same spelling is preferred to one that differs in case,
        spaces or underscores; among equals the first is returned.
        """
        return max(
            self.find_all(name),
            key=lambda number: (spelling_match(self[number], name), -number),
            default=None,
        )

    def find_all(self, name: str) -> list[int]:
        """Return the numbers of all names that differ from `name` in case, spaces or underscores only.

        >>> NameTable.of(["gull", "tern", "GULL"]).find_all("Gull")
        [0, 2]
        """
        hashed, key = np.uint64(_hash(name)), normalized_name(name)
        first, end = self.hashes.searchsorted(hashed, "left"), self.hashes.searchsorted(hashed, "right")
        return [int(number) for number in self.order[first:end] if normalized_name(self[int(number)]) == key]

    def first_occurrences(self) -> NDArray[np.int32]:
        """Return for each name the number of the first name with the same spelling, perhaps its own.

        >>> NameTable.of(["gull", "Gull", "gull"]).first_occurrences().tolist()
        [0, 1, 0]
        """
        first = np.arange(len(self), dtype=np.int32)
        same_hash = np.flatnonzero(self.hashes[1:] == self.hashes[:-1])
        seen: dict[str, int] = {}
        for number in np.unique(self.order[np.union1d(same_hash, same_hash + 1)]).tolist():
            first[number] = seen.setdefault(self[number], number)
        return first


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
