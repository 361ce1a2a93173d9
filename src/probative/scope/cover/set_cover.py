"""Covers of the features: Algorithm 1 of the paper, to the letter, and the smallest cover."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from probative.scope.question import Feature

Carried = Sequence[frozenset[int]]
"""For each passage the columns of the features that it carries; column 0 is the intent."""
_Reached = dict[int, tuple[int, tuple[int, ...]]]
"""For each set of covered features (a bit mask) the shortest passages that cover it: length and rows."""


def paper_cover(carried: Carried, features: Sequence[Feature]) -> list[int]:
    """Return the rows of the chain: every passage with the intent; then, for each relation that is not
    covered, the first passage that carries it; then the same for the nodes.

    As published, what is covered is determined once before each phase: a passage taken for one relation may
    carry the next relation too, and that relation's first passage is added nevertheless.

    >>> carried = [frozenset({0}), frozenset({1}), frozenset({1, 2})]
    >>> paper_cover(carried, [Feature("intent", "year"), Feature("node", "a"), Feature("node", "b")])
    [0, 1, 2]
    """
    chosen = [row for row, columns in enumerate(carried) if 0 in columns]
    for kind in ("relation", "node"):
        covered = frozenset().union(*(carried[row] for row in chosen))
        for column, feature in enumerate(features):
            if feature.kind != kind or column in covered:
                continue
            first = next((row for row, columns in enumerate(carried) if column in columns), None)
            if first is not None and first not in chosen:
                chosen.append(first)
    return sorted(chosen)


def exact_cover(carried: Carried, lengths: Sequence[int]) -> list[int]:
    """Return the rows of a smallest set of passages that carries all that any of them carries; of several
    such sets the shortest in characters (`lengths`), and of equal ones the earliest.

    >>> exact_cover([frozenset({0}), frozenset({1}), frozenset({1, 2})], [5, 5, 5])
    [0, 2]
    """
    everything = _mask(frozenset().union(*carried))
    useful = _useful(carried, lengths)
    reached: _Reached = {0: (0, ())}
    while everything not in reached:
        reached = _with_one_more(reached, useful, lengths, everything)
    return list(reached[everything][1])


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
    reached: _Reached, useful: Sequence[tuple[int, int]], lengths: Sequence[int], everything: int
) -> _Reached:
    """Return what one more passage reaches from each set."""
    longer: _Reached = {}
    for mask, (length, rows) in reached.items():
        missing = everything & ~mask
        lowest = missing & -missing  # some passage must carry it: branch on that feature alone
        for carried, row in useful:
            if carried & lowest:
                candidate = (length + lengths[row], tuple(sorted((*rows, row))))
                union = mask | carried
                if union not in longer or candidate < longer[union]:
                    longer[union] = candidate
    return longer


def _mask(columns: Iterable[int]) -> int:
    return sum(1 << column for column in columns)
