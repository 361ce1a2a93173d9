"""Algorithm 1 of the paper, to the letter."""

from __future__ import annotations

from collections.abc import Sequence

from probative.scope.features import Feature

Carried = Sequence[frozenset[int]]
"""For each passage the columns of the features that it carries; column 0 is the intent."""


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
