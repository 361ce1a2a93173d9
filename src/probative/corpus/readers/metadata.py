"""Titles and dates of documents from metadata and file names."""

from __future__ import annotations

import re
from pathlib import Path

from probative.corpus.readers.text_date import first_date, iso

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
