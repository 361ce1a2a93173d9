"""Dates as English prose writes them."""

from __future__ import annotations

import re
from bisect import bisect_left

from probative.text.dates import MONTHS, Date

_MONTH = "|".join(MONTHS)
_SHAPES = (
    re.compile(rf"(?P<day>\d{{1,2}})(?:st|nd|rd|th)? (?P<month>{_MONTH}),? (?P<year>\d{{3,4}})\b", re.I),
    re.compile(rf"(?P<month>{_MONTH}) (?P<day>\d{{1,2}})(?:st|nd|rd|th)?,? (?P<year>\d{{3,4}})\b", re.I),
    re.compile(rf"(?P<month>{_MONTH}),? (?P<year>\d{{3,4}})\b", re.I),
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
_DOTTED_ERA = re.compile(r"\b(?:(B)\. ?C\.(?: ?E\.)?|A\. ?D\.)")
# A year followed directly by a day or a month: the dash between two dates was lost.
_RUN_TOGETHER = re.compile(rf"(\d{{4}})(?=\d{{1,2}} (?:{_MONTH})|(?:{_MONTH}))", re.I)


def date_of(text: str, anywhere: str | None = None) -> Date | None:
    """Return the date that the whole text is; with `anywhere`, that date if the text contains it.

    >>> date_of("October 5, 1987"), date_of("5 October 1987"), date_of("1987"), date_of("Oslo 1987")
    ((1987, 10, 5), (1987, 10, 5), (1987, 0, 0), None)
    >>> date_of("He was born on 5 October 1987.", anywhere="October 5, 1987")
    (1987, 10, 5)
    """
    if anywhere is not None:
        wanted = date_of(anywhere)
        return wanted if wanted is not None and wanted in set(_dates_at_any_precision(text)) else None
    for shape in _SHAPES:
        match = shape.fullmatch(text.strip())
        if match is not None:
            return _read(match)
    return None


def _dates_at_any_precision(text: str) -> list[Date]:
    """Return every date in a text; a full date also counts as its month and as its year."""
    dates = [_read(match) for shape in _SHAPES for match in shape.finditer(text)]
    return [*dates, *((year, month, 0) for year, month, _ in dates), *((year, 0, 0) for year, _, _ in dates)]


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
    for shape in (*_WITH_ERA, *_SHAPES):
        for match in shape.finditer(text):
            index = bisect_left(spans, match.span())
            before, behind = spans[index - 1][1] if index else 0, spans[index : index + 1]
            if before <= match.start() and all(match.end() <= start for start, _, _ in behind):
                spans.insert(index, (*match.span(), _read(match)))
    return spans


def plain_eras(text: str) -> str:
    """Return a text with its eras as `dates_in` reads them: without full stops, which end sentences.

    >>> plain_eras("He died in 44 B.C. in Rome, not in A.D. 44.")
    'He died in 44 BC in Rome, not in AD 44.'
    """
    return _DOTTED_ERA.sub(lambda era: "BC" if era.group(1) else "AD", text)


def first_date(text: str) -> Date | None:
    """Return the first date of a text.

    >>> first_date("Built in May 1842, sold on 3 June 1850.")
    (1842, 5, 0)
    """
    return next(iter(dates_in(text)), None)


def _read(match: re.Match[str]) -> Date:
    parts = match.groupdict()
    month = MONTHS.index(parts["month"].lower()) + 1 if parts.get("month") else 0
    year = int(parts["year"])
    return -year if parts.get("bc") is not None else year, month, int(parts.get("day") or 0)
