"""Records of JSON and of tables: their text, and their own title, date, language and metadata."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from probative.corpus.document import Record
from probative.corpus.readers.metadata import iso_date, language_code
from probative.corpus.readers.text_builder import TextBuilder

_TITLES = ("title", "name", "heading", "subject")
_TEXTS = ("text", "content", "body", "passage", "abstract", "contents")
# The most telling name first: a record may have a day and a year.
_DATES = (
    "date", "published", "published_at", "publication_date", "created", "created_at", "datetime",
    "timestamp", "day", "month", "year",
)  # fmt: skip
_LANGUAGES = ("language", "lang")
# A longer value is text, not something to filter by.
_MAX_VALUE = 200
_MAX_DEPTH = 8


def has_text_column(names: list[str]) -> bool:
    """Return whether the rows of a table with these columns are records with a text.

    >>> has_text_column(["id", "Title", "Text"]), has_text_column(["boat", "berth"])
    (True, False)
    """
    return any(name.strip().lower() in _TEXTS for name in names)


def add_record(builder: TextBuilder, fields: Mapping[str, Any]) -> None:
    """Add a record: its text under its title as a section, or all its fields as one line."""
    named = {str(name).strip().lower(): value for name, value in fields.items()}
    text = _first_text(named, _TEXTS)
    if not text:
        add_row(builder, flat(fields), named)
        return
    title = " ".join(_first_text(named, _TITLES).split())
    start = builder.next_offset
    builder.heading(title, 2)
    builder.paragraph(text)
    others = {
        str(name): " ".join(str(value).split())
        for name, value in fields.items()
        if str(name).strip().lower() not in (*_TEXTS, *_DATES, *_LANGUAGES) and _is_short(value)
    }
    builder.records.append(
        Record(
            start=start,
            end=builder.length,
            date=date_of(named),
            language=_language(named),
            metadata={name: value for name, value in others.items() if value},
        )
    )


def add_row(builder: TextBuilder, line: str, named: Mapping[str, Any]) -> None:
    """Add a row as one line, with its date if one of its fields is one."""
    if not line:
        return
    start = builder.next_offset
    builder.paragraph(line)
    date = date_of(named)
    # After a section, a row without a date is a record, too: it does not belong to the section.
    if date is not None or builder.headings:
        builder.records.append(Record(start=start, end=builder.length, date=date, row=True))


def date_of(named: Mapping[str, Any]) -> str | None:
    """Return the date of a record, whose names are in lower case.

    >>> date_of({"boat": "Gull", "day": "3 May 2026", "year": 2026}), date_of({"date": "soon"})
    ('2026-05-03', None)
    """
    values = (named[name] for name in _DATES if isinstance(named.get(name), str | int))
    return next((date for value in values if (date := iso_date(str(value))) is not None), None)


def flat(value: Any, depth: int = 0) -> str:
    """Return a value as text: the fields of an object by name, the items of a list one after the other.

    >>> flat({"boat": "Gull", "berths": [4, 5], "crew": {"captain": "Ada"}, "note": None})
    'boat: Gull; berths: 4, 5; crew: (captain: Ada)'
    """
    if isinstance(value, Mapping):
        pairs = ((key, flat(item, depth + 1)) for key, item in value.items()) if depth < _MAX_DEPTH else ()
        joined = "; ".join(f"{key}: {item}" for key, item in pairs if item)
        return f"({joined})" if depth and joined else joined
    if isinstance(value, list):
        items = (flat(item, depth + 1) for item in value) if depth < _MAX_DEPTH else ()
        return ", ".join(item for item in items if item)
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "" if value is None else " ".join(str(value).split())


def _first_text(named: Mapping[str, Any], names: tuple[str, ...]) -> str:
    texts = (named[name].strip() for name in names if isinstance(named.get(name), str))
    return next((text for text in texts if text), "")


def _language(named: Mapping[str, Any]) -> str | None:
    codes = (language_code(str(named[name])) for name in _LANGUAGES if named.get(name))
    return next((code for code in codes if code), None)


def _is_short(value: Any) -> bool:
    return isinstance(value, str | int | float) and len(str(value)) <= _MAX_VALUE
