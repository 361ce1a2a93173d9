"""Text documents of OpenDocument are read with headings, lists, tables and footnotes."""

from __future__ import annotations

from pathlib import Path

import pytest
from office import open_document, open_meta, open_row, open_table, packed

from probative.corpus.documents.document import Document
from probative.corpus.documents.passages import passages_of
from probative.corpus.readers import zip_documents
from probative.corpus.readers.formats import format_of, read_document
from probative.corpus.readers.odt import read_odt
from probative.corpus.readers.text_builder import FileContent
from probative.errors import UnreadableError


def read(data: bytes, folder: Path) -> Document:
    file = folder / "lease.odt"
    file.write_bytes(data)
    return read_document(file)


def text(body: str, folder: Path) -> str:
    return read(open_document("text", body), folder).text


def test_the_content_tells_the_format() -> None:
    content = FileContent("a.bin", Path("a.bin"), open_document("text", "<text:p>It rained.</text:p>"))
    assert format_of(content) == "odt"
    assert read_odt(content).text == "It rained."


def test_headings_titles_and_properties(tmp_path: Path) -> None:
    styles = '<style:style style:name="P1" style:family="paragraph" style:parent-style-name="Title"/>'
    body = (
        '<text:p text:style-name="P1">Lease of the pier</text:p><text:h text:outline-level="2">Term</text:h>'
        "<text:p>It runs for ten years.</text:p>"
    )
    meta = open_meta(
        "<meta:initial-creator>Ada Holm</meta:initial-creator><dc:creator>Rhys</dc:creator>"
        "<meta:creation-date>2025-03-04T10:00:00</meta:creation-date><dc:date>2025-03-09T10:00:00</dc:date>"
        "<dc:language>en-GB</dc:language>"
    )
    document = read(open_document("text", body, {"meta.xml": meta}, styles), tmp_path)
    assert [(each.text, each.level) for each in document.headings] == [("Lease of the pier", 1), ("Term", 2)]
    assert (document.title, document.language) == ("Lease of the pier", "en")
    assert (document.date, document.date_source) == ("2025-03-04", "file properties")
    assert document.metadata == {"author": "Ada Holm"}
    assert passages_of(document)[0].title == "Lease of the pier › Term"


def test_lists_tables_footnotes_and_frames(tmp_path: Path) -> None:
    note = (
        '<text:note text:note-class="footnote"><text:note-citation>1</text:note-citation>'
        "<text:note-body><text:p>Changed in 2024.</text:p></text:note-body></text:note>"
    )
    head = f"<table:table-header-rows>{open_row('Boat', 'Berth')}</table:table-header-rows>"
    body = (
        "<text:list><text:list-item><text:p>rope</text:p><text:p>of hemp</text:p></text:list-item>"
        "<text:list-item><text:p>tar</text:p></text:list-item></text:list>"
        + open_table(head, open_row("Gull", "4"))
        + f"<text:p>The rent is due in May.{note} See<draw:frame><draw:text-box><text:p>Boxed.</text:p>"
        "</draw:text-box></draw:frame> the plan.</text:p><text:p>It rained.</text:p>"
    )
    assert text(body, tmp_path).split("\n\n") == [
        "- rope",
        "of hemp",
        "- tar",
        "Boat: Gull; Berth: 4",
        "The rent is due in May.[1] See the plan.",
        "It rained.",
        "Boxed.",
        "[1] Changed in 2024.",
    ]


def test_what_a_reader_does_not_see_is_left_out(tmp_path: Path) -> None:
    body = (
        "<text:tracked-changes><text:p>It is 80.</text:p></text:tracked-changes>"
        "<text:table-of-content><text:p>Term 3</text:p></text:table-of-content>"
        '<text:section text:display="none"><text:p>Secret.</text:p></text:section>'
        "<text:p>The rent<office:annotation><text:p>really?</text:p></office:annotation>\n is<text:s/>"
        "90<text:line-break/>crowns.<text:hidden-text>no</text:hidden-text></text:p>"
    )
    assert text(body, tmp_path) == "The rent is 90\ncrowns."


def test_merged_repeated_and_nested_cells(tmp_path: Path) -> None:
    nested = f"<table:table-cell><text:p>see</text:p>{open_table(open_row('inside'))}</table:table-cell>"
    tall = '<table:table-cell table:number-rows-spanned="2"><text:p>Gull</text:p></table:table-cell>'
    five = '<table:table-cell table:number-columns-repeated="2"><text:p>5</text:p></table:table-cell>'
    rows = (
        open_row("Boat", "May", "June"),
        open_row(tall, five),
        open_row("<table:covered-table-cell/>", "6", "7"),
        open_row(nested, "8", "9", more='table:number-rows-repeated="2"'),
    )
    assert text(open_table(*rows), tmp_path).split("\n\n") == [
        "Boat: Gull; May: 5; June: 5",
        "Boat: Gull; May: 6; June: 7",
        "Boat: see; May: 8; June: 9",
        "Boat: see; May: 8; June: 9",
        "inside",
    ]


def test_macros_are_not_read_and_links_out_are_not_followed(tmp_path: Path) -> None:
    parts = {
        "Basic/Standard/Module1.xml": "<script:module>Sub Main Shell end sub</script:module>",
        "Scripts/python/run.py": b"import os",
    }
    body = (
        '<text:section xmlns:xlink="http://www.w3.org/1999/xlink" '
        'xmlns:script="urn:oasis:names:tc:opendocument:xmlns:script:1.0">'
        '<text:section><text:section-source xlink:href="file:///etc/passwd"/><text:p>Section.</text:p>'
        '</text:section><text:p><draw:frame><draw:object xlink:href="http://127.0.0.1:9/a.odt"/></draw:frame>'
        '<text:a xlink:href="http://127.0.0.1:9/">The pier</text:a> is open.</text:p>'
        '<office:event-listeners><script:event-listener xlink:href="vnd.sun.star.script:run.py"/>'
        "</office:event-listeners></text:section>"
    )
    assert read(open_document("text", body, parts), tmp_path).text == "Section.\n\nThe pier is open."


def test_deep_lists_are_read_in_linear_steps(tmp_path: Path) -> None:
    depth = 5_000
    start, end = "<text:list><text:list-item><text:p>x</text:p>", "</text:list-item></text:list>"
    assert text(start * depth + end * depth, tmp_path).count("x") == depth


@pytest.mark.parametrize("member", ["content.xml", "meta.xml"])
def test_entities_are_refused(tmp_path: Path, member: str) -> None:
    parts = {member: '<!DOCTYPE d [<!ENTITY a "ha">]><d>&a;</d>'}
    with pytest.raises(UnreadableError, match=f"{member} of lease.odt has a document type"):
        read(open_document("text", "<text:p>It rained.</text:p>", parts), tmp_path)


def test_what_cannot_be_read_says_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    locked = {"META-INF/manifest.xml": "<m:encryption-data/>", "content.xml": b"\x00\x01"}
    for data, reason in (
        (open_document("text", "", locked), "encrypted"),
        (open_document("text", "", {"content.xml": "<a>"}), "damaged"),
        (open_document("drawing", "<text:p>It rained.</text:p>"), "archive"),
        (packed({"mimetype": "application/vnd.oasis.opendocument.text"}), "damaged"),
        (b"no document", "damaged"),
    ):
        with pytest.raises(UnreadableError) as caught:
            read(data, tmp_path)
        assert caught.value.reason == reason
    monkeypatch.setattr(zip_documents, "MAX_UNPACKED", 2**20)
    with pytest.raises(UnreadableError) as caught:
        read(open_document("text", f"<text:p>{'x' * 2**21}</text:p>"), tmp_path)
    assert caught.value.reason == "zip bomb"
