"""Spreadsheets of OpenDocument are read like workbooks: rows with headers, and the text that cells show."""

from __future__ import annotations

from pathlib import Path

import pytest
from office import open_cell, open_document, open_row, open_table

from probative.corpus.documents.document import Citation, Document
from probative.corpus.documents.passages import passages_of
from probative.corpus.readers import odf_package
from probative.corpus.readers.formats import format_of, read_document
from probative.corpus.readers.ods import read_ods
from probative.corpus.readers.text_builder import FileContent
from probative.errors import UnreadableError

HIDDEN = '<style:style style:name="ta2"><style:table-properties table:display="false"/></style:style>'
ROPES = (open_row("Rope", "Price"), open_row("hemp", open_cell("3,20 €", "currency", "3.2")))


def read(body: str, folder: Path, styles: str = "") -> Document:
    file = folder / "prices.ods"
    file.write_bytes(open_document("spreadsheet", body, styles=styles))
    return read_document(file)


def lines(document: Document) -> list[str]:
    return document.text.split("\n\n")


def test_the_content_tells_the_format() -> None:
    content = FileContent(
        "a.bin", Path("a.bin"), open_document("spreadsheet", open_table(*ROPES, name="Sheet1"))
    )
    assert format_of(content) == "ods"
    assert read_ods(content).text == "Rope: hemp; Price: 3,20 €"


def test_cells_are_as_the_sheet_shows_them(tmp_path: Path) -> None:
    rows = (
        open_row("Rope", "Price", "Share", "Date"),
        open_row(
            "hemp",
            open_cell("3,20 €", "currency", "3.2"),
            open_cell("", "float", "4.50"),
            open_cell("03.05.26", "date", "2026-05-03"),
        ),
        open_row(
            "tar",
            None,
            open_cell("", "", more='table:formula="of:=1/0"'),
            open_cell("", "date", "2026-06-01"),
        ),
    )
    document = read(open_table(*rows, name="Ropes & tar"), tmp_path)
    assert lines(document) == [
        "Ropes & tar",
        "Rope: hemp; Price: 3,20 €; Share: 4.5; Date: 03.05.26",
        "Rope: tar; Date: 2026-06-01",
    ]
    assert document.notes[0].startswith("1 formula without a kept value, first in Ropes & tar!C3")
    (passage,) = passages_of(document)
    assert (passage.date, passage.title) == ("2026", "prices › Ropes & tar")
    assert (passage.id or "").startswith("prices.ods#sheet=Ropes %26 tar&cells=A2:D3&char=")


def test_repeated_rows_and_columns_keep_their_cells(tmp_path: Path) -> None:
    rows = (
        open_row("Price list"),
        open_row(None, more='table:number-rows-repeated="7"'),
        open_row(None, "Rope", "May", "June"),
        open_row(None, "hemp", open_cell("5", "float", "5", 'table:number-columns-repeated="2"')),
        open_row(None, "tar", open_cell("6", "float", "6"), more='table:number-rows-repeated="2"'),
        open_row(None, more='table:number-rows-repeated="1048000"'),
    )
    document = read(open_table(*rows, name="Ropes"), tmp_path)
    assert lines(document)[1:] == [
        "Price list",
        "Rope: hemp; May: 5; June: 5",
        "Rope: tar; May: 6",
        "Rope: tar; May: 6",
    ]
    start = document.text.index("Rope: tar")
    assert Citation.of(document, start, len(document.text)).words == "sheet Ropes, B11:D12"


def test_merged_headers(tmp_path: Path) -> None:
    wide = open_cell("2026", more='table:number-columns-spanned="2"')
    rows = (
        open_row("Route", wide, "<table:covered-table-cell/>"),
        open_row(None, "Q1", "Q2"),
        open_row("Harbour", open_cell("3", "float", "3"), open_cell("4", "float", "4")),
    )
    assert lines(read(open_table(*rows, name="S"), tmp_path))[1] == "Route: Harbour; 2026 Q1: 3; 2026 Q2: 4"


def test_hidden_sheets_and_copies_of_other_files_are_left_out(tmp_path: Path) -> None:
    body = (
        open_table(*ROPES, name="Sheet1")
        + open_table(*ROPES, name="Margins", style="ta2")
        + open_table(*ROPES, name="'file:///home/a/other.ods'#$Sheet1")
    )
    document = read(body, tmp_path, HIDDEN)
    assert lines(document) == ["Rope: hemp; Price: 3,20 €"]
    assert document.notes == ("1 hidden sheet is not read: Margins",)


def test_cells_that_repeat_without_end_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(odf_package, "MAX_CELLS", 10_000)
    wide = open_cell("x", more='table:number-columns-repeated="999999"')
    with pytest.raises(UnreadableError, match="the table S has more than 10,000 cells"):
        read(open_table(open_row(wide), name="S"), tmp_path)
    with pytest.raises(UnreadableError, match="the table S has more than 10,000 cells"):
        read(open_table(open_row("x", more='table:number-rows-repeated="99999999"'), name="S"), tmp_path)


def test_entities_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "a.ods"
    parts = {"content.xml": '<!DOCTYPE d [<!ENTITY a "ha">]><d>&a;</d>'}
    file.write_bytes(open_document("spreadsheet", "", parts))
    with pytest.raises(UnreadableError, match=r"content\.xml of a\.ods has a document type"):
        read_document(file)
