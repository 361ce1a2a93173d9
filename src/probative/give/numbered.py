"""Lists that go to a model numbered, and answers that come back by number."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TypeVar

Item = TypeVar("Item")

# "3. yes", "(3) yes", "[3]: yes", "3 - yes", "**3.** yes".
_NUMBERED = re.compile(r"^[ \t>*_#(\[-]*(\d{1,3})[ \t]*[\])*_.:=–—-]+[ \t]*(.*?)[ \t*_]*$", re.MULTILINE)


def listed(texts: Sequence[str]) -> str:
    r"""Texts on a line each, numbered from 1.

    >>> listed(["moss", "fern"])
    '1. moss\n2. fern'
    """
    return "\n".join(f"{number}. {text}" for number, text in enumerate(texts, 1))


def by_number(text: str, count: int) -> dict[int, str]:
    r"""What a reply says to each number from 1 to `count`; the first that it says counts.

    >>> by_number("1. yes\n(2): no\n9. maybe\n1. no", 3)
    {1: 'yes', 2: 'no'}
    """
    found: dict[int, str] = {}
    for number, said in _NUMBERED.findall(text):
        if 1 <= int(number) <= count and said:
            found.setdefault(int(number), said)
    return found


def in_batches(items: Sequence[Item], size: int) -> list[list[Item]]:
    """Items in lists of at most `size`, in order.

    >>> in_batches("abcde", 2)
    [['a', 'b'], ['c', 'd'], ['e']]
    """
    return [list(items[start : start + size]) for start in range(0, len(items), size)]
