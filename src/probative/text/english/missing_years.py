"""Dates without a year in an English sentence, completed by the date of its document."""

from __future__ import annotations

import re

from probative.text.dates import MONTHS, Date

_MONTH = "|".join(MONTHS)
_ORDINAL = r"(?:st|nd|rd|th)?"
_NO_YEAR = r"(?!\s*,?\s*\d{3,4}\b)(?!\s+(?:to|and|until|or|-|–)\s+\d{1,2}\b)"
# "May" and "March" are also verbs, and months also adjectives: a month alone counts after a preposition.
_DATES = re.compile(
    rf"\b(?:(?P<day>\d{{1,2}}){_ORDINAL} (?P<month>{_MONTH})"
    rf"|(?P<first>{_MONTH}) (?P<second>\d{{1,2}}){_ORDINAL}"
    rf"|(?<=\bin )(?P<alone>{_MONTH})|(?<=\bsince )(?P<since>{_MONTH}))\b{_NO_YEAR}",
    re.IGNORECASE,
)


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

    return _DATES.sub(completed, text)


def _nearest_year(month: int, date: Date) -> int:
    year, own_month, _ = date
    if not own_month:
        return year
    return min((year, year - 1, year + 1), key=lambda tried: abs(12 * (tried - year) + month - own_month))
