"""Word documents are read with headings, lists, tables and footnotes, and without deleted text."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import pytest
from layouts import STYLES, docx, footnotes, paragraph

from probative.corpus.documents.document import Document
from probative.corpus.readers import zip_documents
from probative.corpus.readers.formats import read_document
from probative.errors import UnreadableError

PROPERTIES = (
    '<p:coreProperties xmlns:p="urn:p" xmlns:dc="urn:dc" xmlns:dcterms="urn:t">'
    "<dc:creator>Ada Holm</dc:creator>"
    "<dcterms:created>2025-03-04T10:00:00Z</dcterms:created></p:coreProperties>"
)


def read(data: bytes, folder: Path) -> Document:
    file = folder / "contract.docx"
    file.write_bytes(data)
    return read_document(file)


def test_styles_of_any_language_give_headings(tmp_path: Path) -> None:
    body = (
        paragraph("Lease of the pier", "Titre")
        + paragraph("Term", "Titre1")
        + paragraph("It runs for ten years.")
        + paragraph("Renewal", "Eigene")
        + paragraph("Either side may renew it.")
    )
    document = read(docx(body, {"word/styles.xml": STYLES, "docProps/core.xml": PROPERTIES}), tmp_path)
    assert document.title == "Lease of the pier"
    assert [(heading.text, heading.level) for heading in document.headings] == [
        ("Lease of the pier", 1),
        ("Term", 1),
        ("Renewal", 2),
    ]
    assert document.date == "2025-03-04"
    assert document.metadata == {"author": "Ada Holm"}


def test_lists_tables_and_footnotes(tmp_path: Path) -> None:
    item = '<w:numPr><w:numId w:val="1"/></w:numPr>'
    cells = [["Boat", "Berth"], ["Gull", "4"]]
    rows = "".join(
        "<w:tr>" + "".join(f"<w:tc>{paragraph(cell)}</w:tc>" for cell in row) + "</w:tr>" for row in cells
    )
    marked = '<w:r><w:t>The rent is due in May.</w:t></w:r><w:r><w:footnoteReference w:id="1"/></w:r>'
    body = (
        paragraph("rope", properties=item)
        + paragraph("tar", properties=item)
        + f"<w:tbl>{rows}</w:tbl>"
        + paragraph(marked)
    )
    document = read(docx(body, {"word/footnotes.xml": footnotes("Changed in 2024.")}), tmp_path)
    assert (
        document.text
        == "- rope\n- tar\n\nBoat: Gull; Berth: 4\n\nThe rent is due in May.[1]\n\n[1] Changed in 2024."
    )


def test_deleted_text_is_gone_and_inserted_text_is_there(tmp_path: Path) -> None:
    runs = (
        "<w:r><w:t>The rent is </w:t></w:r><w:del><w:r><w:delText>80</w:delText></w:r></w:del>"
        "<w:ins><w:r><w:t>90</w:t></w:r></w:ins><w:r><w:t xml:space='preserve'> crowns.</w:t></w:r>"
    )
    assert read(docx(paragraph(runs)), tmp_path).text == "The rent is 90 crowns."


def test_a_zip_bomb_is_refused_before_it_is_unpacked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(zip_documents, "MAX_UNPACKED", 2**20)
    bomb = docx(paragraph("x" * 2**22))
    assert len(bomb) < 2**14
    with pytest.raises(UnreadableError) as caught:
        read(bomb, tmp_path)
    assert caught.value.reason == "zip bomb"


def test_entities_that_grow_are_refused(tmp_path: Path) -> None:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as packed:
        packed.writestr("word/document.xml", '<!DOCTYPE a [<!ENTITY b "ha"><!ENTITY c "&b;&b;">]><a>&c;</a>')
    with pytest.raises(UnreadableError, match="entities"):
        read(file.getvalue(), tmp_path)


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"PK\x03\x04 cut off", "damaged"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(100), "encrypted or old"),
        (b"no Word document", "damaged"),
    ],
)
def test_what_is_no_word_document_says_so(tmp_path: Path, data: bytes, reason: str) -> None:
    with pytest.raises(UnreadableError) as caught:
        read(data, tmp_path)
    assert caught.value.reason == reason


def test_a_zip_file_of_something_else_says_so(tmp_path: Path) -> None:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as packed:
        packed.writestr("photo.jpg", "x")
    with pytest.raises(UnreadableError) as caught:
        read(file.getvalue(), tmp_path)
    assert caught.value.reason == "archive"
