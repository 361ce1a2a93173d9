"""Presentations are read slide by slide: title, lists, tables and notes."""

from __future__ import annotations

from pathlib import Path

import pytest
from office import pptx, relations, shape, slide_table

from probative.corpus.documents.document import Citation, Document
from probative.corpus.documents.passages import passages_of
from probative.corpus.readers import zip_documents
from probative.corpus.readers.formats import format_of, read_document
from probative.corpus.readers.pptx import read_pptx
from probative.corpus.readers.text_builder import FileContent
from probative.errors import UnreadableError


def read(data: bytes, folder: Path) -> Document:
    file = folder / "plan.pptx"
    file.write_bytes(data)
    return read_document(file)


def title(text: str) -> str:
    return shape(text, kind="title")


def test_the_content_tells_the_format() -> None:
    content = FileContent("a.bin", Path("a.bin"), pptx([title("Ropes")]))
    assert format_of(content) == "pptx"
    assert read_pptx(content).text == "Ropes"


def test_a_slide_has_its_title_and_its_notes(tmp_path: Path) -> None:
    slides = [
        shape("Harbour plan", kind="ctrTitle") + shape("For the board", kind="subTitle"),
        shape("Hemp is replaced in May", "Steel stays", kind="") + title("Ropes") + shape("2", kind="sldNum"),
    ]
    notes = {2: shape("The old ropes go to the museum.", "Ask Ada.", kind="body") + shape(kind="sldImg")}
    document = read(pptx(slides, notes), tmp_path)
    assert document.text.split("\n\n") == [
        "Harbour plan",
        "For the board",
        "Ropes",
        "- Hemp is replaced in May\n- Steel stays",
        "Notes: The old ropes go to the museum.",
        "Ask Ada.",
    ]
    assert document.title == "Harbour plan"
    passage = passages_of(document)[1]
    assert passage.title == "Harbour plan › Ropes"
    assert (passage.id or "").startswith("plan.pptx#slide=2&char=")
    assert "Notes: The old ropes" in passage.text


def test_slides_without_title_or_text_and_hidden_ones(tmp_path: Path) -> None:
    slides = [title("One"), "", title("Secret") + shape("a hidden margin"), shape("Thank you.")]
    document = read(pptx(slides, hidden=[3]), tmp_path)
    assert [heading.text for heading in document.headings] == ["One", "Slide 4"]
    assert "margin" not in document.text
    assert document.notes == ("1 hidden slide is not read: 3", "1 slide without text: 2")
    start = document.text.index("Thank")
    assert Citation.of(document, start, start + 5).words == "slide 4"


def test_bullets_are_those_that_the_slide_shows(tmp_path: Path) -> None:
    none, some = "<a:buNone/>", '<a:buChar char="x"/>'
    boxes = [
        shape("It rained.", kind=""),
        shape("We left.", "We came.", kind="body", marks=none),
        shape("a", "b", marks=some),
        shape("Sun.", "Wind."),
        shape("hidden", hidden=True),
    ]
    document = read(pptx([title("Log") + "".join(boxes)]), tmp_path)
    assert document.text == "Log\n\nIt rained.\n\nWe left.\n\nWe came.\n\n- a\n- b\n\nSun.\n\nWind."


def test_tables_have_their_header_and_merged_cells(tmp_path: Path) -> None:
    table = slide_table([["Rope", "2026"], ["hemp", "3"], ["^", "4"]])
    group = f"<p:grpSp>{slide_table([['a1', 'b2'], ['c3', 'd4']], first_row=False)}</p:grpSp>"
    document = read(pptx([title("Costs") + table + group]), tmp_path)
    assert document.text.split("\n\n")[1:] == [
        "Rope: hemp; 2026: 3",
        "Rope: hemp; 2026: 4",
        "a1 | b2",
        "c3 | d4",
    ]


def test_line_breaks_fields_diagrams_and_what_is_there_twice(tmp_path: Path) -> None:
    fields = '<a:fld type="datetime1"><a:t> 3 May</a:t></a:fld><a:fld type="slidenum"><a:t>9</a:t></a:fld>'
    runs = "<a:r><a:t>Two</a:t></a:r><a:br/><a:r><a:t>lines on</a:t></a:r>"
    text = f"<p:sp><p:txBody><a:p>{runs}{fields}</a:p></p:txBody></p:sp>"
    both = f"<x:Choice>{shape('new')}</x:Choice><x:Fallback>{shape('old')}</x:Fallback>"
    twice = f"<x:AlternateContent xmlns:x='urn:x'>{both}</x:AlternateContent>"
    point = "<d:pt><d:t><a:p><a:r><a:t>Buy tar</a:t></a:r></a:p></d:t></d:pt>"
    diagram = f'<d:dataModel xmlns:d="urn:d" xmlns:a="urn:a">{point}</d:dataModel>'
    document = read(pptx([title("Log") + text + twice], parts={"ppt/diagrams/data1.xml": diagram}), tmp_path)
    assert document.text == "Log\n\nTwo lines on 3 May\n\nnew\n\n- Buy tar"


def test_links_out_are_not_followed_and_macros_are_not_read(tmp_path: Path) -> None:
    parts = {"ppt/vbaProject.bin": b"Sub Auto_Open()"}
    assert read(pptx([title("One")], parts=parts), tmp_path).text == "One"
    away = {"ppt/_rels/presentation.xml.rels": relations(("slide", "file:///etc/passwd"), external=True)}
    with pytest.raises(UnreadableError, match="has no text"):
        read(pptx([title("One")], parts=away), tmp_path)


@pytest.mark.parametrize(
    "member", ["ppt/presentation.xml", "ppt/slides/slide1.xml", "ppt/notesSlides/notesSlide1.xml"]
)
def test_entities_are_refused(tmp_path: Path, member: str) -> None:
    parts = {member: '<!DOCTYPE d [<!ENTITY a "ha">]><d>&a;</d>'}
    with pytest.raises(UnreadableError, match=f"{member} of plan.pptx has a document type"):
        read(pptx([title("One")], {1: shape("x", kind="body")}, parts), tmp_path)


def test_bombs_and_missing_parts_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    missing = {"ppt/_rels/presentation.xml.rels": relations(("slide", "slides/slide9.xml"))}
    with pytest.raises(UnreadableError, match=r"has no ppt/slides/slide9\.xml"):
        read(pptx([title("One")], parts=missing), tmp_path)
    monkeypatch.setattr(zip_documents, "MAX_UNPACKED", 2**20)
    with pytest.raises(UnreadableError) as caught:
        read(pptx([title("x" * 2**21)]), tmp_path)
    assert caught.value.reason == "zip bomb"
