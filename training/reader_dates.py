"""Dates as Wikipedia writes them, so that two can be compared."""

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
