"""Titles and dates of documents from metadata and file names."""

from __future__ import annotations

import re
from datetime import date as calendar_date
from pathlib import Path

from probative.text.analyzer import analyzer_for

_ISO = re.compile(r"(?P<year>\d{4})(?:-(?P<month>\d{2})(?:-(?P<day>\d{2}))?)?(?![\d-])")
_IN_NAME = re.compile(
    r"(?<!\d)(?P<year>(?:19|20)\d\d)(?:[-_.]?(?P<month>[01]\d)(?:[-_.]?(?P<day>[0-3]\d))?)?(?!\d)"
)
_MAX_LENGTH = 60


def iso_date(text: str) -> str | None:
    """Return the first date of a text as YYYY, YYYY-MM or YYYY-MM-DD; None if it has none.

    >>> iso_date("2026-05-03T10:00:00Z"), iso_date("3 May 2026"), iso_date("May 2026"), iso_date("soon")
    ('2026-05-03', '2026-05-03', '2026-05', None)
    """
    text = text.strip()
    match = _ISO.match(text)
    if match is not None:
        return _written(match["year"], match["month"], match["day"])
    parsed = analyzer_for("en").dates_in(text[:_MAX_LENGTH])
    if not parsed or parsed[0][0] < 1000:
        return None
    year, month, day = parsed[0]
    return _written(f"{year}", f"{month:02}" if month else None, f"{day:02}" if day else None)


def date_in_name(name: str) -> str | None:
    """Return the first date in the name of a file.

    >>> date_in_name("2026-05-03 minutes"), date_in_name("report_202605"), date_in_name("route 20260")
    ('2026-05-03', '2026-05', None)
    """
    for match in _IN_NAME.finditer(name):
        written = _written(match["year"], match["month"], match["day"])
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


def _written(year: str, month: str | None, day: str | None) -> str | None:
    try:
        calendar_date(int(year), int(month or 1), int(day or 1))
    except ValueError:
        return None
    return "-".join(part for part in (year, month, day if month else None) if part)
