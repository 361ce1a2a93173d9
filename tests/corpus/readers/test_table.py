"""Rows of tables keep where their cells stand in the text."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from probative.corpus.documents.document import Document
from probative.corpus.readers.table import add_table, read_table
from probative.corpus.readers.text_builder import FileContent, TextBuilder

WORD = st.text("ab:;| \n😀", max_size=5)


def cells_of(document: Document | TextBuilder) -> list[list[str]]:
    """Return the cells of all tables, found by their lengths alone."""
    found = []
    for table in document.tables:
        at = table.start
        for lengths in table.rows:
            row: list[str] = []
            end = at
            for column, length in enumerate(lengths):
                name = table.names[column] if table.names else ""
                if table.names and not length:
                    row.append("")
                    continue
                before = ("; " if any(row) else "") if table.names else (" | " if column else "")
                start = end + len(before) + (len(name) + 2 if name else 0)
                assert document.text[end:start] == before + (f"{name}: " if name else "")
                end = start + length
                row.append(document.text[start:end])
            found.append(row)
            assert document.text[end : end + 2] in ("\n\n", "")
            at = end + 2
    return found


@given(st.lists(st.lists(WORD, min_size=2, max_size=4), max_size=4), st.booleans())
def test_the_cells_of_any_table_stand_where_their_lengths_say(rows: list[list[str]], named: bool) -> None:
    builder = TextBuilder()
    builder.paragraph("Before.")
    add_table(builder, rows, has_header=named)
    written = [[" ".join(cell.split()) for cell in row] for row in rows]
    expected = []
    for row in written[1:] if named and len(rows) > 1 else written:
        cells = list(row)
        while cells and not cells[-1] and not (named and len(rows) > 1):
            cells.pop()
        if any(cells) and len(cells) > 1:
            expected.append(cells)
    assert cells_of(builder) == expected


def test_the_rows_of_a_csv_file_are_one_table() -> None:
    data = b"boat,berth\nGull,4\n,5\nTern,\n"
    document = read_table(FileContent("a.csv", Path("a.csv"), data))
    assert [table.names for table in document.tables] == [("boat", "berth")]
    assert cells_of(document) == [["Gull", "4"], ["", "5"], ["Tern", ""]]
    assert document.layout == "blocks"
