"""The smallest chain: the fewest passages that carry everything that any passage carries."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from probative.scope.cover.paper import Carried

_Reached = dict[int, tuple[int, tuple[int, ...]]]
"""For each set of covered features (a bit mask) the shortest passages that cover it: length and rows."""


def exact_cover(carried: Carried, lengths: Sequence[int]) -> list[int]:
    """Return the rows of a smallest set of passages that carries all that any of them carries; of several
    such sets the shortest in characters (`lengths`), and of equal ones the earliest.

    >>> exact_cover([frozenset({0}), frozenset({1}), frozenset({1, 2})], [5, 5, 5])
    [0, 2]
    """
    wanted = _mask(frozenset().union(*carried))
    useful = _useful(carried, lengths)
    reached: _Reached = {0: (0, ())}
    while wanted not in reached:
        reached = _with_one_more(reached, useful, lengths, wanted)
    return list(reached[wanted][1])


def _useful(carried: Carried, lengths: Sequence[int]) -> list[tuple[int, int]]:
    """Return (mask, row) of each passage that no other passage replaces at the same or a smaller length."""
    shortest: dict[int, int] = {}
    for row, columns in enumerate(carried):
        mask = _mask(columns)
        if mask and (mask not in shortest or lengths[row] < lengths[shortest[mask]]):
            shortest[mask] = row
    useful = [
        (mask, row)
        for mask, row in shortest.items()
        if not any(
            other != mask and mask & other == mask and lengths[other_row] <= lengths[row]
            for other, other_row in shortest.items()
        )
    ]
    return sorted(useful, key=lambda entry: entry[1])


def _with_one_more(
    reached: _Reached, useful: Sequence[tuple[int, int]], lengths: Sequence[int], wanted: int
) -> _Reached:
    """Return what one more passage reaches from each set."""
    longer: _Reached = {}
    for mask, (length, rows) in reached.items():
        missing = wanted & ~mask
        lowest = missing & -missing  # some passage must carry it: branch on that feature alone
        for own, row in useful:
            if own & lowest:
                candidate = (length + lengths[row], tuple(sorted((*rows, row))))
                union = mask | own
                if union not in longer or candidate < longer[union]:
                    longer[union] = candidate
    return longer


def _mask(columns: Iterable[int]) -> int:
    return sum(1 << column for column in columns)
