"""Read Word documents (DOCX): a zip file of XML, as ISO/IEC 29500 describes it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from xml.etree.ElementTree import Element

from probative.corpus.document import Document
from probative.corpus.readers.docx_styles import Styles
from probative.corpus.readers.file_content import FileContent
from probative.corpus.readers.table_rows import row_sentences
from probative.corpus.readers.text_builder import TextBuilder, document_of
from probative.corpus.readers.zip_container import Container

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_CHOICE = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
_FIXED = {"tab": "\t", "br": "\n", "cr": "\n", "noBreakHyphen": "-", "softHyphen": ""}
# Text that a reader of the document does not see, and the old form of text that is there twice.
_SKIPPED = frozenset({f"{W}del", f"{W}moveFrom", f"{W}instrText", f"{W}delText", f"{_CHOICE}Fallback"})


def read_docx(content: FileContent) -> Document:
    """Return the document of a DOCX file: paragraphs, lists, tables and footnotes, without what was deleted
    in tracked changes.
    """
    with Container(content) as container:
        styles = Styles(container.xml("word/styles.xml") if "word/styles.xml" in container else None)
        body = container.xml("word/document.xml").find(f"{W}body")
        reading = _Reading(styles)
        if body is not None:
            reading.blocks(body)
        for kind in ("footnotes", "endnotes"):
            if f"word/{kind}.xml" in container:
                reading.add_notes(container.xml(f"word/{kind}.xml"), kind[:-1])
        fields = _properties(container)
    return document_of(
        content,
        reading.builder.text,
        title=fields.get("title", "") or reading.title,
        headings=reading.builder.headings,
        language=fields.get("language", ""),
        date=fields.get("created") or fields.get("modified"),
        metadata={"author": fields.get("creator", ""), "subject": fields.get("subject", "")},
    )


class _Reading:
    """The blocks of a document so far, and its notes by number."""

    def __init__(self, styles: Styles) -> None:
        self.builder = TextBuilder()
        self.title = ""
        self._styles = styles
        self._notes: dict[tuple[str, str], int] = {}

    def blocks(self, parent: Element) -> None:
        for element in parent:
            if element.tag == f"{W}p":
                self._paragraph(element)
            elif element.tag == f"{W}tbl":
                self._table(element)
            elif element.tag not in _SKIPPED:
                self.blocks(element)  # content controls and tracked insertions hold blocks

    def add_notes(self, root: Element, kind: str) -> None:
        """Add the footnotes or endnotes that the text refers to, each after its number."""
        for note in root:
            number = self._notes.get((kind, note.get(f"{W}id", "")))
            text = " ".join(" ".join(self._text(note)).split())
            if number is not None and text:
                self.builder.paragraph(f"[{number}] {text}")

    def _paragraph(self, element: Element) -> None:
        text = _tidy("".join(self._pieces(element)))
        if not text:
            return
        level, is_title = self._styles.level(element), self._styles.is_title(element)
        if is_title and not self.title:
            self.title = " ".join(text.split())
        if is_title or level is not None:
            self.builder.heading(text, 1 if is_title else level or 1)
        elif self._styles.is_list_item(element):
            self.builder.paragraph(f"- {text}", "\n" if self.builder.last_block.startswith("- ") else "\n\n")
        else:
            self.builder.paragraph(text)

    def _table(self, element: Element) -> None:
        rows: list[list[str]] = []
        named: bool | None = None
        for row in element.iter(f"{W}tr"):
            cells: list[str] = []
            for cell in row.findall(f"{W}tc"):
                span = cell.find(f"{W}tcPr/{W}gridSpan")
                cells.append(" ".join(" ".join(self._text(cell)).split()))
                width = span.get(f"{W}val", "1") if span is not None else "1"
                cells.extend([""] * (min(int(width), 50) - 1 if width.isdigit() else 0))
            if not rows and row.find(f"{W}trPr/{W}tblHeader") is not None:
                named = True
            if any(cells):
                rows.append(cells)
        for sentence in row_sentences(rows, has_header=named):
            self.builder.paragraph(sentence)

    def _text(self, element: Element) -> Iterator[str]:
        """Yield the text of each paragraph below an element."""
        for paragraph in element.iter(f"{W}p"):
            yield "".join(self._pieces(paragraph))

    def _pieces(self, element: Element) -> Iterator[str]:
        for child in element:
            tag = child.tag
            if tag == f"{W}t":
                yield child.text or ""
            elif tag in (f"{W}footnoteReference", f"{W}endnoteReference"):
                kind = tag.removeprefix(W).removesuffix("Reference")
                number = self._notes.setdefault((kind, child.get(f"{W}id", "")), len(self._notes) + 1)
                yield f"[{number}]"
            elif tag.removeprefix(W) in _FIXED:
                yield _FIXED[tag.removeprefix(W)]
            elif tag not in _SKIPPED:
                yield from self._pieces(child)


def _tidy(text: str) -> str:
    """Return a text without white space at the ends of its lines."""
    lines = (re.sub(r"[ \t\u00a0]+", " ", line).strip() for line in text.split("\n"))
    return "\n".join(line for line in lines if line)


def _properties(container: Container) -> dict[str, str]:
    """Return title, creator, dates and so on."""
    if "docProps/core.xml" not in container:
        return {}
    root = container.xml("docProps/core.xml")
    return {child.tag.rpartition("}")[2]: (child.text or "").strip() for child in root}
