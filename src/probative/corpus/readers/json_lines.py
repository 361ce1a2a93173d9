"""Read JSON and JSON lines: each record is a section of the document."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from probative.corpus.document import Document
from probative.corpus.readers.decoding import decode
from probative.corpus.readers.file_content import FileContent
from probative.corpus.readers.records import add_record, flat
from probative.corpus.readers.text_builder import TextBuilder, document_of
from probative.errors import UnreadableError

_BAD_LINES_SHOWN = 5


def read_json_lines(content: FileContent) -> Document:
    """Return the document of a JSON file. The text of a record is its field `text` (or `content`, `body`…)
    under its `title`, and its other fields are its metadata; a record without such a field gives
    "field: value; field: value". A field `date` (or `published`, `year`…) is the date of a record.

    A line that is no JSON is noted and left out; raises `UnreadableError` if none is JSON.
    """
    decoded = decode(content.data, content.source)
    builder = TextBuilder()
    bad: list[int] = []
    for record in _records(decoded.text, content, bad):
        if isinstance(record, Mapping):
            add_record(builder, record)
        else:
            builder.paragraph(flat(record))
    notes = list(decoded.notes)
    if bad:
        shown = ", ".join(map(str, bad[:_BAD_LINES_SHOWN])) + ("…" if len(bad) > _BAD_LINES_SHOWN else "")
        notes.append(
            f"line {shown} is not JSON" if len(bad) == 1 else f"{len(bad)} lines are not JSON: {shown}"
        )
    return document_of(
        content,
        builder.text,
        headings=builder.headings,
        records=builder.records,
        title=content.path.stem,
        notes=notes,
    )


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
