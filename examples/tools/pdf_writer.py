"""Writing a source as a PDF: a running header, page numbers, tables, footnotes; in one column or two."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from xml.sax.saxutils import escape

from corpus_source import Block, Page, Run, Source
from reportlab.lib import colors
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import (
    BaseDocTemplate,
    Flowable,
    Frame,
    FrameBreak,
    PageBreak,
    PageTemplate,
    Paragraph,
    Spacer,
    Table,
)

WIDTH, HEIGHT = A4
MARGIN = 22 * mm
INNER = WIDTH - 2 * MARGIN
BODY = ParagraphStyle("body", fontName="Times-Roman", fontSize=10.5, leading=14, spaceAfter=5)
NARROW = ParagraphStyle("narrow", parent=BODY, fontSize=9.5, leading=12, spaceAfter=4, alignment=4)
NOTE = ParagraphStyle("note", parent=BODY, fontSize=8, leading=10, spaceAfter=0)
CELL = ParagraphStyle("cell", parent=BODY, fontName="Helvetica", fontSize=9, leading=11, spaceAfter=0)
HEAD = ParagraphStyle("head", parent=CELL, fontName="Helvetica-Bold")
HEADINGS = [
    ParagraphStyle("h1", fontName="Helvetica-Bold", fontSize=17, leading=21, spaceAfter=8),
    ParagraphStyle("h2", fontName="Helvetica-Bold", fontSize=12, leading=15, spaceBefore=8, spaceAfter=4),
    ParagraphStyle("h3", fontName="Helvetica-Oblique", fontSize=11, leading=14, spaceBefore=4, spaceAfter=3),
]


def write_pdf(source: Source, path: Path) -> None:
    """Write the source as a PDF whose bytes depend on nothing but the source and the library's version."""
    columns = source.metadata["layout"] == "two-columns"
    document = BaseDocTemplate(
        str(path),
        pagesize=A4,
        invariant=1,
        title=source.metadata["title"],
        author=source.metadata["author"],
        subject=source.metadata["date"],
        lang=source.metadata.get("language", "en"),
    )

    def furnish(canvas: Canvas, _: BaseDocTemplate) -> None:
        _header_and_footer(canvas, source)

    document.addPageTemplates(
        [
            PageTemplate(
                "first", _frames(columns, title=26 * mm), onPageEnd=furnish, autoNextPageTemplate="later"
            ),
            PageTemplate("later", _frames(columns, title=0), onPageEnd=furnish),
        ]
    )
    with _dated(source.metadata["date"]):
        document.build(_story(source, columns))
    if document.page != _page_count(source):
        raise SystemExit(f"{path.name}: {document.page} pages, but the source says {_page_count(source)}")


@contextmanager
def _dated(date: str) -> Iterator[None]:
    # The library takes the date of a document from this variable, so that no clock gets into the file.
    seconds = datetime.fromisoformat(date).replace(tzinfo=UTC).timestamp()
    os.environ["SOURCE_DATE_EPOCH"] = str(int(seconds))
    try:
        yield
    finally:
        del os.environ["SOURCE_DATE_EPOCH"]


def _page_count(source: Source) -> int:
    # A source without page breaks may flow over several pages; its footnotes stand on the first.
    return int(source.metadata.get("pages", len(source.pages)))


def _frames(columns: bool, title: float) -> list[Frame]:
    top, bottom = HEIGHT - 28 * mm, 30 * mm
    if not columns:
        return [Frame(MARGIN, bottom, INNER, top - bottom, 0, 0, 0, 0)]
    gap = 7 * mm
    width = (INNER - gap) / 2
    beside = [
        Frame(left, bottom, width, top - title - bottom, 0, 0, 0, 0)
        for left in (MARGIN, MARGIN + width + gap)
    ]
    return [Frame(MARGIN, top - title, INNER, title, 0, 0, 0, 0), *beside] if title else beside


def _story(source: Source, columns: bool) -> list[Flowable]:
    story: list[Flowable] = []
    for page in source.pages:
        if story:
            story.append(PageBreak())
        for block in page.blocks:
            # In two columns, the title and the line below it stand above both.
            if columns and block.kind == "heading" and block.level == 2 and FrameBreak not in story:
                story.append(FrameBreak)
            story.extend(_flowables(block, page, NARROW if columns else BODY))
    return story


def _flowables(block: Block, page: Page, body: ParagraphStyle) -> list[Flowable]:
    match block.kind:
        case "heading":
            return [Paragraph(_markup(block.runs), HEADINGS[block.level - 1])]
        case "bullet":
            return [Paragraph(_markup(block.runs), _item(body), bulletText="•")]
        case "number":
            numbered = [other for other in page.blocks if other.kind == "number"]
            return [Paragraph(_markup(block.runs), _item(body), bulletText=f"{numbered.index(block) + 1}.")]
        case "table":
            return [_table(block, body), Spacer(0, 8)]
        case _:
            return [Paragraph(_markup(block.runs), body)]


def _item(body: ParagraphStyle) -> ParagraphStyle:
    return ParagraphStyle("item", parent=body, leftIndent=14, bulletIndent=3)


def _table(block: Block, body: ParagraphStyle) -> Table:
    space = INNER / 2 - 5 * mm if body is NARROW else INNER
    cells = [
        [Paragraph(_markup(cell), CELL if i else HEAD) for cell in row] for i, row in enumerate(block.rows)
    ]
    widths = [max(len(_plain(row[i])) for row in block.rows) + 4 for i in range(len(block.rows[0]))]
    scale = min(space / sum(widths), 2.6 * mm)
    table = Table(cells, colWidths=[width * scale for width in widths], hAlign="LEFT", spaceBefore=4)
    table.setStyle(
        [("LINEBELOW", (0, 0), (-1, 0), 0.8, colors.black), ("LINEBELOW", (0, 1), (-1, -1), 0.3, colors.grey)]
    )
    return table


def _header_and_footer(canvas: Canvas, source: Source) -> None:
    number = canvas.getPageNumber()
    canvas.setFont("Helvetica", 8)
    canvas.drawString(MARGIN, HEIGHT - 18 * mm, source.metadata["header"])
    canvas.line(MARGIN, HEIGHT - 20 * mm, WIDTH - MARGIN, HEIGHT - 20 * mm)
    canvas.drawCentredString(WIDTH / 2, 12 * mm, f"Page {number} of {_page_count(source)}")
    height = 26 * mm
    notes = source.pages[number - 1].notes if number <= len(source.pages) else {}
    for mark, text in notes.items():
        if height == 26 * mm:
            canvas.line(MARGIN, height, MARGIN + 50 * mm, height)
        note = Paragraph(f"<super>{mark}</super> {escape(text)}", NOTE)
        height -= note.wrap(INNER, HEIGHT)[1]
        note.drawOn(canvas, MARGIN, height - 2)


def _plain(runs: tuple[Run, ...]) -> str:
    return "".join(run.text for run in runs)


def _markup(runs: tuple[Run, ...]) -> str:
    pieces = []
    for run in runs:
        text = escape(run.text)
        text = f"<b>{text}</b>" if run.bold else text
        text = f"<i>{text}</i>" if run.italic else text
        pieces.append(f"<super>{text}</super>" if run.note else text)
    return "".join(pieces)
