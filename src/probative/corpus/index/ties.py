"""The best results of a search, with all that tie with the last one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

# How many results beyond the wanted ones are looked at first, and at most, if their scores are equal.
_TIES, _MAX_TIES = 16, 10_000

Result = TypeVar("Result")


def with_ties(
    search: Callable[[int], Sequence[Result]], n: int, score: Callable[[Result], float]
) -> list[Result]:
    """Return the `n` best results of `search`, best first, and those with the score of the last one.

    Which of equals come first depends on what an index had before; so none of them is cut off.

    >>> numbers = [5, 3, 3, 3, 1]
    >>> with_ties(lambda k: numbers[:k], 2, float)
    [5, 3, 3, 3]
    """
    depth = n + _TIES
    while True:
        results = search(depth)
        if len(results) <= n:
            return list(results)
        last = score(results[n - 1])
        if len(results) < depth or score(results[-1]) < last or depth >= _MAX_TIES:
            return [result for result in results if score(result) >= last]
        depth *= 4
