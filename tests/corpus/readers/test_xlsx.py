"""Workbooks are read row by row, each with the header of its table and the cells that it stands in."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from layouts import paragraph
from office import Value, Worksheet, relations, xlsx

from probative.corpus.documents.document import Citation, Document, surroundings
from probative.corpus.documents.passages import passages_of
from probative.corpus.readers import sheet_text, zip_documents
from probative.corpus.readers.formats import read_document
from probative.errors import InputError, UnreadableError

ROPES = [["Rope", "Price"], ["hemp", 3.2], ["steel", 12]]


def read(data: bytes, folder: Path, name: str = "prices.xlsx") -> Document:
    file = folder / name
    file.write_bytes(data)
    return read_document(file)


def lines(document: Document) -> list[str]:
    return document.text.split("\n\n")


def cited(document: Document, words: str) -> str:
    start = document.text.index(words)
    return Citation.of(document, start, start + len(words)).words


def test_rows_have_their_header_and_their_cells(tmp_path: Path) -> None:
    document = read(xlsx({"Ropes & tar": ROPES}), tmp_path)
    assert lines(document) == ["Ropes & tar", "Rope: hemp; Price: 3.2", "Rope: steel; Price: 12"]
    assert (document.title, document.notes) == ("prices", ())
    (passage,) = passages_of(document)
    assert passage.title == "prices › Ropes & tar"
    assert passage.id == "prices.xlsx#sheet=Ropes %26 tar&cells=A2:B3&char=13,59"
    assert cited(document, "Rope: steel; Price: 12") == "sheet Ropes & tar, A3:B3"


def test_a_citation_opens_again_and_one_of_other_cells_is_refused(tmp_path: Path) -> None:
    document = read(xlsx({"Ropes": ROPES, "Boats": [["Boat", "Berth"], ["Gull", 4]]}), tmp_path)
    start = document.text.index("Boat: Gull")
    citation = Citation.of(document, start, start + 20)
    assert str(citation) == f"prices.xlsx#sheet=Boats&cells=A2:B2&char={start},{start + 20}"
    assert surroundings(document, Citation.parse(str(citation))).text == "Boat: Gull; Berth: 4"
    for place, actual in (
        ("sheet=Ropes", "sheet Ropes"),
        ("sheet=Boats&cells=A9", "sheet Boats, A9"),
        ("page=2", ""),
    ):
        with pytest.raises(InputError, match=actual or "has no pages, the citation names page 2"):
            Citation.parse(f"prices.xlsx#{place}&char={start},{start + 20}").check(document)


def test_a_sheet_that_is_alone_and_unnamed_is_no_heading(tmp_path: Path) -> None:
    assert read(xlsx({"Sheet1": ROPES}), tmp_path).headings == ()
    both = read(xlsx({"Sheet1": ROPES, "Sheet2": ROPES}), tmp_path)
    assert [heading.text for heading in both.headings] == ["Sheet1", "Sheet2"]


def test_values_are_shown_as_the_sheet_shows_them(tmp_path: Path) -> None:
    row: list[Any] = [
        Value(1250.5, '#,##0.00 "€"'),
        Value(0.125, "0.0%"),
        Value(46145, "d mmm yyyy"),
        True,
        Value(7, formula="SUM(A1:A2)"),
        Value("late", formula='IF(A1,"late","")'),
    ]
    document = read(xlsx({"S1": [["Price", "Discount", "Day", "Paid", "Sum", "State"], row]}), tmp_path)
    assert lines(document)[-1] == (
        "Price: 1,250.50 €; Discount: 12.5%; Day: 3 May 2026; Paid: TRUE; Sum: 7; State: late"
    )
    (passage,) = passages_of(document)
    assert (passage.date, passage.date_source) == ("2026-05-03", "column")
    assert "sheet=S1" in (passage.id or "")
    assert passage.title == "prices › S1"


def test_days_of_an_old_mac(tmp_path: Path) -> None:
    rows = [["Boat", "Day"], ["Gull", Value(44683, "yyyy-mm-dd")]]
    assert lines(read(xlsx({"S": rows}, from_1904=True), tmp_path))[-1] == "Boat: Gull; Day: 2026-05-03"


def test_a_formula_without_a_value_is_said(tmp_path: Path) -> None:
    rows = [["Rope", "Sum"], ["hemp", Value(None, formula="A2*2")], ["tar", Value(None, formula="A3*2")]]
    document = read(xlsx({"Ropes": rows}), tmp_path)
    assert lines(document)[1:] == ["Rope: hemp", "Rope: tar"]
    (note,) = document.notes
    assert note.startswith("2 formulas without a kept value, first in Ropes!B2")


def test_hidden_sheets_are_left_out_and_said(tmp_path: Path) -> None:
    sheets = {
        "Ropes": Worksheet(ROPES),
        "Margins": Worksheet([["Rope", "Margin"], ["hemp", 40]], state="hidden"),
        "Deep": Worksheet(ROPES, state="veryHidden"),
    }
    document = read(xlsx(sheets), tmp_path)
    assert "40" not in document.text
    assert document.notes == ("2 hidden sheets are not read: Margins, Deep",)


def test_titles_empty_rows_totals_and_sentences(tmp_path: Path) -> None:
    rows = [
        ["Price list"],
        ["All prices without tax."],
        [],
        ["Rope", "Length", "Price"],
        ["hemp", 200, 3.2],
        [],
        ["Total", None, 3.2],
        [],
        ["Delivery takes five days."],
    ]
    document = read(xlsx({"Ropes": rows}), tmp_path)
    assert lines(document)[1:] == [
        "Price list",
        "All prices without tax.",
        "Rope: hemp; Length: 200; Price: 3.2",
        "Rope: Total; Price: 3.2",
        "Delivery takes five days.",
    ]
    assert [(each.text, each.level) for each in document.headings] == [("Ropes", 1), ("Price list", 2)]
    assert cited(document, "Rope: Total") == "sheet Ropes, A7:C7"
    assert cited(document, "Delivery") == "sheet Ropes, A9"


def test_tables_below_and_beside_one_another_have_their_own_headers(tmp_path: Path) -> None:
    rows = [
        ["Rope", "Price", None, "Boat", "Berth"],
        ["hemp", 3.2, None, "Gull", 4],
        ["steel", 12, None, "Tern", 7],
        [],
        ["Harbour", "Fee"],
        ["Molde", 5],
    ]
    document = read(xlsx({"All": rows}), tmp_path)
    assert lines(document)[1:] == [
        "Rope: hemp; Price: 3.2",
        "Rope: steel; Price: 12",
        "Boat: Gull; Berth: 4",
        "Boat: Tern; Berth: 7",
        "Harbour: Molde; Fee: 5",
    ]
    assert cited(document, "Boat: Tern; Berth: 7") == "sheet All, D3:E3"


@pytest.mark.parametrize(
    ("rows", "read_as"),
    [
        (
            [["Customer", "Alden"], ["Due", Value(46145, "yyyy-mm-dd")], ["Total", 12]],
            "Customer: Alden|Due: 2026-05-03|Total: 12",
        ),
        ([["Customer:", "Alden"], ["Ship:", "Gull"], ["Note:", None]], "Customer: Alden|Ship: Gull|Note:"),
        ([["Total", 12], ["Paid", 7]], "Total: 12|Paid: 7"),
        ([["Valid from", Value(46145, "yyyy-mm-dd")]], "Valid from: 2026-05-03"),
        ([["Boat", "Captain"], ["Gull", "Ada"]], "Boat: Gull; Captain: Ada"),
        (
            [["Rope", "Price"], ["hemp", 3], ["silk", "on request"]],
            "Rope: hemp; Price: 3|Rope: silk; Price: on request",
        ),
    ],
)
def test_names_and_values_are_no_table(tmp_path: Path, rows: list[list[Any]], read_as: str) -> None:
    document = read(xlsx({"S": rows}), tmp_path)
    assert lines(document)[1:] == read_as.split("|")
    assert cited(document, read_as.split("|")[-1]) == f"sheet S, A{len(rows)}:B{len(rows)}"


def test_merged_headers_and_merged_cells(tmp_path: Path) -> None:
    rows = [
        ["Route", "2025", None, "2026", None],
        [None, "Q1", "Q2", "Q1", "Q2"],
        ["Harbour", 10, 20, 30, 40],
        [None, 11, 21, 31, 41],
        ["By hand", None, None, None, None],
        ["Island", 12, 22, 32, 42],
    ]
    merged = ["A1:A2", "B1:C1", "D1:E1", "A3:A4", "A5:E5"]
    document = read(xlsx({"Quarters": Worksheet(rows, merged)}), tmp_path)
    assert lines(document)[1:] == [
        "Route: Harbour; 2025 Q1: 10; 2025 Q2: 20; 2026 Q1: 30; 2026 Q2: 40",
        "Route: Harbour; 2025 Q1: 11; 2025 Q2: 21; 2026 Q1: 31; 2026 Q2: 41",
        "By hand",
        "Route: Island; 2025 Q1: 12; 2025 Q2: 22; 2026 Q1: 32; 2026 Q2: 42",
    ]
    assert document.headings[-1].text == "By hand"


def test_declared_tables_say_where_they_are(tmp_path: Path) -> None:
    rows = [["hemp", "A1"], ["steel", "B2"], ["Kind", "5"], ["tar", "6"]]
    document = read(xlsx({"S": Worksheet(rows, tables=[("A1:B2", 0), ("A3:B4", 1)])}), tmp_path)
    assert lines(document)[1:] == ["hemp | A1", "steel | B2", "Kind: tar; 5: 6"]


def test_a_column_of_texts_makes_records(tmp_path: Path) -> None:
    rows = [
        ["Title", "Text", "Date", "Author"],
        ["Storm", "The pier broke. It was closed.", "2026-05-03", "Ada"],
    ]
    document = read(xlsx({"Log": rows}), tmp_path)
    (passage,) = passages_of(document)
    assert passage.text == "The pier broke. It was closed."
    assert (passage.date, passage.metadata) == ("2026-05-03", {"Title": "Storm", "Author": "Ada"})
    assert "sheet=Log&cells=A2:D2&" in (passage.id or "")


def test_rich_text_signs_and_errors(tmp_path: Path) -> None:
    rich = "<si><r><t>he</t></r><r><t>mp</t></r><rPh><t>hisp</t></rPh></si>"
    strings = f"<sst>{rich}<si><t>two_x000D_\nlines</t></si></sst>"
    cells = (
        '<c r="A1" t="s"><v>0</v></c><c t="s"><v>1</v></c><c t="e"><v>#DIV/0!</v></c>'
        '<c t="inlineStr"><is><t>here</t></is></c><c t="s"><v>99</v></c><c t="d"><v>2026-05-03</v></c>'
    )
    parts = {
        "xl/sharedStrings.xml": strings,
        "xl/worksheets/sheet1.xml": f"<worksheet><sheetData><row>{cells}</row></sheetData></worksheet>",
    }
    document = read(xlsx({"S": []}, parts), tmp_path)
    assert lines(document)[-1] == "hemp | two lines | #DIV/0! | here | 2026-05-03"


def test_links_out_are_not_followed_and_macros_are_not_read(tmp_path: Path) -> None:
    parts = {
        "xl/vbaProject.bin": b"macro",
        "xl/externalLinks/externalLink1.xml": "<externalLink/>",
        "xl/externalLinks/_rels/externalLink1.xml.rels": relations(
            ("externalLinkPath", "http://127.0.0.1:9/other.xlsx"), external=True
        ),
    }
    rows = [["Rope", "Price"], ["hemp", Value(4, formula="[1]Other!A1")]]
    assert lines(read(xlsx({"S": rows}, parts), tmp_path, "a.xlsm"))[-1] == "Rope: hemp; Price: 4"
    away = {"xl/_rels/workbook.xml.rels": relations(("worksheet", "file:///etc/passwd"), external=True)}
    with pytest.raises(UnreadableError, match="has no text"):
        read(xlsx({"S": rows}, away), tmp_path)


@pytest.mark.parametrize(
    "member", ["xl/workbook.xml", "xl/worksheets/sheet1.xml", "xl/sharedStrings.xml", "xl/styles.xml"]
)
def test_entities_are_refused(tmp_path: Path, member: str) -> None:
    with pytest.raises(UnreadableError, match=f"{member} of prices.xlsx has a document type"):
        read(xlsx({"S": ROPES}, {member: '<!DOCTYPE d [<!ENTITY a "ha">]><d>&a;</d>'}), tmp_path)


def test_bombs_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(zip_documents, "MAX_UNPACKED", 2**20)
    with pytest.raises(UnreadableError) as caught:
        read(xlsx({"S": ROPES}, {"xl/sharedStrings.xml": " " * 2**21}), tmp_path)
    assert caught.value.reason == "zip bomb"
    monkeypatch.setattr(sheet_text, "MAX_CHARACTERS", 2**20)
    long = "".join(f'<row><c t="s"><v>0</v></c><c><v>{number}</v></c></row>' for number in range(200))
    parts = {
        "xl/sharedStrings.xml": f"<sst><si><t>{'x' * 10_000}</t></si></sst>",
        "xl/worksheets/sheet1.xml": f"<worksheet><sheetData>{long}</sheetData></worksheet>",
    }
    with pytest.raises(UnreadableError, match="the sheet S has more than 1,048,576 characters"):
        read(xlsx({"S": []}, parts), tmp_path)
    scattered = "".join(
        f'<row r="{9 * number}"><c r="A{9 * number}"><v>1</v></c><c r="XFD{9 * number}"><v>1</v></c></row>'
        for number in range(1, 100)
    )
    merged = '<mergeCells><mergeCell ref="A1:XFD1048576"/></mergeCells>' * 100
    wide = {"xl/worksheets/sheet1.xml": f"<worksheet><sheetData>{scattered}</sheetData>{merged}</worksheet>"}
    assert len(lines(read(xlsx({"S": []}, wide), tmp_path))) == 100


@pytest.mark.parametrize(
    ("parts", "reason"),
    [
        ({"xl/worksheets/sheet1.xml": "<worksheet><sheetData>"}, "damaged"),
        ({"xl/workbook.xml": "<workbook/>"}, "empty"),
        ({"xl/styles.xml": "not XML"}, "damaged"),
    ],
)
def test_damaged_workbooks_say_so(tmp_path: Path, parts: dict[str, str | bytes], reason: str) -> None:
    with pytest.raises(UnreadableError) as caught:
        read(xlsx({"S": ROPES}, parts), tmp_path)
    assert caught.value.reason == reason


def test_the_content_decides(tmp_path: Path) -> None:
    document = read(xlsx({"S": ROPES}), tmp_path, "prices.docx")
    assert document.notes == ("the name ends in .docx, the content is xlsx",)
    with pytest.raises(UnreadableError, match="is not a XLSX file"):
        read(paragraph("It rained.").encode(), tmp_path)
