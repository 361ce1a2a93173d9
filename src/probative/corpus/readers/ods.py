"""Read spreadsheets of OpenDocument (ODS): the cells as the sheets show them."""

from __future__ import annotations

from probative.corpus.documents.dates import title_from_name
from probative.corpus.documents.document import Document, short
from probative.corpus.readers.odf_package import CONTENT, Rows, attribute, check_protection, metadata
from probative.corpus.readers.sheet import uncalculated_note
from probative.corpus.readers.sheet_text import add_sheet
from probative.corpus.readers.text_builder import FileContent, TextBuilder, document_of, hidden_note
from probative.corpus.readers.zip_documents import Container, local_name

# The copy of a sheet of another file, which a formula refers to.
_COPY = "'file:"


def read_ods(content: FileContent) -> Document:
    """Return the document of a spreadsheet: the rows of its tables with their headers, sheet by sheet."""
    with Container(content) as container:
        check_protection(container)
        tables, hidden = _tables(container)
        fields = metadata(container)
    builder = TextBuilder()
    filled = [table for table in tables if table.sheet.rows]
    for table in filled:
        add_sheet(builder, table.sheet, alone=len(filled) == 1)
    formulas = [f"{table.sheet.name}!{cell}" for table in tables for cell in table.uncalculated]
    return document_of(
        content,
        builder,
        title=fields.pop("title", "") or title_from_name(content.path),
        language=fields.pop("language", ""),
        date=fields.pop("date", None),
        date_source="file properties",
        metadata=fields,
        notes=[*hidden_note("sheet", hidden), *uncalculated_note(formulas)],
    )


def _tables(container: Container) -> tuple[list[Rows], list[str]]:
    """Return the sheets that are shown, and the names of those that are hidden with something in them."""
    hidden_styles: set[str] = set()
    tables: list[Rows] = []
    hidden: list[Rows] = []
    for element in container.pieces(CONTENT, "style", "table-row", starts=("table",)):
        kind = local_name(element)
        if kind == "style":
            if any(attribute(each, "display") == "false" for each in element):
                hidden_styles.add(attribute(element, "name"))
        elif kind == "table":
            name = attribute(element, "name")
            is_hidden = attribute(element, "style-name") in hidden_styles
            table = Rows(short(name), [])
            if name and not name.startswith(_COPY):
                (hidden if is_hidden else tables).append(table)
            rows = table
        else:
            rows.add(element)
    return tables, [table.sheet.name for table in hidden if table.sheet.rows]
