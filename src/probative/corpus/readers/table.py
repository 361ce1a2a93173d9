"""Read tables (CSV, TSV): each row is one line, with the names of its columns."""

from __future__ import annotations

import csv
import io

from probative.corpus.document import Document
from probative.corpus.readers.decoding import decode
from probative.corpus.readers.file_content import FileContent
from probative.corpus.readers.metadata import title_from_name
from probative.corpus.readers.records import add_record, add_row, has_text_column
from probative.corpus.readers.table_rows import named_columns, row_sentence
from probative.corpus.readers.text_builder import TextBuilder, document_of
from probative.errors import UnreadableError

_SAMPLE = 2**14
_SEPARATORS = ",;\t|"
_MAX_CELL = 2**20


def read_table(content: FileContent) -> Document:
    """Return the document of a table. The first row names the columns if it looks like it.

    A row is one line with the names of its columns. If a column is called `text` (or `content`, `body`…), a
    row is a record as in JSON lines: its text under its title, with its other cells as metadata.
    """
    decoded = decode(content.data, content.source)
    separator = "\t" if content.suffix in (".tsv", ".tab") else _separator(decoded.text)
    csv.field_size_limit(_MAX_CELL)
    lines = csv.reader(io.StringIO(decoded.text, newline=""), delimiter=separator)
    try:
        rows = [row for row in lines if any(cell.strip() for cell in row)]
    except csv.Error as error:
        raise UnreadableError("damaged", f"line {lines.line_num} of {content.source}: {error}") from error
    builder = TextBuilder()
    header = named_columns(rows)
    names = [name.strip().lower() for name in header]
    are_records = has_text_column(names)
    for row in rows[1:] if header else rows:
        if are_records:
            add_record(builder, dict(zip(header, row, strict=False)))
        else:
            add_row(builder, row_sentence(header, row), dict(zip(names, row, strict=False)))
    return document_of(
        content,
        builder.text,
        headings=builder.headings,
        records=builder.records,
        title=title_from_name(content.path),
        notes=decoded.notes,
    )


def _separator(text: str) -> str:
    """Return the sign that separates cells: the one that most lines have equally often."""
    lines = [line for line in text[:_SAMPLE].splitlines() if line.strip()][:20]
    counts = {sign: [line.count(sign) for line in lines] for sign in _SEPARATORS}
    present = {sign: found for sign, found in counts.items() if found and min(found) > 0}
    return max(present, key=lambda sign: (-len(set(present[sign])), sum(present[sign])), default=",")
