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
"""Year, month and day; what is not said is 0. A year BC is negative: 44 BC is -44."""

_MONTH = "|".join(MONTHS)
_SHAPES = (
    re.compile(rf"(?P<day>\d{{1,2}})(?:st|nd|rd|th)? (?P<month>{_MONTH}),? (?P<year>\d{{3,4}})\b", re.I),
    re.compile(rf"(?P<month>{_MONTH}) (?P<day>\d{{1,2}})(?:st|nd|rd|th)?,? (?P<year>\d{{3,4}})\b", re.I),
    re.compile(rf"(?P<month>{_MONTH}),? (?P<year>\d{{3,4}})\b", re.I),
    re.compile(r"\b(?P<year>\d{4})\b"),
)
# Years with their era, which may have few digits. Of "106–43 BC" both are BC.
_BEFORE_YEAR = rf"(?<![\d,./])(?:(?:(?P<day>\d{{1,2}}) )?(?P<month>{_MONTH}),? )?"
_BC = r"(?-i:BCE?\b)"
_WITH_ERA = (
    re.compile(
        rf"{_BEFORE_YEAR}(?P<year>\d{{1,4}})"
        rf"(?P<bc> ?{_BC}|(?=\s*[–—-]\s*(?:\d{{1,2}} )?(?:(?:{_MONTH}) )?\d{{1,4}} ?{_BC}))",
        re.I,
    ),
    re.compile(rf"{_BEFORE_YEAR}(?-i:AD) ?(?P<year>\d{{1,4}})\b", re.I),
    re.compile(rf"{_BEFORE_YEAR}(?P<year>\d{{1,4}}) ?(?-i:AD|CE)\b", re.I),
)
_DOTTED_ERA = re.compile(r"\b(?:(B)\. ?C\.(?: ?E\.)?|A\. ?D\.)")
# Nobody known has lived longer: what says so has been misread.
OLDEST = 123
# Of a year: months are not all of one length.
_DAYS_OFF = 0.02
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
    >>> dates_of("106–43 BC"), dates_of("23 September 63 BC – 19 August AD 14")
    ([(-106, 0, 0), (-43, 0, 0)], [(-63, 9, 23), (14, 8, 19)])
    """
    text = _RUN_TOGETHER.sub(r"\1 ", text)
    found: list[tuple[int, int, Date]] = []
    for shape in (*_WITH_ERA, *_SHAPES):
        for match in shape.finditer(text):
            if all(match.end() <= start or match.start() >= end for start, end, _ in found):
                found.append((match.start(), match.end(), _read(match)))
    return [date for _, _, date in sorted(found)]


def plain_eras(text: str) -> str:
    """A text with its eras as `dates_of` reads them: without full stops, which end a sentence elsewhere.

    >>> plain_eras("He died in 44 B.C. in Rome, not in A.D. 44.")
    'He died in 44 BC in Rome, not in AD 44.'
    """
    return _DOTTED_ERA.sub(lambda era: "BC" if era.group(1) else "AD", text)


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


def longer(one: tuple[Date, Date], other: tuple[Date, Date]) -> bool | None:
    """Whether one life, from birth to death, was longer than another; None where the dates are too rough to
    say so, or are those of no life.

    >>> longer(((1900, 5, 5), (1980, 6, 0)), ((1911, 0, 0), (1991, 0, 0)))
    >>> longer(((-106, 1, 3), (-43, 12, 7)), ((-100, 7, 12), (-44, 3, 15)))
    True
    """
    (least, most), (other_least, other_most) = _years_lived(*one), _years_lived(*other)
    if min(least, other_least) < 0 or max(most, other_most) >= OLDEST:
        return None
    if least > other_most + _DAYS_OFF:
        return True
    return False if most < other_least - _DAYS_OFF else None


def _years_lived(birth: Date, death: Date) -> tuple[float, float]:
    """The least and the most years from one date to another."""
    (born_from, born_until), (died_from, died_until) = _span(birth), _span(death)
    return died_from - born_until, died_until - born_from


def _span(date: Date) -> tuple[float, float]:
    """The first and the last moment of a date, in years; there was no year 0.

    >>> _span((1900, 7, 0)), _span((-1, 0, 0))
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


def _read(match: re.Match[str]) -> Date:
    parts = match.groupdict()
    month = MONTHS.index(parts["month"].lower()) + 1 if parts.get("month") else 0
    year = int(parts["year"])
    return -year if parts.get("bc") is not None else year, month, int(parts.get("day") or 0)
