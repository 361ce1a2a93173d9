"""Pack token sequences into rows in which a common prefix is read once.

A row is a trie in depth-first order: each sequence adds the tokens that it does not share with the sequence
before it. All continuations of a token follow it directly, up to the token's `end`. The path of a token are
the tokens before it whose `end` is after it. The attention mask follows from that.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from probative.models.in_process import Sequel

if TYPE_CHECKING:
    from numpy.typing import NDArray

# Tokens in a row: attention costs their square, and a prefix is read again in each row.
ROW = 1024
# Tokens that may be added to a row that starts with a long sequence: a long passage must not be read again
# for each claim about it.
BRANCHES = 512
# Fewer shared tokens than this are not worth an attention mask.
MIN_SHARED = 8


class Member(NamedTuple):
    """A sequence in a row, and the number of its first tokens that are in the row already."""

    sequel: Sequel
    shared: int

    @property
    def read(self) -> int:
        """The number of tokens that it adds."""
        return len(self.sequel.ids) - self.shared


class Row(NamedTuple):
    """Sequences in sorted order that share a row, and the number of its tokens."""

    members: list[Member]
    length: int

    @property
    def scored(self) -> int:
        """The maximum number of positions of the row that are followed by a scored token."""
        return min(self.length, sum(len(sequel.ids) - sequel.start for sequel, _ in self.members))


class Layout(NamedTuple):
    """Rows as arrays. Positions are counted through all rows, padding included."""

    ids: NDArray[np.int64]
    depths: NDArray[np.int64]
    """The number of tokens before each token on its path."""
    ends: NDArray[np.int64]
    """The position after the last token that has this one on its path."""
    needed: NDArray[np.int64]
    """The distinct positions that are followed by a scored token."""
    nth: NDArray[np.int64]
    """For each scored token, the index in `needed` of the position before it; member by member."""
    targets: NDArray[np.int64]
    """The scored tokens."""


def alone(sequels: Sequence[Sequel]) -> Iterator[Row]:
    """Yield a row for each sequence."""
    return (Row([Member(sequel, 0)], len(sequel.ids)) for sequel in sequels)


def pack(sequels: Sequence[Sequel], longest: int | None = None) -> Iterator[Row]:
    """Yield rows of sequences with common prefixes, of at most `longest` tokens unless a single sequence is
    longer.

    In sorted order a sequence has its longest common prefix with the one before it.
    """
    members: list[Member] = []
    length = limit = 0
    for sequel in sorted(sequels, key=lambda sequel: sequel.ids):
        size = len(sequel.ids)
        shared = _common(members[-1].sequel.ids, sequel.ids) if members else 0
        if shared < min(MIN_SHARED, size) or length + size - shared > limit:
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
    """Return the same sequences in fewer rows of at most `longest` tokens, so that less padding is read.

    The longest rows come first, and each is added to the first row with enough space.
    """
    ordered = sorted(rows, key=lambda row: -row.length)
    full: list[Row] = []
    roomy: list[Row] = []
    for row in ordered:
        fits = (index for index, other in enumerate(roomy) if other.length + row.length <= longest)
        if (index := next(fits, None)) is not None:
            other = roomy.pop(index)
            row = Row([*other.members, *row.members], other.length + row.length)
        (roomy if row.length + ordered[-1].length <= longest else full).append(row)
    return full + roomy


def lay_out(rows: Sequence[Row], *, pad: int = 0, multiple: int = 1) -> Layout:
    """Return the rows as arrays, padded to one length, which is a multiple of `multiple`."""
    width = -(-max(row.length for row in rows) // multiple) * multiple
    ids: list[int] = []
    depths: list[int] = []
    ends: list[int] = []
    before: list[int] = []
    targets: list[int] = []
    for row in rows:
        path: list[int] = []  # the positions of the last member's tokens
        for sequel, shared in row.members:
            here, whole = len(ids), len(sequel.ids)
            for position in path[shared:]:
                ends[position] = here
            ids += sequel.ids[shared:]
            depths += range(shared, whole)
            ends += [0] * (whole - shared)
            path[shared:] = range(here, len(ids))
            before += path[sequel.start - 1 : whole - 1]
            targets += sequel.ids[sequel.start :]
        for position in path:
            ends[position] = len(ids)
        missing = width - row.length
        ends += range(len(ids) + 1, len(ids) + missing + 1)  # padding attends to itself
        ids += [pad] * missing
        depths += [0] * missing
    shape = (len(rows), width)
    positions = np.array(before, dtype=np.int64)
    scored = np.zeros(len(ids), dtype=np.bool_)
    scored[positions] = True
    return Layout(
        np.array(ids, dtype=np.int64).reshape(shape),
        np.array(depths, dtype=np.int64).reshape(shape),
        np.array(ends, dtype=np.int64).reshape(shape),
        np.flatnonzero(scored),
        (np.cumsum(scored) - 1)[positions],
        np.array(targets, dtype=np.int64),
    )


def _common(first: list[int], second: list[int]) -> int:
    """Return the length of the common prefix, by bisection: slices are compared fast."""
    low, high = 0, min(len(first), len(second))
    if first[:high] == second[:high]:
        return high
    while high - low > 1:
        middle = (low + high) // 2
        if first[low:middle] == second[low:middle]:
            low = middle
        else:
            high = middle
    return low
