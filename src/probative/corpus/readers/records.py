"""Read JSON; the records of JSON and of tables have their own title, date, language and metadata."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from probative.corpus.documents.dates import iso_date, language_code
from probative.corpus.documents.document import Document, Record
from probative.corpus.readers.decoding import decode
from probative.corpus.readers.text_builder import FileContent, TextBuilder, document_of
from probative.errors import UnreadableError

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


_BAD_LINES_SHOWN = 5


def read_json_lines(content: FileContent) -> Document:
    """Return the document of a JSON file. The text of a record is its field `text` (or `content`, `body`…)
    under its `title`, and its other fields are its metadata; a record without such a field gives
    "field: value; field: value". A field `date` (or `published`, `year`…) is the date of a record.

    A line that is no JSON is noted and left out; raises `UnreadableError` if none is JSON.
    """
    text, notes = decode(content.data, content.source)
    builder = TextBuilder()
    bad: list[int] = []
    for record in _records(text, content, bad):
        if isinstance(record, Mapping):
            add_record(builder, record)
        else:
            builder.paragraph(flat(record))
    if bad:
        shown = ", ".join(map(str, bad[:_BAD_LINES_SHOWN])) + ("…" if len(bad) > _BAD_LINES_SHOWN else "")
        many = f"{len(bad)} lines are not JSON: {shown}"
        notes += (f"line {shown} is not JSON" if len(bad) == 1 else many,)
    return document_of(content, builder, title=content.path.stem, notes=notes)


def _records(text: str, content: FileContent, bad: list[int]) -> Iterator[Any]:
    """Yield the records of a file: the items of one list, one object, or one record a line."""
    try:
        whole = json.loads(text)
    except (ValueError, RecursionError):
        yield from _lines(text, content, bad)
        return
    yield from whole if isinstance(whole, list) else [whole]


def _lines(text: str, content: FileContent, bad: list[int]) -> Iterator[Any]:
    read = 0
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
        except (ValueError, RecursionError):
            bad.append(number)
            continue
        read += 1
        yield record
    if not read:
        raise UnreadableError("damaged", f"{content.source} has no line that is JSON")
