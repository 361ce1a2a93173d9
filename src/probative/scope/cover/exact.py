"""Choose the passages: the fewest that carry everything that can be carried."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from probative.scope.features import Feature

Carried = Sequence[frozenset[int]]
"""For each passage the numbers of the features it carries."""


def paper_cover(carried: Carried, features: Sequence[Feature]) -> list[int]:
    """Algorithm 1: every passage with the intent; then, for each relation not yet carried, the first passage
    that carries it; then the same for the nodes.

    What is missing is looked at once before each phase, as published: a passage taken for one relation
    may carry the next one too, and another is added all the same.

    >>> carried = [frozenset({0}), frozenset({1}), frozenset({1, 2})]
    >>> paper_cover(carried, [Feature("intent", "year"), Feature("node", "a"), Feature("node", "b")])
    [0, 1, 2]
    """
    chosen = [place for place, has in enumerate(carried) if 0 in has]
    for kind in ("relation", "node"):
        covered = _union(carried, chosen)
        for number, feature in enumerate(features):
            if feature.kind != kind or number in covered:
                continue
            first = next((place for place, has in enumerate(carried) if number in has), None)
            if first is not None and first not in chosen:
                chosen.append(first)
    return sorted(chosen)


def exact_cover(carried: Carried, lengths: Sequence[int]) -> list[int]:
    """A smallest set of passages that carries all that any of them carries; of several the shortest in
    characters, and of equals the earliest.

    >>> exact_cover([frozenset({0}), frozenset({1}), frozenset({1, 2})], [5, 5, 5])
    [0, 2]
    """
    wanted = _mask(_union(carried, range(len(carried))))
    best: dict[int, int] = {}
    for place, has in enumerate(carried):
        mask = _mask(has)
        if mask and (mask not in best or lengths[place] < lengths[best[mask]]):
            best[mask] = place
    useful = [
        (mask, place)
        for mask, place in best.items()
        if not any(
            other != mask and mask & other == mask and lengths[taken] <= lengths[place]
            for other, taken in best.items()
        )
    ]
    useful.sort(key=lambda one: one[1])
    reached: dict[int, tuple[int, tuple[int, ...]]] = {0: (0, ())}
    while wanted not in reached:
        longer: dict[int, tuple[int, tuple[int, ...]]] = {}
        for mask, (length, chosen) in reached.items():
            missing = wanted & ~mask
            lowest = missing & -missing  # some passage must carry it: branch on that alone
            for held, place in useful:
                if held & lowest:
                    candidate = (length + lengths[place], tuple(sorted((*chosen, place))))
                    key = mask | held
                    if key not in longer or candidate < longer[key]:
                        longer[key] = candidate
        reached = longer
    return list(reached[wanted][1])


def _union(carried: Carried, places: Iterable[int]) -> frozenset[int]:
    return frozenset().union(*(carried[place] for place in places))


def _mask(numbers: Iterable[int]) -> int:
    return sum(1 << number for number in numbers)
