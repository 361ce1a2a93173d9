"""Numbered lists in prompts, and replies that answer by number."""

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


def numbered_list(texts: Sequence[str]) -> str:
    r"""Return the texts on a line each, numbered from 1.

    >>> numbered_list(["moss", "fern"])
    '1. moss\n2. fern'
    """
    return "\n".join(f"{number}. {text}" for number, text in enumerate(texts, 1))


def numbered_replies(text: str, count: int) -> dict[int, str]:
    r"""Return what a reply says to each number from 1 to `count`; the first line of a number counts. If no
    line is numbered and there are `count` lines, they answer in their order.

    >>> numbered_replies("1. yes\n(2): no\n9. maybe\n1. no", 3)
    {1: 'yes', 2: 'no'}
    >>> numbered_replies("1 yes\n| 2 | no |", 2), numbered_replies("yes\nno", 2)
    ({1: 'yes', 2: 'no'}, {1: 'yes', 2: 'no'})
    """
    replies: dict[int, str] = {}
    for number, reply in _NUMBERED.findall(text):
        if 1 <= int(number) <= count and reply:
            replies.setdefault(int(number), reply)
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if not replies and count > 1 and len(lines) == count:
        return dict(enumerate(lines, 1))
    return replies


def in_batches(items: Sequence[Item], size: int) -> list[list[Item]]:
    """Split items into lists of at most `size`, in order.

    >>> in_batches("abcde", 2)
    [['a', 'b'], ['c', 'd'], ['e']]
    """
    return [list(items[start : start + size]) for start in range(0, len(items), size)]
