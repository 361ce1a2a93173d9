"""Dates, titles and languages of documents: from the text itself, from metadata and from file names."""

from __future__ import annotations

import re
from datetime import date as calendar_date
from pathlib import Path

from probative.text.dates import MONTHS

# Statements of a document about itself stand at its head, and a signature at its end.
_HEAD, _TAIL = 3_000, 1_500
_MAX_LINES = 15
_WHOLE = len("3.4.2026")
_NAMES = "|".join(rf"{month[:3]}(?:{month[3:]}|{month[3:4]})?\.?" for month in MONTHS)
_YEAR, _DAY = r"(?P<year>[12]\d{3})", r"(?P<day>[0-3]?\d)"
_WEEKDAY = r"(?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]{0,6}\.?,?\s+)?"
_SHAPES = tuple(
    re.compile(rf"(?<![\w.,/-]){shape}(?![\w-]|[.,/]\d)", re.IGNORECASE)
    for shape in (
        rf"{_YEAR}-(?P<month>[01]?\d)-{_DAY}(?:[T ]\d\d:?\d\d\S*)?",
        rf"{_YEAR}/(?P<month>[01]?\d)/{_DAY}",
        rf"{_DAY}(?:st|nd|rd|th|\.)?(?: day)?(?: of)?[ -](?P<name>{_NAMES}),?[ -]{_YEAR}",
        rf"(?P<name>{_NAMES}) {_DAY}(?:st|nd|rd|th)?,? {_YEAR}",
        rf"{_DAY}\. ?(?P<month>[01]?\d)\. ?{_YEAR}",
        rf"(?P<one>[0-3]?\d)(?P<sign>[/-])(?P<two>[0-3]?\d)(?P=sign){_YEAR}",
        rf"{_YEAR}-(?P<month>[01]\d)",
        rf"(?P<name>{_NAMES}),? {_YEAR}",
        _YEAR,
    )
)
_VERB = (
    r"(?:signed|dated|issued|published|adopted|executed|concluded|posted|released|written|made|entered into)"
)
_LINE = r"^(?:[^\w\n]|_)*"
_FLAGS = re.IGNORECASE | re.MULTILINE
_LABEL = re.compile(
    rf"{_LINE}(?:date|dated|datum|fecha|data)(?: of (?:the )?(?:meeting|issue|publication|signing|signature|"
    r"decision|report|letter|document))?\b"
    r"(?=(?:[^\w\n]|_)*(?:\n\s*)?(?:[a-z]{3,9}\.?,? )?(?:[a-z]{3,9}\.? )?\d)",
    _FLAGS,
)
_NEXT = r"\b(?= of\b|[ \t]*[,:;–—|\n-]| \d)"
_MINUTES = re.compile(rf"{_LINE}(?:[^\W\d]+ ){{0,5}}minutes{_NEXT}", _FLAGS)
_MEETING = re.compile(rf"{_LINE}(?:[^\W\d]+ ){{0,5}}(?:minutes|meeting|letter|memo){_NEXT}", _FLAGS)
_SIGNED = (
    re.compile(rf"{_LINE}{_VERB}\b", _FLAGS),
    re.compile(rf"\bthis\s+(?:[\w-]+\s+){{1,8}}?{_VERB}\b", _FLAGS),
)
_SUBJECT_SIGNED = re.compile(
    rf"\bthe\s+(?P<noun>[\w-]+)\s+(?:is|was|has been)\s+(?:\w+\s+)?{_VERB}\b", _FLAGS
)
# What may stand between a statement and its date: a place, the parties, "on the"; no other sentence.
_GAP = re.compile(r"(?:[^.!?\d]|[.!?](?!\s)){0,100}", re.DOTALL)
_DATELINE = re.compile(
    r"(?:[^\w\n]|_)*(?:[A-Z][\w'-]+(?: [A-Z][\w'-]+){0,2}, )?(?:the )?"
    rf"(?P<rest>{_WEEKDAY}\S[^\n]{{5,30}}?)(?:[^\w\n]|_)*"
)


def first_date(text: str) -> str | None:
    """Return the first date of a text as YYYY, YYYY-MM or YYYY-MM-DD; None if it has none.

    Only the year is read of a date such as 03/04/2026, which is in March or in April.

    >>> [first_date(text) for text in ("Date: 2026-05-03", "3rd of May, 2026", "31/12/2026", "03/04/2026")]
    ['2026-05-03', '2026-05-03', '2026-12-31', '2026']
    """
    span = _first(text)
    return None if span is None else span[1]


def date_of_text(text: str, title: str = "") -> str | None:
    r"""Return the date that a document states about itself; None if it states none.

    The date of an event in the text ("The bridge was opened on 3 May 2026") is not that of the document.
    """
    head, tail = text[:_HEAD], text[_HEAD:][-_TAIL:]
    if (date := _after(_LABEL, head, whole=False)) is not None:
        return date
    if (date := _after(_MEETING, title) or _after(_MINUTES, head)) is not None:
        return date
    for part in (head, tail):
        for pattern in _SIGNED:
            if (date := _after(pattern, part)) is not None:
                return date
        for match in _SUBJECT_SIGNED.finditer(part):
            if re.search(rf"\b{re.escape(match['noun'])}", title, re.IGNORECASE):
                return _date_at(part, match.end())
    return _dateline(head)


def _after(pattern: re.Pattern[str], text: str, *, whole: bool = True) -> str | None:
    """Return the first date that follows a match of a pattern."""
    dates = (_date_at(text, match.end(), whole=whole) for match in pattern.finditer(text))
    return next((date for date in dates if date is not None), None)


def _date_at(text: str, position: int, *, whole: bool = True) -> str | None:
    """Return the date that a statement leads to; `whole` dates are more than a year."""
    piece = text[position : position + 150]
    span = _first(piece)
    if span is None or not _GAP.fullmatch(piece, 0, span[0]):
        return None
    return span[1] if not whole or span[2] - span[0] >= _WHOLE else None


def _dateline(head: str) -> str | None:
    """Return the date of the one line at the head that has nothing else, but perhaps a place."""
    dates = set()
    for line in head.splitlines()[:_MAX_LINES]:
        match = _DATELINE.fullmatch(line)
        rest = "" if match is None else re.sub(rf"^{_WEEKDAY}", "", match["rest"], flags=re.IGNORECASE)
        span = _first(rest)
        if span is not None and span[0] == 0 and span[2] == len(rest) >= _WHOLE:
            dates.add(span[1])
    return dates.pop() if len(dates) == 1 else None


def _first(text: str) -> tuple[int, str, int] | None:
    """Return where the first date of a text starts, the date, and where it ends."""
    matches = []
    for shape in _SHAPES:
        for match in shape.finditer(text):
            if (date := _written(match)) is not None:
                matches.append((match.start(), -match.end(), date))
                break
    if not matches:
        return None
    start, end, date = min(matches)
    return start, date, -end


def _written(match: re.Match[str]) -> str | None:
    """Return the date of a match; None if the calendar does not have it."""
    parts = match.groupdict()
    year, day = int(parts["year"]), int(parts.get("day") or 0)
    month = int(parts.get("month") or 0)
    if parts.get("name"):
        month = next(at for at, name in enumerate(MONTHS, 1) if name[:3] == parts["name"][:3].lower())
    if parts.get("one"):
        first, second = int(parts["one"]), int(parts["two"])
        if first > 12 or first == second:
            day, month = first, second
        elif second > 12:
            day, month = second, first
    return iso(year, month, day)


def iso(year: int, month: int = 0, day: int = 0) -> str | None:
    """Return a date as YYYY, YYYY-MM or YYYY-MM-DD; None if the calendar does not have it.

    >>> iso(2026, 5, 3), iso(2026, 5), iso(2026), iso(2026, 13)
    ('2026-05-03', '2026-05', '2026', None)
    """
    try:
        calendar_date(year, month or 1, day or 1)
    except ValueError:
        return None
    return "-".join(
        (f"{year:04}", *([f"{month:02}"] if month else []), *([f"{day:02}"] if month and day else []))
    )


_IN_NAME = re.compile(
    r"(?<!\d)(?P<year>(?:19|20)\d\d)(?:[-_.]?(?P<month>[01]\d)(?:[-_.]?(?P<day>[0-3]\d))?)?(?!\d)"
)
_MAX_LENGTH = 60


def iso_date(text: str) -> str | None:
    """Return the first date of a text as YYYY, YYYY-MM or YYYY-MM-DD; None if it has none.

    >>> iso_date("2026-05-03T10:00:00Z"), iso_date("3 May 2026"), iso_date("May 2026"), iso_date("soon")
    ('2026-05-03', '2026-05-03', '2026-05', None)
    """
    return first_date(text.strip()[:_MAX_LENGTH])


def date_in_name(name: str) -> str | None:
    """Return the first date in the name of a file.

    >>> date_in_name("2026-05-03 minutes"), date_in_name("report_202605"), date_in_name("route 20260")
    ('2026-05-03', '2026-05', None)
    """
    for match in _IN_NAME.finditer(name):
        written = iso(int(match["year"]), int(match["month"] or 0), int(match["day"] or 0))
        if written is not None:
            return written
    return None


def title_from_name(path: Path) -> str:
    """Return a title from the name of a file.

    >>> title_from_name(Path("annual_report-2026.pdf"))
    'annual report-2026'
    """
    return " ".join(path.stem.replace("_", " ").split()) or path.name


def language_code(tag: str) -> str:
    """Return the ISO 639-1 code of a language tag; "" if it is none.

    >>> language_code("de-AT"), language_code("EN"), language_code("Klingon")
    ('de', 'en', '')
    """
    code = tag.strip().lower().replace("_", "-").split("-")[0]
    return code if len(code) == 2 and code.isascii() and code.isalpha() else ""
