"""Names by number: all in one run of bytes, each decoded only when it is asked for.

So opening a graph of a million names reads none of them. To find a name, a sorted table holds a hash of
each name without its case, spaces and underscores.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from typing import overload

import numpy as np
from numpy.typing import NDArray


def same(name: str) -> str:
    """What two spellings of one name have in common.

    >>> same("Hot_Dog ") == same("hot  dog")
    True
    """
    return _spaced(name).casefold()


def spelling_match(name: str, asked: str) -> int:
    """How alike two spellings of one name are: 2 if they are the same, 1 if only spaces and underscores
    differ, else 0.

    >>> spelling_match("hot dog", "hot dog"), spelling_match("hot dog", "hot_dog"), spelling_match("Hot dog", "hot dog")
    (2, 1, 0)
    """
    return 2 if name == asked else int(_spaced(name) == _spaced(asked))


def _spaced(name: str) -> str:
    return " ".join(name.replace("_", " ").split())


def _hash(name: str) -> int:
    digest = hashlib.blake2b(same(name).encode("utf-8", "surrogatepass"), digest_size=8).digest()
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
        """These names, in this order."""
        listed = list(names)
        encoded = [name.encode() for name in listed]
        starts = np.zeros(len(listed) + 1, dtype=np.int64)
        np.cumsum([len(one) for one in encoded], out=starts[1:])
        text = np.frombuffer(b"".join(encoded), dtype=np.uint8)
        hashes = np.fromiter(map(_hash, listed), dtype=np.uint64, count=len(listed))
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
            return [self[one] for one in range(*number.indices(len(self)))]
        if not -len(self) <= number < len(self):
            raise IndexError(f"there are {len(self)} names, and none has the number {number}")
        number = int(number) % len(self)
        return self.text[self.starts[number] : self.starts[number + 1]].tobytes().decode()

    def find(self, name: str) -> int | None:
        """The number of this name: the same spelling first, then one that differs in case, spaces or
        underscores; of several the first.
        """
        return max(self.find_all(name), key=lambda at: (spelling_match(self[at], name), -at), default=None)

    def find_all(self, name: str) -> list[int]:
        """The numbers of this name and of all that differ from it in case, spaces or underscores only.

        >>> NameTable.of(["gull", "tern", "GULL"]).find_all("Gull")
        [0, 2]
        """
        wanted, key = np.uint64(_hash(name)), same(name)
        first, end = self.hashes.searchsorted(wanted, "left"), self.hashes.searchsorted(wanted, "right")
        return [int(number) for number in self.order[first:end] if same(self[int(number)]) == key]

    def first_occurrences(self) -> NDArray[np.int32]:
        """For each name the number of the first that is spelt the same: its own, if none is before it.

        >>> NameTable.of(["gull", "Gull", "gull"]).first_occurrences().tolist()
        [0, 1, 0]
        """
        first = np.arange(len(self), dtype=np.int32)
        alike = np.flatnonzero(self.hashes[1:] == self.hashes[:-1])
        seen: dict[str, int] = {}
        for number in np.unique(self.order[np.union1d(alike, alike + 1)]).tolist():
            first[number] = seen.setdefault(self[number], number)
        return first
