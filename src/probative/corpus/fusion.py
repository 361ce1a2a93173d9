"""Rank fusion: one order from several."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import TypeVar

# Cormack, Clarke and Büttcher (2009), "Reciprocal rank fusion outperforms Condorcet and individual rank
# learning methods", take 60 for rankings of the same quality. With 60, a passage that both rankings place
# low passes the best one of the words: vectors of a quarter cost 2 points at 5 on HotpotQA. With 10 they
# gain on HotpotQA and 2WikiMultihopQA (benchmarks/corpus.py recall).
RANK_CONSTANT = 10

Item = TypeVar("Item", bound=Hashable)


def fuse(
    rankings: Iterable[tuple[float, Sequence[Item]]], constant: float = RANK_CONSTANT
) -> list[tuple[Item, float]]:
    """Return all items with the sum of weight / (constant + rank) over the rankings, highest first.

    Each ranking comes with its weight; ranks count from 1. Of equal items, the earlier one stays first.

    >>> [item for item, _ in fuse([(1.0, ["a", "b", "c"]), (1.0, ["c", "b"])])]
    ['c', 'b', 'a']
    """
    scores: dict[Item, float] = {}
    for weight, ranking in rankings:
        for rank, item in enumerate(ranking, 1):
            scores[item] = scores.get(item, 0.0) + weight / (constant + rank)
    return sorted(scores.items(), key=lambda pair: -pair[1])
