"""Lists that go to a model numbered, and answers that come back by number."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TypeVar

Item = TypeVar("Item")

# "3. yes", "(3) yes", "[3]: yes", "3 - yes", "**3.** yes", "3 yes", "Statement 3: yes", "| 3 | yes |".
_NUMBERED = re.compile(
    r"^[ \t>*_#(\[|-]*(?:(?:statement|pair|item|number|no\.)[ \t]*)?(\d{1,3})(?:[ \t]*[\])*_.:=|–—-]+|[ \t])"
    r"[ \t]*(.*?)[ \t*_|]*$",
    re.MULTILINE | re.IGNORECASE,
)


def listed(texts: Sequence[str]) -> str:
    r"""Texts on a line each, numbered from 1.

    >>> listed(["moss", "fern"])
    '1. moss\n2. fern'
    """
    return "\n".join(f"{number}. {text}" for number, text in enumerate(texts, 1))


def by_number(text: str, count: int) -> dict[int, str]:
    r"""What a reply says to each number from 1 to `count`; the first that it says counts. As many lines as
    there are numbers, and none numbered, answer in their order.

    >>> by_number("1. yes\n(2): no\n9. maybe\n1. no", 3)
    {1: 'yes', 2: 'no'}
    >>> by_number("1 yes\n| 2 | no |", 2), by_number("yes\nno", 2)
    ({1: 'yes', 2: 'no'}, {1: 'yes', 2: 'no'})
    """
    found: dict[int, str] = {}
    for number, said in _NUMBERED.findall(text):
        if 1 <= int(number) <= count and said:
            found.setdefault(int(number), said)
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if not found and count > 1 and len(lines) == count:
        return dict(enumerate(lines, 1))
    return found


def in_batches(items: Sequence[Item], size: int) -> list[list[Item]]:
    """Items in lists of at most `size`, in order.

    >>> in_batches("abcde", 2)
    [['a', 'b'], ['c', 'd'], ['e']]
    """
    return [list(items[start : start + size]) for start in range(0, len(items), size)]
