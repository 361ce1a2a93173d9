"""Dates as numbers, and how two of them compare; how they are written is a matter of the language."""

from __future__ import annotations

from typing import Literal

from probative.text.word_lists import word_list

Order = Literal[-1, 0, 1]
Date = tuple[int, int, int]
"""Year, month and day; an unknown part is 0. A year BC is negative: 44 BC is -44."""

MONTHS = word_list("months")
# Nobody known has lived longer: a longer life means that a date was misread.
MAX_AGE = 123
# In years: months do not all have the same length.
_TOLERANCE = 0.02


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


def lived_longer(first: tuple[Date, Date], second: tuple[Date, Date]) -> bool | None:
    """Return whether the first life, from birth to death, was longer than the second; None if the dates are
    too rough to decide it, or cannot be those of a life.

    >>> lived_longer(((1900, 5, 5), (1980, 6, 0)), ((1911, 0, 0), (1991, 0, 0)))
    >>> lived_longer(((-106, 1, 3), (-43, 12, 7)), ((-100, 7, 12), (-44, 3, 15)))
    True
    """
    shortest, longest = _years_lived(*first)
    other_shortest, other_longest = _years_lived(*second)
    if min(shortest, other_shortest) < 0 or max(longest, other_longest) >= MAX_AGE:
        return None
    if shortest > other_longest + _TOLERANCE:
        return True
    return False if longest < other_shortest - _TOLERANCE else None


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


def _years_lived(birth: Date, death: Date) -> tuple[float, float]:
    """Return the smallest and the largest number of years between two dates."""
    (born_from, born_until), (died_from, died_until) = _interval(birth), _interval(death)
    return died_from - born_until, died_until - born_from


def _interval(date: Date) -> tuple[float, float]:
    """Return the first and the last moment of a date, in years; there was no year 0.

    >>> _interval((1900, 7, 0)), _interval((-1, 0, 0))
    ((1900.5, 1900.5833333333333), (0.0, 1.0))
    """
    year, month, day = date
    start = float(year if year > 0 else year + 1)
    if not month:
        return start, start + 1
    start += (month - 1) / 12
    if not day:
        return start, start + 1 / 12
    start += (day - 1) / 372
    return start, start
