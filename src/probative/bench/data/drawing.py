"""Draw cases from a list."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


def spread(items: Sequence[T], n: int | None) -> list[T]:
    """Return `n` items, evenly spread over the list; all of them if there are no more, or without a number.

    >>> spread("abcdef", 3), spread("ab", 9), spread("ab", None)
    (['a', 'c', 'e'], ['a', 'b'], ['a', 'b'])
    """
    count = len(items) if n is None else min(n, len(items))
    return [items[index * len(items) // count] for index in range(count)]
