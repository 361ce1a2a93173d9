"""Draw cases from a list."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


def draw(items: Sequence[T], n: int | None, seed: int) -> list[T]:
    """Return `n` items that the seed draws, in the order of the list; all of them without a number.

    A larger `n` contains the items of a smaller one.

    >>> draw("abcdef", 3, seed=1), draw("abcdef", 3, seed=2), draw("ab", 9, seed=1)
    (['c', 'd', 'f'], ['b', 'c', 'd'], ['a', 'b'])
    """
    order = list(range(len(items)))
    random.Random(seed).shuffle(order)
    return [items[index] for index in sorted(order[:n])]


def spread(items: Sequence[T], n: int | None) -> list[T]:
    """Return `n` items, evenly spread over the list; all of them if there are no more, or without a number.

    >>> spread("abcdef", 3), spread("ab", 9), spread("ab", None)
    (['a', 'c', 'e'], ['a', 'b'], ['a', 'b'])
    """
    count = len(items) if n is None else min(n, len(items))
    return [items[index * len(items) // count] for index in range(count)]
