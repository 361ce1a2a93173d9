"""What a reader kept of a document's form: its headings, tables, slides and sheets, for the page to show."""

from __future__ import annotations

from itertools import groupby

from probative.corpus.documents.document import Document, Layout, reader_of
from probative.corpus.documents.places import Table
from probative.types import Value


class TextHeading(Value):
    """The characters of a heading, its level (1 is the highest) and its text on one line."""

    start: int
    end: int
    level: int
    text: str


class SheetStart(Value):
    """The name of a sheet, and where its text begins."""

    start: int
    name: str


class TextStructure(Value):
    """How a text is shown. `lines`: as it is; `blocks`: two line ends are between blocks, which are headings,
    rows of tables, items of lists (`- ` or `1. ` before each line) and paragraphs; `markdown`: as Markdown.

    `pages` and `slides` are the offsets at which each of them begins, `ocr` has the parts that were read by
    OCR. All offsets are characters of the text.
    """

    layout: Layout
    headings: tuple[TextHeading, ...] = ()
    tables: tuple[Table, ...] = ()
    pages: tuple[int, ...] = ()
    slides: tuple[int, ...] = ()
    sheets: tuple[SheetStart, ...] = ()
    ocr: tuple[tuple[int, int], ...] = ()


def structure_of(document: Document) -> TextStructure:
    """Return the structure of a document's text.

    >>> from probative.corpus.documents.places import Cells
    >>> rows = [Cells(start=at, sheet=name) for at, name in ((0, "Ropes"), (9, "Ropes"), (30, "Tar"))]
    >>> [sheet.start for sheet in structure_of(Document(source="a.xlsx", text="", cells=tuple(rows))).sheets]
    [0, 30]
    """
    sheets = (next(cells) for _, cells in groupby(document.cells, key=lambda each: each.sheet))
    return TextStructure(
        layout=document.layout,
        headings=tuple(TextHeading(**dict(heading)) for heading in document.headings),
        tables=document.tables,
        pages=document.pages,
        slides=document.slides,
        sheets=tuple(SheetStart(start=each.start, name=each.sheet) for each in sheets),
        ocr=_read_by_ocr(document),
    )


def _read_by_ocr(document: Document) -> tuple[tuple[int, int], ...]:
    """Return the parts of a document that were read by OCR: all of it, or some of its pages."""
    if reader_of(document.metadata) is not None:
        return ((0, len(document.text)),)
    return tuple((each.start, each.end) for each in document.records if reader_of(each.metadata) is not None)
