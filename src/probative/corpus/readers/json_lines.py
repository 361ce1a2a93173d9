"""Read JSON and JSON lines: each record is a section of the document."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from probative.corpus.document import Document
from probative.corpus.readers.decoding import decode
from probative.corpus.readers.file_content import FileContent
from probative.corpus.readers.text_builder import TextBuilder, document_of
from probative.errors import UnreadableError

_TITLES = ("title", "name", "heading", "subject")
_TEXTS = ("text", "content", "body", "passage", "abstract", "contents")
_BAD_LINES_SHOWN = 5
_MAX_DEPTH = 8


def read_json_lines(content: FileContent) -> Document:
    """Return the document of a JSON file. The text of a record is its field `text` (or `content`, `body`…)
    under its `title`; a record without such a field gives "field: value; field: value".

    A line that is no JSON is noted and left out; raises `UnreadableError` if none is JSON.
    """
    decoded = decode(content.data, content.source)
    builder = TextBuilder()
    bad: list[int] = []
    for record in _records(decoded.text, content, bad):
        _add_record(builder, record)
    notes = list(decoded.notes)
    if bad:
        shown = ", ".join(map(str, bad[:_BAD_LINES_SHOWN])) + ("…" if len(bad) > _BAD_LINES_SHOWN else "")
        notes.append(f"{len(bad)} lines are not JSON: {shown}")
    return document_of(content, builder.text, headings=builder.headings, title=content.path.stem, notes=notes)


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


def _add_record(builder: TextBuilder, record: Any) -> None:
    """Add one record as a section."""
    if not isinstance(record, Mapping):
        builder.paragraph(_flat(record))
        return
    title = next((str(record[key]) for key in _TITLES if isinstance(record.get(key), str)), "")
    text = next(
        (record[key] for key in _TEXTS if isinstance(record.get(key), str) and record[key].strip()), None
    )
    if text is None:
        builder.paragraph(_flat(record))
        return
    if title.strip():
        builder.heading(" ".join(title.split()), 2)
    builder.paragraph(text.strip())


def _flat(value: Any, depth: int = 0) -> str:
    """Return a value as text: the fields of an object by name, the items of a list one after the other.

    >>> _flat({"boat": "Gull", "berths": [4, 5], "crew": {"captain": "Ada"}, "note": None})
    'boat: Gull; berths: 4, 5; crew: (captain: Ada)'
    """
    if isinstance(value, Mapping):
        pairs = ((key, _flat(item, depth + 1)) for key, item in value.items()) if depth < _MAX_DEPTH else ()
        joined = "; ".join(f"{key}: {item}" for key, item in pairs if item)
        return f"({joined})" if depth and joined else joined
    if isinstance(value, list):
        items = (_flat(item, depth + 1) for item in value) if depth < _MAX_DEPTH else ()
        return ", ".join(item for item in items if item)
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "" if value is None else " ".join(str(value).split())
