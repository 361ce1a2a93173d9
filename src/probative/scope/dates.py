"""Dates as they are written in prose, so that two can be compared."""

from __future__ import annotations

import re

MONTHS = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
]
Date = tuple[int, int, int]
"""Year, month and day; what is not said is 0."""

_MONTH = "|".join(MONTHS)
_SHAPES = (
    re.compile(rf"(?P<day>\d{{1,2}})(?:st|nd|rd|th)? (?P<month>{_MONTH}),? (?P<year>\d{{3,4}})\b", re.I),
    re.compile(rf"(?P<month>{_MONTH}) (?P<day>\d{{1,2}})(?:st|nd|rd|th)?,? (?P<year>\d{{3,4}})\b", re.I),
    re.compile(rf"(?P<month>{_MONTH}),? (?P<year>\d{{3,4}})\b", re.I),
    re.compile(r"\b(?P<year>\d{4})\b"),
)
# A year with a day or a month right behind it.
_RUN_TOGETHER = re.compile(rf"(\d{{4}})(?=\d{{1,2}} (?:{_MONTH})|(?:{_MONTH}))", re.I)


def date_of(text: str, anywhere: str | None = None) -> Date | None:
    """The date that a text is; with `anywhere`, that date if the text holds it somewhere.

    >>> date_of("October 5, 1987"), date_of("5 October 1987"), date_of("1987"), date_of("Oslo 1987")
    ((1987, 10, 5), (1987, 10, 5), (1987, 0, 0), None)
    >>> date_of("He was born on 5 October 1987.", anywhere="October 5, 1987")
    (1987, 10, 5)
    """
    if anywhere is not None:
        wanted = date_of(anywhere)
        return wanted if wanted is not None and wanted in set(dates_in(text)) else None
    for shape in _SHAPES:
        found = shape.fullmatch(text.strip())
        if found is not None:
            return _read(found)
    return None


def dates_in(text: str) -> list[Date]:
    """Every date in a text; a full date is also there as its month and as its year."""
    found: list[Date] = []
    for shape in _SHAPES:
        found += [_read(match) for match in shape.finditer(text)]
    return [*found, *((year, month, 0) for year, month, _ in found), *((year, 0, 0) for year, _, _ in found)]


def dates_of(text: str) -> list[Date]:
    """The dates of a text in their order, each as exactly as it is given; two that have run together (the
    dash between them was lost) are two.

    >>> dates_of("5 May 1900 – June 1980"), dates_of("13 May 194018 January 1989")
    ([(1900, 5, 5), (1980, 6, 0)], [(1940, 5, 13), (1989, 1, 18)])
    """
    text = _RUN_TOGETHER.sub(r"\1 ", text)
    found: list[tuple[int, int, Date]] = []
    for shape in _SHAPES:
        for match in shape.finditer(text):
            if all(match.end() <= start or match.start() >= end for start, end, _ in found):
                found.append((match.start(), match.end(), _read(match)))
    return [date for _, _, date in sorted(found)]


def first_date(text: str) -> Date | None:
    """The date that stands first in a text.

    >>> first_date("Built in May 1842, sold on 3 June 1850.")
    (1842, 5, 0)
    """
    return next(iter(dates_of(text)), None)


def earlier(one: Date, other: Date) -> bool | None:
    """Whether one date is before another; None where that cannot be said from what is known.

    >>> earlier((1987, 10, 5), (1987, 0, 0)) is None, earlier((1900, 0, 0), (1987, 10, 5))
    (True, True)
    """
    for mine, theirs in zip(one, other, strict=True):
        if mine == 0 or theirs == 0:
            return None
        if mine != theirs:
            return mine < theirs
    return None


def _read(match: re.Match[str]) -> Date:
    parts = match.groupdict()
    month = MONTHS.index(parts["month"].lower()) + 1 if parts.get("month") else 0
    return int(parts["year"]), month, int(parts.get("day") or 0)
