"""Dates as English prose writes them: their places, their verbs, and years that are left out."""

from __future__ import annotations

import re
from bisect import bisect_left

from probative.text.dates import MONTHS, Date

_MONTH = "|".join(MONTHS)
_DAY = r"(?P<day>[12]\d|3[01]|0?[1-9])(?:st|nd|rd|th)?"
SHAPES = (
    re.compile(rf"\b{_DAY} (?P<month>{_MONTH}),? (?P<year>\d{{3,4}})\b", re.I),
    re.compile(rf"\b(?P<month>{_MONTH}) {_DAY},? (?P<year>\d{{3,4}})\b", re.I),
    re.compile(rf"\b(?P<month>{_MONTH}),? (?P<year>\d{{3,4}})\b", re.I),
    re.compile(r"\b(?P<year>\d{4})\b"),
)
# Years with an era may have few digits. In "106–43 BC" both are BC.
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
# A year followed directly by a day or a month: the dash between two dates was lost.
_RUN_TOGETHER = re.compile(rf"(?i)(\d{{4}})(?=\d{{1,2}} (?:{_MONTH})|(?:{_MONTH}))")
_ORDINAL = r"(?:st|nd|rd|th)?"
_NO_YEAR = r"(?!\s*,?\s*\d{3,4}\b)(?!\s+(?:to|and|until|or|-|–)\s+\d{1,2}\b)"
# "May" and "March" are also verbs, and months also adjectives: a month alone counts after a preposition.
_WITHOUT_YEAR = re.compile(
    rf"(?i)\b(?:(?P<day>\d{{1,2}}){_ORDINAL} (?P<month>{_MONTH})"
    rf"|(?P<first>{_MONTH}) (?P<second>\d{{1,2}}){_ORDINAL}"
    rf"|(?<=\bin )(?P<alone>{_MONTH})|(?<=\bsince )(?P<since>{_MONTH}))\b{_NO_YEAR}"
)


def dates_in(text: str) -> list[Date]:
    """Return the dates of a text in their order, each as exact as the text gives it. Two dates without the
    dash between them are still two.

    >>> dates_in("5 May 1900 – June 1980"), dates_in("13 May 194018 January 1989")
    ([(1900, 5, 5), (1980, 6, 0)], [(1940, 5, 13), (1989, 1, 18)])
    >>> dates_in("106–43 BC"), dates_in("23 September 63 BC – 19 August AD 14")
    ([(-106, 0, 0), (-43, 0, 0)], [(-63, 9, 23), (14, 8, 19)])
    """
    return [date for _, _, date in date_spans(_RUN_TOGETHER.sub(r"\1 ", text))]


def date_spans(text: str) -> list[tuple[int, int, Date]]:
    """Return the dates of a text in their order, each with its first character and the one behind it.

    >>> date_spans("In May 1900.")
    [(3, 11, (1900, 5, 0))]
    """
    spans: list[tuple[int, int, Date]] = []
    for shape in (*_WITH_ERA, *SHAPES):
        for match in shape.finditer(text):
            index = bisect_left(spans, match.span())
            before, behind = spans[index - 1][1] if index else 0, spans[index : index + 1]
            if before <= match.start() and all(match.end() <= start for start, _, _ in behind):
                spans.insert(index, (*match.span(), read_date(match)))
    return spans


def read_date(match: re.Match[str]) -> Date:
    """Return the date that a shape matched."""
    parts = match.groupdict()
    month = MONTHS.index(parts["month"].lower()) + 1 if parts.get("month") else 0
    year = int(parts["year"])
    return -year if parts.get("bc") is not None else year, month, int(parts.get("day") or 0)


def with_years(text: str, date: Date) -> str:
    """Return a sentence whose days and months have a year: the one that brings them nearest to `date`.

    >>> with_years("On 6 February a fire broke out.", (2025, 2, 24))
    'On 6 February 2025 a fire broke out.'
    >>> with_years("It was ordered on December 9 and came in March.", (2025, 1, 21))
    'It was ordered on December 9, 2024 and came in March 2025.'
    >>> with_years("We open on 1 May 2024.", (2023, 0, 0)), with_years("In May it may rain.", (2023, 0, 0))
    ('We open on 1 May 2024.', 'In May 2023 it may rain.')
    """

    def completed(match: re.Match[str]) -> str:
        name = next(filter(None, (match[group] for group in ("month", "first", "alone", "since"))))
        if not name[:1].isupper():
            return match[0]
        year = _nearest_year(MONTHS.index(name.lower()) + 1, date)
        return f"{match[0]}, {year}" if match["first"] else f"{match[0]} {year}"

    return _WITHOUT_YEAR.sub(completed, text)


def _nearest_year(month: int, date: Date) -> int:
    year, own_month, _ = date
    if not own_month:
        return year
    return min((year, year - 1, year + 1), key=lambda tried: abs(12 * (tried - year) + month - own_month))
