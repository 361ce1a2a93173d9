"""Read tables (CSV, TSV): each row is one line, with the names of its columns."""

from __future__ import annotations

import csv
import io

from probative.corpus.document import Document
from probative.corpus.readers.decoding import decode
from probative.corpus.readers.file_content import FileContent
from probative.corpus.readers.table_rows import row_sentences
from probative.corpus.readers.text_builder import TextBuilder, document_of
from probative.errors import UnreadableError

_SAMPLE = 2**14
_SEPARATORS = ",;\t|"
_MAX_CELL = 2**20


def read_table(content: FileContent) -> Document:
    """Return the document of a table. The first row names the columns if it looks like it."""
    decoded = decode(content.data, content.source)
    separator = "\t" if content.suffix in (".tsv", ".tab") else _separator(decoded.text)
    csv.field_size_limit(_MAX_CELL)
    lines = csv.reader(io.StringIO(decoded.text, newline=""), delimiter=separator)
    try:
        rows = [row for row in lines if any(cell.strip() for cell in row)]
    except csv.Error as error:
        raise UnreadableError("damaged", f"line {lines.line_num} of {content.source}: {error}") from error
    builder = TextBuilder()
    for sentence in row_sentences(rows):
        builder.paragraph(sentence)
    return document_of(content, builder.text, notes=decoded.notes)


def _separator(text: str) -> str:
    """Return the sign that separates cells: the one that most lines have equally often."""
    lines = [line for line in text[:_SAMPLE].splitlines() if line.strip()][:20]
    counts = {sign: [line.count(sign) for line in lines] for sign in _SEPARATORS}
    present = {sign: found for sign, found in counts.items() if found and min(found) > 0}
    return max(present, key=lambda sign: (-len(set(present[sign])), sum(present[sign])), default=",")
