"""Read Word documents (DOCX): a zip file of XML, as ISO/IEC 29500 describes it."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Iterator
from xml.etree.ElementTree import Element

from probative.corpus.documents.document import Document
from probative.corpus.readers.office_package import made_on, properties
from probative.corpus.readers.table import add_table, spanned
from probative.corpus.readers.text_builder import FileContent, TextBuilder, document_of
from probative.corpus.readers.zip_documents import Container

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_CHOICE = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
_FIXED = {"tab": "\t", "br": "\n", "cr": "\n", "noBreakHyphen": "-", "softHyphen": ""}
_PARAGRAPH, _TABLE = f"{W}p", f"{W}tbl"
_PIECES = tuple(f"{W}{name}" for name in ("t", "footnoteReference", "endnoteReference", *_FIXED))
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
        fields = properties(container)
        date = made_on(fields, container.written("word/document.xml"))
    return document_of(
        content,
        reading.builder,
        title=fields.get("title", "") or reading.title,
        language=fields.get("language", ""),
        date=date,
        date_source="file properties",
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
        """Add the paragraphs and tables below an element; content controls and insertions hold them, too."""
        for element in _first(parent, _PARAGRAPH, _TABLE):
            if element.tag == _PARAGRAPH:
                self._paragraph(element)
            else:
                self._table(element)

    def add_notes(self, root: Element, kind: str) -> None:
        """Add the footnotes or endnotes that the text refers to, each after its number."""
        for note in root:
            number = self._notes.get((kind, note.get(f"{W}id", "")))
            text = self._text(_first(note, _PARAGRAPH))
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

    def _table(self, outermost: Element) -> None:
        """Add a table, then those inside its cells."""
        tables = deque([outermost])
        while tables:
            table = tables.popleft()
            rows: list[list[str]] = []
            named: bool | None = None
            for row in _first(table, f"{W}tr"):
                cells: list[str] = []
                for cell in _first(row, f"{W}tc"):
                    blocks = list(_first(cell, _PARAGRAPH, _TABLE))
                    tables += [block for block in blocks if block.tag == _TABLE]
                    text = self._text(block for block in blocks if block.tag == _PARAGRAPH)
                    cells += spanned(text, _value(cell, "tcPr", "gridSpan"))
                if not rows and row.find(f"{W}trPr/{W}tblHeader") is not None:
                    named = True
                if any(cells):
                    rows.append(cells)
            add_table(self.builder, rows, has_header=named)

    def _text(self, paragraphs: Iterable[Element]) -> str:
        """Return the text of paragraphs on one line."""
        return " ".join(" ".join("".join(self._pieces(each)) for each in paragraphs).split())

    def _pieces(self, element: Element) -> Iterator[str]:
        for child in _first(element, *_PIECES):
            tag = child.tag.removeprefix(W)
            if tag == "t":
                yield child.text or ""
            elif tag in _FIXED:
                yield _FIXED[tag]
            else:
                key = tag.removesuffix("Reference"), child.get(f"{W}id", "")
                yield f"[{self._notes.setdefault(key, len(self._notes) + 1)}]"


def _first(element: Element, *tags: str) -> Iterator[Element]:
    """Yield the elements with one of these tags below an element, and none that is inside another one.

    Every element is looked at once, however deep: tables and text boxes hold each other.
    """
    left = list(reversed(element))
    while left:
        child = left.pop()
        if child.tag in tags:
            yield child
        elif child.tag not in _SKIPPED:
            left += reversed(child)


def _tidy(text: str) -> str:
    """Return a text without white space at the ends of its lines."""
    lines = (re.sub(r"[ \t\u00a0]+", " ", line).strip() for line in text.split("\n"))
    return "\n".join(line for line in lines if line)


# Word keeps the English names of built-in styles in every language.
_HEADING = re.compile(r"heading (\d)", re.IGNORECASE)
_MAX_INHERITED = 20


class Styles:
    """The paragraph styles of a document, with what each inherits."""

    def __init__(self, root: Element | None) -> None:
        styles = root.iter(f"{W}style") if root is not None else ()
        self._styles = {style.get(f"{W}styleId", ""): style for style in styles}

    def level(self, paragraph: Element) -> int | None:
        """Return the level of a heading, from 1; None for other paragraphs."""
        for element in (paragraph, *self._inherited(paragraph)):
            outline = _value(element, "pPr", "outlineLvl")
            if outline.isdigit() and int(outline) < 9:  # levels count from 0, and 9 means text
                return int(outline) + 1
            if named := _HEADING.fullmatch(_value(element, "name")):
                return int(named[1])
        return None

    def is_title(self, paragraph: Element) -> bool:
        return any(_value(style, "name").lower() == "title" for style in self._inherited(paragraph))

    def is_list_item(self, paragraph: Element) -> bool:
        """Return whether a paragraph has a bullet or a number."""
        styles = (paragraph, *self._inherited(paragraph))
        numbering = (each.find(f"{W}pPr/{W}numPr/{W}numId") for each in styles)
        first = next((each for each in numbering if each is not None), None)
        return first is not None and first.get(f"{W}val") != "0"

    def _inherited(self, paragraph: Element) -> list[Element]:
        """Return the style of a paragraph and those that it is based on."""
        identifier = _value(paragraph, "pPr", "pStyle")
        styles: list[Element] = []
        # Styles may be based on one another.
        while identifier in self._styles and len(styles) < _MAX_INHERITED:
            styles.append(self._styles[identifier])
            identifier = _value(styles[-1], "basedOn")
        return styles


def _value(element: Element, *path: str) -> str:
    """Return the value of the element at a path below another one; "" if there is none."""
    child = element.find("/".join(f"{W}{name}" for name in path))
    return child.get(f"{W}val", "") if child is not None else ""
