"""Pack token sequences into rows in which a beginning that several share is read once.

A row is a trie laid out depth first: each sequence adds the tokens that the one before it does not
begin with. So whatever continues a token stands right behind it, up to the token's `end`, and a token
has exactly those on its path that stand before it and end behind it. That is all an attention mask
needs to know.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from probative.models.in_process import Sequel

if TYPE_CHECKING:
    from numpy.typing import NDArray

# Tokens in a row: attention costs the square of it, and a beginning is read again in each row.
ROW = 1024
# What the others may add to a row that begins with a long sequence: a long passage must not be read
# again for each claim about it.
BRANCHES = 512
# Fewer shared tokens than this are not worth an attention mask.
WORTHWHILE = 8


class Member(NamedTuple):
    """A sequence in a row, and how many of its first tokens it finds there."""

    sequel: Sequel
    shared: int

    @property
    def read(self) -> int:
        """How many tokens it adds."""
        return len(self.sequel.ids) - self.shared


class Row(NamedTuple):
    """Sequences that are read together, in sorted order, and how many tokens that takes."""

    members: list[Member]
    length: int

    @property
    def scored(self) -> int:
        """How many places of the row have a scored token behind them, at most."""
        return min(self.length, sum(len(sequel.ids) - sequel.start for sequel, _ in self.members))


class Layout(NamedTuple):
    """Rows as arrays. A place is counted through all rows, padding included."""

    ids: NDArray[np.int64]
    depths: NDArray[np.int64]
    """How many tokens stand before each on its path."""
    ends: NDArray[np.int64]
    """The place behind the last token that has this one on its path."""
    needed: NDArray[np.int64]
    """The places behind which a token is scored, each once."""
    nth: NDArray[np.int64]
    """For each scored token, which of `needed` it follows; member by member."""
    targets: NDArray[np.int64]
    """The scored tokens."""


def alone(sequels: Sequence[Sequel]) -> Iterator[Row]:
    """A row for each sequence."""
    return (Row([Member(sequel, 0)], len(sequel.ids)) for sequel in sequels)


def pack(sequels: Sequence[Sequel], longest: int | None = None) -> Iterator[Row]:
    """Rows of sequences that share their beginnings, none over `longest` tokens (a single sequence
    apart).

    In sorted order a sequence shares most with the one before it, so that one tells what it adds.

    >>> a, b = Sequel(0, [7] * 40 + [1, 2], 40), Sequel(1, [7] * 40 + [3], 40)
    >>> for row in pack([a, Sequel(2, [5, 6], 1), b]):
    ...     print(row.length, [(member.sequel.key, member.shared) for member in row.members])
    2 [(2, 0)]
    43 [(0, 0), (1, 40)]
    """
    members: list[Member] = []
    length = limit = 0
    for sequel in sorted(sequels, key=lambda sequel: sequel.ids):
        size = len(sequel.ids)
        shared = _common(members[-1].sequel.ids, sequel.ids) if members else 0
        if shared < min(WORTHWHILE, size) or length + size - shared > limit:
            if members:
                yield Row(members, length)
            members, length, shared = [], 0, 0
            limit = max(ROW, size + BRANCHES)
            limit = limit if longest is None else min(limit, longest)
        members.append(Member(sequel, shared))
        length += size - shared
    if members:
        yield Row(members, length)


def fill(rows: Iterable[Row], longest: int = ROW) -> list[Row]:
    """The same sequences in fewer rows: short rows stand behind one another, as far as `longest` goes.
    So less padding is read. The longest come first, and each goes into the first row with room for it.

    >>> tries = pack([Sequel(n, [n // 2] * 300 + [n], 300) for n in range(8)])
    >>> [(row.length, len(row.members)) for row in fill(tries)]
    [(906, 6), (302, 2)]
    """
    ordered = sorted(rows, key=lambda row: -row.length)
    full: list[Row] = []
    roomy: list[Row] = []
    for row in ordered:
        at = next((at for at, other in enumerate(roomy) if other.length + row.length <= longest), None)
        if at is not None:
            other = roomy.pop(at)
            row = Row([*other.members, *row.members], other.length + row.length)
        (roomy if row.length + ordered[-1].length <= longest else full).append(row)
    return full + roomy


def lay_out(rows: Sequence[Row], *, pad: int = 0, multiple: int = 1) -> Layout:
    """The arrays of rows, padded to one length, which is a multiple of `multiple`.

    >>> layout = lay_out([Row([Member(Sequel(0, [5, 6, 7], 2), 0), Member(Sequel(1, [5, 8], 1), 1)], 4)])
    >>> layout.ids.tolist(), layout.depths.tolist(), layout.ends.tolist()
    ([[5, 6, 7, 8]], [[0, 1, 2, 1]], [[4, 3, 3, 4]])
    >>> layout.needed.tolist(), layout.nth.tolist(), layout.targets.tolist()
    ([0, 1], [1, 0], [7, 8])
    """
    width = -(-max(row.length for row in rows) // multiple) * multiple
    ids: list[int] = []
    depths: list[int] = []
    ends: list[int] = []
    before: list[int] = []
    targets: list[int] = []
    for row in rows:
        path: list[int] = []  # the places of the last member's tokens
        for sequel, shared in row.members:
            here, whole = len(ids), len(sequel.ids)
            for place in path[shared:]:
                ends[place] = here
            ids += sequel.ids[shared:]
            depths += range(shared, whole)
            ends += [0] * (whole - shared)
            path[shared:] = range(here, len(ids))
            before += path[sequel.start - 1 : whole - 1]
            targets += sequel.ids[sequel.start :]
        for place in path:
            ends[place] = len(ids)
        missing = width - row.length
        ends += range(len(ids) + 1, len(ids) + missing + 1)  # padding sees itself: no row sums to nothing
        ids += [pad] * missing
        depths += [0] * missing
    shape = (len(rows), width)
    places = np.array(before, dtype=np.int64)
    scored = np.zeros(len(ids), dtype=np.bool_)
    scored[places] = True
    return Layout(
        np.array(ids, dtype=np.int64).reshape(shape),
        np.array(depths, dtype=np.int64).reshape(shape),
        np.array(ends, dtype=np.int64).reshape(shape),
        np.flatnonzero(scored),
        (np.cumsum(scored) - 1)[places],
        np.array(targets, dtype=np.int64),
    )


def _common(one: list[int], other: list[int]) -> int:
    """How many first tokens two sequences share: found by halving, since whole slices compare fast."""
    low, high = 0, min(len(one), len(other))
    if one[:high] == other[:high]:
        return high
    while high - low > 1:
        middle = (low + high) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle
    return low
