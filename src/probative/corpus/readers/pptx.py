"""Read PowerPoint presentations (PPTX): each slide with its title, lists, tables and notes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from xml.etree.ElementTree import Element

from probative.corpus.documents.document import Document
from probative.corpus.readers.office_package import made_on, outermost, properties, related, related_id
from probative.corpus.readers.table import add_table
from probative.corpus.readers.text_builder import FileContent, TextBuilder, document_of, hidden_note
from probative.corpus.readers.zip_documents import Container, local_name
from probative.text.labels import counted

_DECK = "ppt/presentation.xml"
_TITLES = ("title", "ctrTitle")
# Repeated on every slide: its number, date, footer and header; and its picture beside the notes.
_REPEATED = ("sldNum", "dt", "ftr", "hdr", "sldImg")
# The placeholders whose paragraphs have bullets unless they say that they have none.
_LISTS = ("body", "obj")
_OTHERS = ("notesSlide", "diagramData")
_TRUE, _FALSE = ("1", "true"), ("0", "false")
# Titles that programs put in by themselves.
_NO_TITLE = re.compile(r".*powerpoint.*", re.IGNORECASE)


def read_pptx(content: FileContent) -> Document:
    """Return the document of a presentation: a section for each slide, without those that are hidden."""
    with Container(content) as container:
        slides = _slides(container)
        builder = TextBuilder()
        hidden: list[str] = []
        empty: list[str] = []
        for number, part in enumerate(slides, start=1):
            slide = container.xml(part)
            builder.slides.append(builder.next_offset)
            if slide.get("show") in _FALSE:
                hidden.append(str(number))
            elif not _add_slide(builder, container, part, slide, number):
                empty.append(str(number))
        fields = properties(container)
        title = fields.get("title", "")
        made = made_on(fields, container.written(_DECK))
    without = [f"{counted(len(empty), 'slide')} without text: {', '.join(empty)}"] if empty else []
    return document_of(
        content,
        builder,
        title="" if _NO_TITLE.fullmatch(title) else title,
        language=fields.get("language", ""),
        date=made,
        date_source="file properties",
        metadata={"author": fields.get("creator", ""), "subject": fields.get("subject", "")},
        notes=[*hidden_note("slide", hidden), *without],
    )


def _slides(container: Container) -> list[str]:
    """Return the names of the slides in their order."""
    parts = related(container, _DECK)
    listed = (
        parts.get(related_id(each)) for each in container.xml(_DECK).iter() if local_name(each) == "sldId"
    )
    return [part.name for part in listed if part is not None]


def _add_slide(builder: TextBuilder, container: Container, part: str, slide: Element, number: int) -> bool:
    """Add the text of a slide: its title, what stands on it, and its notes; return whether there is any."""
    parts = related(container, part).values()
    others = {
        each.kind: container.xml(each.name)
        for each in parts
        if each.kind in _OTHERS and each.name in container
    }
    shapes = list(_shapes(slide))
    title = " ".join(" ".join(_texts(shape)) for shape in shapes if _placeholder(shape) in _TITLES)
    body = [
        shape for shape in shapes if _placeholder(shape) not in (*_TITLES, *_REPEATED) and any(_texts(shape))
    ]
    drawn = [text for point in _points(others.get("diagramData")) for text in _texts(point)]
    spoken = [
        text
        for shape in _shapes(others.get("notesSlide"))
        if _placeholder(shape) == "body"
        for text in _texts(shape)
    ]
    if not title and not body and not drawn and not spoken:
        return False
    builder.heading(title or f"Slide {number}", 1)
    for shape in body:
        if local_name(shape) == "graphicFrame":
            for table in outermost(shape, "tbl"):
                _add_table(builder, table)
        else:
            _add_lines(builder, shape)
    for text in drawn:
        builder.paragraph(f"- {text}", "\n" if builder.last_block.startswith("- ") else "\n\n")
    for index, text in enumerate(spoken):
        builder.paragraph(text if index else f"Notes: {text}")
    return True


def _shapes(slide: Element | None) -> Iterator[Element]:
    """Yield the shapes of a slide that have text, those in groups, too, without hidden ones."""
    for shape in outermost(slide, "sp", "graphicFrame") if slide is not None else ():
        if not any(each.get("hidden") in _TRUE for each in shape.iter() if local_name(each) == "cNvPr"):
            yield shape


def _placeholder(shape: Element) -> str:
    """Return what a shape is for; "" for a shape that the layout does not have."""
    place = next(outermost(shape, "ph", "txBody"), None)
    return place.get("type", "obj") if place is not None and local_name(place) == "ph" else ""


def _points(diagram: Element | None) -> Iterator[Element]:
    """Yield the texts of a diagram."""
    yield from outermost(diagram, "t") if diagram is not None else ()


def _texts(element: Element) -> list[str]:
    """Return the paragraphs with text inside an element, each on one line."""
    return [text for paragraph in outermost(element, "p") if (text := _line(paragraph))]


def _line(paragraph: Element) -> str:
    pieces = []
    for piece in outermost(paragraph, "t", "br", "fld"):
        if local_name(piece) == "fld" and piece.get("type") != "slidenum":
            pieces += [each.text or "" for each in outermost(piece, "t")]
        else:
            pieces.append((piece.text or "") if local_name(piece) == "t" else " ")
    return " ".join("".join(pieces).split())


def _add_lines(builder: TextBuilder, shape: Element) -> None:
    """Add the paragraphs of a shape; several in a placeholder for content are a list, unless they say no."""
    paragraphs = [(each, text) for each in outermost(shape, "p") if (text := _line(each))]
    listed = len(paragraphs) > 1 and _placeholder(shape) in _LISTS
    before = False
    for paragraph, text in paragraphs:
        marks = {local_name(each) for each in outermost(paragraph, "buNone", "buChar", "buAutoNum", "buBlip")}
        is_item = "buNone" not in marks if listed else bool(marks - {"buNone"})
        builder.paragraph(f"- {text}" if is_item else text, "\n" if is_item and before else "\n\n")
        before = is_item


def _add_table(builder: TextBuilder, table: Element) -> None:
    """Add the rows of a table; a cell that was merged over several rows belongs to each of them."""
    rows: list[list[str]] = []
    for row in outermost(table, "tr"):
        cells = list(outermost(row, "tc"))
        texts = [" ".join(_texts(cell)) for cell in cells]
        for at, cell in enumerate(cells):
            if cell.get("vMerge") in _TRUE and rows and at < len(rows[-1]):
                texts[at] = rows[-1][at]
        rows.append(texts)
    named = any(each.get("firstRow") in _TRUE for each in table if local_name(each) == "tblPr")
    add_table(builder, [row for row in rows if any(row)], has_header=named or None)
