"""Read text documents of OpenDocument (ODT): headings, lists, tables and footnotes."""

from __future__ import annotations

from collections import deque
from xml.etree.ElementTree import Element

from probative.corpus.documents.document import Document
from probative.corpus.readers.odf_package import (
    CONTENT,
    Rows,
    attribute,
    blocks_of,
    check_protection,
    lines_of,
    metadata,
    number_in,
)
from probative.corpus.readers.sheet import table_texts
from probative.corpus.readers.table import add_table
from probative.corpus.readers.text_builder import FileContent, TextBuilder, document_of
from probative.corpus.readers.zip_documents import Container, local_name


def read_odt(content: FileContent) -> Document:
    """Return the document of an ODT file, without comments and what was deleted in tracked changes."""
    with Container(content) as container:
        check_protection(container)
        root = container.xml(CONTENT)
        fields = metadata(container)
    reading = _Reading(root)
    for body in (each for each in root if local_name(each) == "body"):
        reading.blocks(body)
    reading.end()
    return document_of(
        content,
        reading.builder,
        title=fields.pop("title", "") or reading.title,
        language=fields.pop("language", ""),
        date=fields.pop("date", None),
        date_source="file properties",
        metadata=fields,
    )


class _Reading:
    """The blocks of a document so far, and its notes in the order of their numbers."""

    def __init__(self, root: Element) -> None:
        self.builder = TextBuilder()
        self.title = ""
        self._notes: list[Element] = []
        # A paragraph with a format of its own has a style that is based on that of its kind.
        self._titles = {"Title"} | {
            attribute(each, "name")
            for each in root.iter()
            if local_name(each) == "style" and attribute(each, "parent-style-name") == "Title"
        }

    def blocks(self, parent: Element) -> None:
        """Add the headings, paragraphs and tables below an element, then those in their frames and cells."""
        blocks = deque(blocks_of(parent))
        while blocks:
            block, is_item = blocks.popleft()
            inner = (
                self._table(block)
                if local_name(block) == "table"
                else self._paragraph(block, is_item=is_item)
            )
            blocks += ((each, False) for each in inner)

    def end(self) -> None:
        """Add the footnotes, each after its number."""
        for number, note in enumerate(self._notes, start=1):
            body = [child for child in note if local_name(child) == "note-body"]
            texts = [lines_of(block, [], []) for each in body for block, _ in blocks_of(each)]
            text = " ".join(" ".join(texts).split())
            self.builder.paragraph(f"[{number}] {text}" if text else "")

    def _paragraph(self, element: Element, *, is_item: bool) -> list[Element]:
        """Add a paragraph or a heading; return the frames that stand on it."""
        inner: list[Element] = []
        text = lines_of(element, self._notes, inner)
        is_title = attribute(element, "style-name") in self._titles
        if is_title and not self.title:
            self.title = " ".join(text.split())
        if is_title or local_name(element) == "h":
            self.builder.heading(text, 1 if is_title else number_in(element, "outline-level"))
        elif is_item and text:
            separator = "\n" if self.builder.last_block.startswith("- ") else "\n\n"
            self.builder.paragraph(f"- {text}", separator)
        else:
            self.builder.paragraph(text)
        return inner

    def _table(self, table: Element) -> list[Element]:
        """Add a table; return the tables inside its cells."""
        rows = Rows(attribute(table, "name"), self._notes)
        named: bool | None = None
        left = list(reversed(table))
        while left:
            child = left.pop()
            name = local_name(child)
            if name == "table-row":
                rows.add(child)
            elif name == "table-header-rows" and not rows.sheet.rows:
                named = True
            if name in ("table-header-rows", "table-rows", "table-row-group"):
                left += reversed(child)
        add_table(self.builder, table_texts(rows.sheet), has_header=named)
        return rows.inner
