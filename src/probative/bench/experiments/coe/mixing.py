"""Contexts with a share of other text, counted in characters."""

from __future__ import annotations

import random
from collections.abc import Sequence

SHARES = (0.0, 0.25, 0.5, 0.75)
"""The shares of the paper's tables 2 to 4."""


def fill_to_share(pieces: Sequence[str], others: Sequence[str], share: float) -> list[str]:
    """Return texts of `others` such that they are a share of the characters of all texts together.

    The last text is cut at a word. If `others` are too few, they are repeated.

    >>> fill_to_share(["Ten chars."], ["Rain fell.", "Ice too."], 0.5)
    ['Rain fell.']
    >>> fill_to_share(["Ten chars."], ["abc defg hi jklm"], 0.5)
    ['abc defg']
    """
    needed = round(length(pieces) * share / (1 - share))
    usable = [other for other in others if other.strip()]
    chosen: list[str] = []
    while usable and needed > 0:
        for other in usable:
            part = other if len(other) <= needed else _cut(other, needed)
            if part:
                chosen.append(part)
            needed = needed - len(part) if part == other else 0
            if needed <= 0:
                break
    return chosen


def mix(pieces: Sequence[str], others: Sequence[str], draws: random.Random) -> list[str]:
    """Return all texts in a drawn order; the pieces keep their order among themselves.

    >>> mix(["one", "two"], [], random.Random(1))
    ['one', 'two']
    """
    marks = [True] * len(pieces) + [False] * len(others)
    if others:
        draws.shuffle(marks)
    kept, added = iter(pieces), iter(others)
    return [next(kept) if mark else next(added) for mark in marks]


def share_of(others: Sequence[str], pieces: Sequence[str]) -> float:
    """Return the share of `others` in the characters of both.

    >>> share_of(["abc"], ["abcdefghi"])
    0.25
    """
    whole = length(others) + length(pieces)
    return length(others) / whole if whole else 0.0


def length(texts: Sequence[str]) -> int:
    """Return the number of characters of all texts."""
    return sum(map(len, texts))


def _cut(text: str, limit: int) -> str:
    """Return the words of a text that fit into `limit` characters."""
    if len(text) > limit and not text[limit].isspace():
        text = text[:limit].rpartition(" ")[0]
    return text[:limit].rstrip()
