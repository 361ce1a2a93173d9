"""Read PDF files: their text in reading order, page by page, without headers, footers and page numbers."""

from __future__ import annotations

import re
import threading
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from probative.corpus.documents.document import Document
from probative.corpus.readers.pdf_blocks import (
    Block,
    Headings,
    Line,
    LineJoiner,
    blocks_of,
    bring_together,
    continues,
    joined,
    lines_of,
    with_column_names,
)
from probative.corpus.readers.pdf_runs import Underscores, page_runs, regions, short_rules
from probative.corpus.readers.text_builder import FileContent, TextBuilder, document_of
from probative.errors import UnreadableError
from probative.text.counted import counted

MAX_PAGES = 20_000
_PDFIUM = threading.Lock()
"""pdfium keeps global state: one thread at a time."""
_DATE = re.compile(r"(?:D:)?(\d{4})(\d{2})?(\d{2})?")
# Titles that programs put in by themselves.
_NO_TITLE = re.compile(
    r"\(?(?:anonymous|unspecified|untitled|unknown)\)?|microsoft \w+ - .*"
    r"|.*\.(?:docx?|indd|tex|dvi|odt|pdf|rtf)",
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
    with _PDFIUM:
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
    blocks = _blocks(pages, joiner)
    headings = Headings(block for page in blocks for block in page)
    builder = TextBuilder()
    last: Block | None = None
    for page in blocks:
        _add_page(builder, page, last, headings, joiner)
        last = page[-1] if page else last
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
    """Remove running headers, footers and page numbers."""
    flat = [[line for region in page.regions for line in region] for page in pages]
    keys = [margin_keys(lines, page.height) for lines, page in zip(flat, pages, strict=True)]
    repeated = repeated_keys(keys)
    numbered = numbered_lines(flat, [page.height for page in pages])
    for page, lines, own in zip(pages, flat, keys, strict=True):
        dropped = {
            id(line)
            for index, line in enumerate(lines)
            if own.get(index) in repeated or id(line) in numbered or is_page_number(line, page.height)
        }
        kept = [[line for line in region if id(line) not in dropped] for region in page.regions]
        page.regions = [region for region in kept if region]


def _blocks(pages: Sequence[_Page], joiner: LineJoiner) -> list[list[Block]]:
    """Return the blocks of each page; a paragraph that goes on elsewhere is the last one of its page."""
    parts = [
        [list(blocks_of(region, number, joiner)) for region in page.regions]
        for number, page in enumerate(pages, start=1)
    ]
    sizes: Counter[float] = Counter()
    for block in (block for page in parts for region in page for block in region):
        sizes[block.size] += len(block.text)
    body = sizes.most_common(1)[0][0]
    blocks: list[list[Block]] = []
    for page in parts:
        for one, other in pairwise(page):
            bring_together(one, other, body)
        blocks.append(list(with_column_names(joined((each for region in page for each in region), joiner))))
    for one, other in pairwise(page for page in blocks if page):
        bring_together(one, other, body)
    return blocks


def _add_page(
    builder: TextBuilder, blocks: list[Block], last: Block | None, headings: Headings, joiner: LineJoiner
) -> None:
    """Add the blocks of a page. A paragraph that began on the page before, its `last` block, goes on."""
    if last is not None and blocks and builder.last_block and continues(last, blocks[0]):
        first = blocks[0].text
        builder.continue_on_page(
            first,
            dropped=joiner.dropped(builder.last_block, first),
            separator=joiner.separator(builder.last_block, first),
        )
        blocks = blocks[1:]
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


# Headers and footers stand within this share of the height, from the top and the bottom.
_MARGIN = 0.12
_MAX_DIGITS = 5
_PAGE_NUMBER = re.compile(
    r"[\W_]*(?:(?:page|seite|página|pagina|sida|side|s\.|p\.)\s*)?(?:\d{1,4}|[ivxlc]{1,7})"
    r"(?:\s*(?:/|of|von|de|av)\s*\d{1,4})?[\W_]*",
    re.IGNORECASE,
)


def margin_keys(lines: Sequence[Line], height: float) -> dict[int, str]:
    """Return the key of each line in the margins, by its index: the text without its numbers, which change
    from page to page.
    """
    keys = {}
    for index, line in enumerate(lines):
        if _in_margin(line, height):
            side = "top" if line.middle > height / 2 else "bottom"
            # The size is part of it: a title that is also the running header stays on its first page.
            keys[index] = f"{side} {line.size} {re.sub(r'[0-9]+', '#', line.text)}"
    return keys


def numbered_lines(pages: Sequence[Sequence[Line]], heights: Sequence[float]) -> frozenset[int]:
    """Return the ids of margin lines with a page number beside other words ("Chapter 2 | 31"): a cell that is
    a number which grows with the pages.
    """
    found: dict[int, list[int]] = {}
    for page, (lines, height) in enumerate(zip(pages, heights, strict=True)):
        for line in lines:
            cells = line.text.split(" | ")
            if len(cells) > 1 and _in_margin(line, height):
                for cell in (cells[0], cells[-1]):
                    if cell.isdecimal() and len(cell) <= _MAX_DIGITS:
                        found.setdefault(int(cell) - page, []).append(id(line))
    return frozenset(line for lines in found.values() if len(lines) > 1 for line in lines)


def _in_margin(line: Line, height: float) -> bool:
    return line.middle > (1 - _MARGIN) * height or line.middle < _MARGIN * height


def repeated_keys(pages: Sequence[dict[int, str]]) -> frozenset[str]:
    """Return the keys of headers and footers: on at least two pages, or on a tenth of many pages (a book has
    other ones on left and right pages, and in each chapter).
    """
    counts = Counter(key for keys in pages for key in set(keys.values()))
    least = max(2, len(pages) // 10) if len(pages) > 9 else 2
    return frozenset(key for key, count in counts.items() if count >= least)


def is_page_number(line: Line, height: float) -> bool:
    """Return whether a line in a margin is only a page number."""
    return _in_margin(line, height) and _PAGE_NUMBER.fullmatch(line.text) is not None
