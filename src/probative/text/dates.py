"""Dates as numbers, and how two of them compare; how they are written is a matter of the language."""

from __future__ import annotations

from typing import Literal

from probative.text.words import word_list

Order = Literal[-1, 0, 1]
Date = tuple[int, int, int]
"""Year, month and day; an unknown part is 0. A year BC is negative: 44 BC is -44."""

MONTHS = word_list("months")


def earlier(first: Date, second: Date) -> bool | None:
    """Return whether the first date is before the second; None if the known parts do not decide it.

    >>> earlier((1987, 10, 5), (1987, 0, 0)) is None, earlier((1900, 0, 0), (1987, 10, 5))
    (True, True)
    """
    for part, other in zip(first, second, strict=True):
        if part == 0 or other == 0:
            return None
        if part != other:
            return part < other
    return None


def order(first: Date, second: Date) -> Order | None:
    """Return -1, 0 or 1 if the first date is earlier, the same or later; None if that cannot be decided.

    >>> [order((1987, 0, 0), other) for other in ((1988, 3, 0), (1987, 0, 0), (1987, 5, 0))]
    [-1, 0, None]
    """
    is_earlier = earlier(first, second)
    if is_earlier is None:
        return 0 if first == second else None
    return -1 if is_earlier else 1


def agree(first: Date, second: Date) -> bool:
    """Return whether two dates may be the same day; an unknown part agrees with everything.

    >>> agree((1987, 10, 5), (1987, 0, 0)), agree((1987, 10, 5), (1987, 11, 0))
    (True, False)
    """
    return all(not (part and other) or part == other for part, other in zip(first, second, strict=True))


def spelled(date: Date) -> str:
    """Return a date as digits.

    >>> spelled((1900, 5, 5)), spelled((-44, 0, 0))
    ('1900-05-05', '44 BC')
    """
    return "-".join(f"{abs(part):02d}" for part in date if part) + (" BC" if date[0] < 0 else "")


def in_words(date: Date) -> str:
    """Return a date as prose has it.

    >>> in_words((1900, 5, 5)), in_words((1900, 5, 0)), in_words((-44, 0, 0))
    ('5 May 1900', 'May 1900', '44 BC')
    """
    year, month, day = date
    parts = (str(day) if day else "", MONTHS[month - 1].capitalize() if month else "", spelled((year, 0, 0)))
    return " ".join(filter(None, parts))
