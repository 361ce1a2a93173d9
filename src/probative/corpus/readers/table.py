"""Tables: their rows as text that can be read without the table around it, and the reader of CSV and TSV."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence
from itertools import pairwise

from probative.corpus.documents.dates import iso_date, title_from_name
from probative.corpus.documents.document import Document
from probative.corpus.readers.decoding import decode
from probative.corpus.readers.records import add_record, add_row, has_text_column
from probative.corpus.readers.text_builder import FileContent, TextBuilder, document_of
from probative.errors import UnreadableError

# Headers longer than this are sentences, not names of columns.
_MAX_HEADER = 60
# Rows below the first that a name with a digit is compared with.
_COMPARED = 50
_NUMBER = re.compile(r"[\W_]*\d.*|[A-Z]{3}\s*\d[\d.,'’\s]*", re.DOTALL)
_CODE = re.compile(r"(?=\D*\d)[^\W\d][\w.-]*")
_YEAR = len("2026")
_YEAR_COLUMN = re.compile(r"(?:19|20)\d\d")


def add_table(builder: TextBuilder, rows: Sequence[Sequence[str]], *, has_header: bool | None = None) -> None:
    r"""Add each row of a table as a paragraph, with the name of the column before each value.

    `has_header` says whether the first row names the columns; None decides by its cells.

    >>> builder = TextBuilder()
    >>> add_table(builder, [["Route", "Fare"], ["Harbour", "3.20"], ["Island", "5.00"]], has_header=True)
    >>> add_table(builder, [["Harbour", "3.20"]], has_header=False)
    >>> builder.text
    'Route: Harbour; Fare: 3.20\n\nRoute: Island; Fare: 5.00\n\nHarbour | 3.20'
    """
    header = named_columns(rows, has_header=has_header)
    for row in rows[1:] if header else rows:
        add_cells(builder, header, row)


def add_cells(builder: TextBuilder, header: Sequence[str], row: Sequence[str]) -> None:
    """Add one row of a table as a paragraph."""
    line = row_sentence(header, row)
    builder.paragraph(line)
    if line:
        note_cells(builder, header, row)


def note_cells(builder: TextBuilder, header: Sequence[str], row: Sequence[str]) -> None:
    """Note that the last block is the sentence of a row; one cell without a name is a paragraph."""
    names, cells = _names_and_cells(header, row)
    if len(cells) > 1:
        builder.row(names, cells)


def spanned(text: str, columns: str | None) -> list[str]:
    """Return a cell that covers several columns as that many cells.

    >>> spanned("Fares", "2"), spanned("Fares", None)
    (['Fares', ''], ['Fares'])
    """
    return [text, *[""] * (min(int(columns), 50) - 1 if columns and columns.isdigit() else 0)]


def named_columns(rows: Sequence[Sequence[str]], *, has_header: bool | None = None) -> Sequence[str]:
    """Return the names of the columns, which are the first row; nothing if a table has none.

    >>> named_columns([["Route", "Fare"], ["Harbour", "3.20"]]), named_columns([["Harbour", "3.20"]])
    (['Route', 'Fare'], ())
    """
    if len(rows) < 2 or len(rows[0]) < 2:
        return ()
    named = looks_like_header(rows) if has_header is None else has_header
    return rows[0] if named else ()


def row_sentence(header: Sequence[str], row: Sequence[str]) -> str:
    """Return one row as a line. A cell without text is left out, or keeps its place if columns have no names.

    >>> row_sentence(["boat", "berth", "fee"], ["Gull", "", "3.20"]), row_sentence((), ["Gull", "", "3.20"])
    ('boat: Gull; fee: 3.20', 'Gull |  | 3.20')
    """
    return "".join(before + cell for before, cell in row_pieces(header, row))


def row_pieces(header: Sequence[str], row: Sequence[str]) -> list[tuple[str, str]]:
    """Return the cells of a row, each with what stands before it in the line of the row.

    >>> row_pieces(["boat", "", "fee"], ["Gull", "sold", ""])
    [('boat: ', 'Gull'), ('; ', 'sold')]
    """
    names, cells = _names_and_cells(header, row)
    if not header:
        return [(" | " if at else "", cell) for at, cell in enumerate(cells)]
    leads = [(f"{name}: " if name else "", cell) for name, cell in zip(names, cells, strict=False) if cell]
    return [("; " + lead if at else lead, cell) for at, (lead, cell) in enumerate(leads)]


def _names_and_cells(header: Sequence[str], row: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return the names of columns and the cells of a row as `row_sentence` writes them."""
    cells = [" ".join(cell.split()) for cell in row]
    if not header:
        while cells and not cells[-1]:
            cells.pop()
        return [], cells
    names = [*header, *([""] * (len(cells) - len(header)))]
    return [name.strip().rstrip(":") for name in names], cells


def looks_like_header(rows: Sequence[Sequence[str]]) -> bool:
    """Return whether the first row names the columns: full, short, different cells that are no values.

    Years name columns if they follow one another.

    >>> looks_like_header([["plot", "size_m2"], ["A7", "120"]]), looks_like_header([["A7", "x"], ["B2", "y"]])
    (True, False)
    >>> looks_like_header([["rope", "2025", "2026"], ["hemp", "3.20", "3.50"]])
    True
    """
    first = [cell.strip() for cell in rows[0]]
    filled = [cell for cell in first if cell]
    years = [int(cell) for cell in filled if _YEAR_COLUMN.fullmatch(cell)]
    are_years = len(years) > 1 and {after - year for year, after in pairwise(years)} in ({1}, {-1})
    return (
        len(rows) > 1
        and len(filled) >= max(2, len(first) - 1)
        and len(set(filled)) == len(filled)
        and all(len(cell) <= _MAX_HEADER for cell in filled)
        and all(
            _is_name(cell, _below(rows, column))
            for column, cell in enumerate(first)
            if cell and not (_YEAR_COLUMN.fullmatch(cell) and are_years)
        )
    )


def _below(rows: Sequence[Sequence[str]], column: int) -> list[str]:
    """Return the cells with text below the first of a column."""
    cells = (row[column].strip() for row in rows[1 : _COMPARED + 1] if column < len(row))
    return [cell for cell in cells if cell]


def _is_name(cell: str, below: Sequence[str]) -> bool:
    """Return whether a cell may be the name of a column with the cells below it.

    One with a digit is a name if it is no value itself and unlike the column: "size_m2" above numbers.
    """
    if not any(sign.isdigit() for sign in cell):
        return True
    if is_value(cell):
        return False
    if below and all(is_value(other) for other in below):
        return True
    return _CODE.fullmatch(cell) is not None and not any(_CODE.fullmatch(other) for other in below)


def is_value(cell: str) -> bool:
    """Return whether a cell is a number, with its unit or currency, or a date.

    >>> [is_value(cell) for cell in ("3,200 kg", "EUR 5", "May 2026", "Q1 2026", "size_m2", "fee 2026")]
    [True, True, True, False, False, False]
    """
    if _NUMBER.fullmatch(cell):
        return True
    words = re.findall(r"[^\W\d_]+", cell)
    return len(words) <= 1 and len(iso_date(cell) or "") > _YEAR


_SAMPLE = 2**14
_SEPARATORS = ",;\t|"
_MAX_CELL = 2**20


def read_table(content: FileContent) -> Document:
    """Return the document of a table. The first row names the columns if it looks like it.

    A row is one line with the names of its columns. If a column is called `text` (or `content`, `body`…), a
    row is a record as in JSON lines: its text under its title, with its other cells as metadata.
    """
    text, notes = decode(content.data, content.source)
    separator = "\t" if content.suffix in (".tsv", ".tab") else _separator(text)
    csv.field_size_limit(_MAX_CELL)
    lines = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
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
            line = row_sentence(header, row)
            add_row(builder, line, dict(zip(names, row, strict=False)))
            if line:
                note_cells(builder, header, row)
    return document_of(content, builder, title=title_from_name(content.path), notes=notes)


def _separator(text: str) -> str:
    """Return the sign that separates cells: the one that most lines have equally often."""
    lines = [line for line in text[:_SAMPLE].splitlines() if line.strip()][:20]
    counts = {sign: [line.count(sign) for line in lines] for sign in _SEPARATORS}
    present = {sign: per_line for sign, per_line in counts.items() if per_line and min(per_line) > 0}
    return max(present, key=lambda sign: (-len(set(present[sign])), sum(present[sign])), default=",")
