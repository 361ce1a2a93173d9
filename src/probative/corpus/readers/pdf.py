"""Read PDF files: their text in reading order, page by page, without headers, footers and page numbers."""

from __future__ import annotations

import re
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from probative.corpus.documents.document import Document
from probative.corpus.readers.pdf_blocks import Block, Headings, Line, LineJoiner, lines_of, page_blocks
from probative.corpus.readers.pdf_runs import Underscores, page_runs, regions, short_rules
from probative.corpus.readers.text_builder import FileContent, TextBuilder, document_of
from probative.errors import UnreadableError
from probative.text.labels import counted

MAX_PAGES = 20_000
PDFIUM = threading.Lock()
"""pdfium keeps global state: one thread at a time."""
_DATE = re.compile(r"(?:D:)?(\d{4})(\d{2})?(\d{2})?")
# Titles that programs put in by themselves.
_NO_TITLE = re.compile(
    r"\(?(?:anonymous|unspecified|untitled|unknown)\)?|microsoft \w+ - .*"
    r"|.*\.(?:docx?|indd|tex|dvi|odt|pdf|rtf)",
    re.IGNORECASE,
)

# Headers and footers stand within this share of the height, from the top and the bottom.
_MARGIN = 0.12
_MAX_DIGITS = 5
_PAGE_NUMBER = re.compile(
    r"[\W_]*(?:(?:page|seite|página|pagina|sida|side|s\.|p\.)\s*)?(?:\d{1,4}|[ivxlc]{1,7})"
    r"(?:\s*(?:/|of|von|de|av)\s*\d{1,4})?[\W_]*",
    re.IGNORECASE,
)


@dataclass
class _Page:
    """The regions of a page, each a column or a part of one."""

    height: float
    regions: list[list[Line]]
    has_images: bool


def read_pdf(content: FileContent) -> Document:
    """Return the document of a PDF; raises `UnreadableError` if it is encrypted, damaged or scanned."""
    with PDFIUM:
        pages, fields = _pages(content)
    empty = [number for number, page in enumerate(pages, start=1) if not page.regions]
    if len(empty) == len(pages):
        scanned = any(page.has_images for page in pages)
        raise UnreadableError(
            "scanned" if scanned else "empty",
            f"{content.source} has {counted(len(pages), 'page')} of images without text"
            if scanned
            else f"{content.source} has no text",
            hint="make a text layer with an OCR program, such as ocrmypdf" if scanned else "",
        )
    _drop_margins(pages)
    joiner = LineJoiner(line.text for page in pages for region in page.regions for line in region)
    blocks = page_blocks([page.regions for page in pages], joiner)
    headings = Headings(block for page in blocks for block in page)
    builder = TextBuilder()
    for page in blocks:
        _add_page(builder, page, headings, joiner)
    return document_of(
        content,
        builder,
        title=_title(fields, headings),
        language=fields.get("Lang", ""),
        date=_date(fields.get("CreationDate", "")),
        date_source="file properties",
        metadata={"author": _field(fields, "Author"), "subject": _field(fields, "Subject")},
        notes=_notes(empty, pages),
    )


def _pages(content: FileContent) -> tuple[list[_Page], dict[str, str]]:
    """Return the pages and the metadata of a PDF."""
    import pypdfium2
    import pypdfium2.raw as raw

    try:
        pdf = pypdfium2.PdfDocument(content.data)
    except pypdfium2.PdfiumError as error:
        if getattr(error, "err_code", None) == raw.FPDF_ERR_PASSWORD or "password" in str(error).lower():
            raise UnreadableError(
                "encrypted",
                f"{content.source} is protected by a password",
                hint="save it without the password",
            ) from None
        raise UnreadableError("damaged", f"{content.source} is a damaged PDF: {error}") from error
    try:
        if len(pdf) > MAX_PAGES:
            raise UnreadableError("too large", f"{content.source} has {len(pdf):,} pages", hint="split it")
        return [_page(pdf, index) for index in range(len(pdf))], dict(pdf.get_metadata_dict())
    except pypdfium2.PdfiumError as error:
        raise UnreadableError("damaged", f"{content.source} is a damaged PDF: {error}") from error
    finally:
        pdf.close()


def _page(pdf: Any, index: int) -> _Page:
    import pypdfium2.raw as raw

    page = pdf[index]
    textpage = page.get_textpage()
    runs = page_runs(textpage, Underscores(short_rules(page)))
    textpage.close()
    height = page.get_height()
    has_images = not runs and any(
        True for _ in page.get_objects(filter=[raw.FPDF_PAGEOBJ_IMAGE], max_depth=3)
    )
    page.close()
    return _Page(height, [lines_of(region) for region in regions(runs)] if runs else [], has_images)


def _drop_margins(pages: Sequence[_Page]) -> None:
    """Remove running headers, footers and page numbers.

    A header or footer is the same, but for its numbers, on two pages, or on a tenth of many pages (a book has
    other ones on left and right pages, and in each chapter). A page number stands alone, or beside other
    words ("Chapter 2 | 31") as a cell that grows with the pages.
    """
    repeated: dict[str, list[tuple[int, int]]] = {}
    growing: dict[int, list[int]] = {}
    dropped: set[int] = set()
    for number, page in enumerate(pages):
        for line in (line for region in page.regions for line in region):
            if _MARGIN * page.height <= line.middle <= (1 - _MARGIN) * page.height:
                continue
            side = "top" if line.middle > page.height / 2 else "bottom"
            # The size is part of it: a title that is also the running header stays on its first page.
            key = f"{side} {line.size} {re.sub(r'[0-9]+', '#', line.text)}"
            repeated.setdefault(key, []).append((number, id(line)))
            cells = line.text.split(" | ")
            for cell in (cells[0], cells[-1]) if len(cells) > 1 else ():
                if cell.isdecimal() and len(cell) <= _MAX_DIGITS:
                    growing.setdefault(int(cell) - number, []).append(id(line))
            if _PAGE_NUMBER.fullmatch(line.text):
                dropped.add(id(line))
    for members in repeated.values():
        if len({number for number, _ in members}) >= max(2, len(pages) // 10):
            dropped.update(line for _, line in members)
    for lines in growing.values():
        dropped.update(lines if len(lines) > 1 else ())
    for page in pages:
        regions = [[line for line in region if id(line) not in dropped] for region in page.regions]
        page.regions = [region for region in regions if region]


def _add_page(builder: TextBuilder, blocks: list[Block], headings: Headings, joiner: LineJoiner) -> None:
    """Add the blocks of a page. A paragraph that began on the page before goes on."""
    if blocks and blocks[0].is_rest and builder.last_block:
        first, blocks = blocks[0].text, blocks[1:]
        builder.continue_on_page(first, joiner.head(builder.last_block, first))
    else:
        builder.page()
    for block in blocks:
        level = headings.level(block)
        if level is not None:
            builder.heading(block.text, level)
        else:
            builder.paragraph(block.text)


def _title(fields: dict[str, str], headings: Headings) -> str:
    title = fields.get("Title", "").strip()
    return headings.title if not title or _NO_TITLE.fullmatch(title) else title


def _field(fields: dict[str, str], name: str) -> str:
    value = fields.get(name, "").strip()
    return "" if value.lower() in ("anonymous", "unspecified", "unknown") else value


def _date(text: str) -> str | None:
    match = _DATE.match(text)
    return "-".join(part for part in match.groups() if part) if match else None


def _notes(empty: Sequence[int], pages: Sequence[_Page]) -> list[str]:
    if not empty:
        return []
    scanned = [number for number in empty if pages[number - 1].has_images]
    numbers = ", ".join(map(str, scanned[:10])) + ("…" if len(scanned) > 10 else "")
    return [f"{len(scanned)} of {len(pages)} pages are images without text: {numbers}"] if scanned else []
