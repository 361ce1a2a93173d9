"""Read PDF files: their text in reading order, page by page, without headers, footers and page numbers. Pages
without text are read by OCR.
"""

from __future__ import annotations

import re
import threading
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from typing import Any

from probative.corpus.documents.document import READ_BY_OCR, Document, Record
from probative.corpus.documents.places import WordBox
from probative.corpus.readers import ocr
from probative.corpus.readers.ocr_page import ScannedPage, level_sizes, scanned_page, word_boxes, words_of
from probative.corpus.readers.pdf_blocks import Block, Headings, Line, LineJoiner, lines_of, page_blocks
from probative.corpus.readers.pdf_cells import add_table_rows
from probative.corpus.readers.pdf_columns import with_aligned_tables, with_ruled_tables
from probative.corpus.readers.pdf_rules import Drawings, Shares, Underscores, Walls, drawings_of
from probative.corpus.readers.pdf_runs import page_runs, regions
from probative.corpus.readers.text_builder import FileContent, TextBuilder, document_of
from probative.errors import UnreadableError, install_command
from probative.text.labels import counted

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
# Pixels a point: 200 dpi, as most scans are.
_DRAWN = 200 / 72
# On a page without text, this many outlines are letters that were drawn.
_MIN_OUTLINES = 200

# Headers and footers stand within this share of the height, from the top and the bottom.
_MARGIN = 0.12
_MAX_DIGITS = 5
_PAGE_NUMBER = re.compile(
    r"[\W_]*(?:(?:page|seite|página|pagina|sida|side|s\.|p\.)\s*)?(?:\d{1,4}|[ivxlc]{1,7})"
    r"(?:\s*(?:/|of|von|de|av)\s*\d{1,4})?[\W_]*",
    re.IGNORECASE,
)


@dataclass
class Page:
    """The regions of a page, each a column or a part of one; `words` are those that were read by OCR.
    `shares` tells where a box of the file is on the page as it is shown.
    """

    height: float
    regions: list[list[Line]]
    has_pictures: bool = False
    words: tuple[ocr.Word, ...] = ()
    shares: Shares | None = None


def read_pdf(content: FileContent) -> Document:
    """Return the document of a PDF; raises `UnreadableError` if it is encrypted, damaged or scanned."""
    pages, fields = read_pages(content)
    pictures = [number for number, page in enumerate(pages, 1) if page.has_pictures]
    notes: list[str] = []
    if pictures and ocr.is_installed():
        scans = (_scan(content, number) for number in pictures[: content.max_ocr_pages])
        notes += add_scans(pages, dict(zip(pictures, scans, strict=False)))
        if len(pictures) > content.max_ocr_pages:
            notes.append(f"no more than {counted(content.max_ocr_pages, 'page')} are read by OCR")
    elif pictures and not any(page.regions for page in pages):
        raise ocr.not_installed(
            "scanned", f"{content.source} has {counted(len(pages), 'page')} of images without text"
        )
    elif pictures:
        notes.append(
            f"{_of(pictures, pages)} without text; to read pictures by OCR: {install_command(ocr.EXTRA)}"
        )
    return document_of_pages(content, pages, fields, notes)


def document_of_pages(
    content: FileContent, pages: list[Page], fields: Mapping[str, str], notes: Sequence[str]
) -> Document:
    """Return the document of a file from its pages; `fields` are called as in a PDF."""
    if not any(page.regions for page in pages):
        found = ": OCR found no words" if any(page.has_pictures for page in pages) else ""
        raise UnreadableError("empty", f"{content.source} has no text{found}")
    blocks, joiner = blocks_of_pages(pages)
    headings = Headings(block for page in blocks for block in page)
    builder = TextBuilder()
    boxes: list[WordBox] = []
    for page, its_blocks in zip(pages, blocks, strict=True):
        boxes += _add_page(builder, its_blocks, headings, joiner, page.shares)
    document = document_of(
        content,
        builder,
        title=_title(fields, headings),
        language=fields.get("Lang", ""),
        date=_date(fields.get("CreationDate", "")),
        date_source="file properties",
        metadata={"author": _field(fields, "Author"), "subject": _field(fields, "Subject")},
        notes=notes,
    )
    return _with_words(document.model_copy(update={"words": tuple(boxes)}), pages)


def blocks_of_pages(pages: Sequence[Page]) -> tuple[list[list[Block]], LineJoiner]:
    """Return the blocks of each page, without headers and footers, and what joins their lines."""
    _drop_margins(pages)
    joiner = LineJoiner(line.text for page in pages for region in page.regions for line in region)
    return page_blocks([page.regions for page in pages], joiner), joiner


def add_scans(pages: Sequence[Page], scans: Mapping[int, ScannedPage]) -> list[str]:
    """Add what OCR read on pages, by their numbers; return the notes on it."""
    characters: Counter[float] = Counter()
    for line in (line for page in pages for region in page.regions for line in region):
        characters[line.size] += len(line.text)
    level_sizes(list(scans.values()), max(characters, key=characters.__getitem__, default=None))
    for number, scan in scans.items():
        page = pages[number - 1]
        parts = list(regions(scan.runs)) if scan.runs else []
        page.regions, page.height = (
            [lines_of(with_aligned_tables(part, Drawings())) for part in parts],
            scan.height,
        )
        page.words = tuple(word for part in parts for run in part for word in words_of(run))
    read = [number for number in scans if pages[number - 1].regions]
    hard = [number for number, scan in scans.items() if scan.is_hard_to_read]
    notes = [f"{_of(read, pages)} read by OCR"] if read else []
    return notes + ([f"{_of(hard, pages)} hard to read: its words may be wrong"] if hard else [])


def _of(numbers: Sequence[int], pages: Sequence[Page]) -> str:
    """Return how many pages something is said of, and which."""
    if len(pages) == 1:
        return "the page is"
    which = ", ".join(map(str, numbers[:10])) + ("…" if len(numbers) > 10 else "")
    return f"{len(numbers)} of {len(pages)} pages ({which}) {'is' if len(numbers) == 1 else 'are'}"


def _with_words(document: Document, pages: Sequence[Page]) -> Document:
    """Return a document with the places of the words that were read by OCR, and said to be read so: as a
    whole, or in records of the pages that were.
    """
    ends = [*document.pages[1:], len(document.text)]
    scanned = [bool(page.words) for page in pages]
    if not any(scanned):
        return document
    boxes = list(document.words)
    records: list[Record] = []
    for page, start, end in zip(pages, document.pages, ends, strict=True):
        if not page.words:
            continue
        boxes += word_boxes(document.text, start, end, page.words)
        if records and records[-1].end == start:
            start = records.pop().start
        records.append(Record(start=start, end=end, metadata=READ_BY_OCR))
    if all(read or not page.regions for read, page in zip(scanned, pages, strict=True)):
        metadata = {**document.metadata, **READ_BY_OCR}
        return document.model_copy(update={"words": tuple(sorted(boxes)), "metadata": metadata})
    return document.model_copy(update={"words": tuple(sorted(boxes)), "records": tuple(records)})


@contextmanager
def opened_pdf(content: FileContent, fault: str = "is a damaged PDF") -> Iterator[Any]:
    """Yield a PDF, one at a time in all threads; a fault of it is an `UnreadableError`."""
    import pypdfium2
    import pypdfium2.raw as raw

    with _PDFIUM:
        try:
            with closing(pypdfium2.PdfDocument(content.data)) as pdf:
                yield pdf
        except pypdfium2.PdfiumError as error:
            if getattr(error, "err_code", None) == raw.FPDF_ERR_PASSWORD or "password" in str(error).lower():
                raise UnreadableError(
                    "encrypted",
                    f"{content.source} is protected by a password",
                    hint="save it without the password",
                ) from None
            raise UnreadableError("damaged", f"{content.source} {fault}: {error}") from error


def read_pages(content: FileContent) -> tuple[list[Page], dict[str, str]]:
    """Return the pages and the metadata of a PDF."""
    with opened_pdf(content) as pdf:
        if len(pdf) > MAX_PAGES:
            raise UnreadableError("too large", f"{content.source} has {len(pdf):,} pages", hint="split it")
        return [_page(pdf, index) for index in range(len(pdf))], dict(pdf.get_metadata_dict())


def _page(pdf: Any, index: int) -> Page:
    page = pdf[index]
    textpage = page.get_textpage()
    drawings = drawings_of(page)
    runs = page_runs(textpage, Underscores(drawings.short), Walls(drawings.vertical))
    textpage.close()
    height, shares = page.get_height(), Shares.of(page)
    has_pictures = not runs and _has_pictures(page)
    page.close()
    parts = regions(with_ruled_tables(runs, drawings)) if runs else ()
    lines = [lines_of(with_aligned_tables(part, drawings)) for part in parts]
    return Page(height, lines, has_pictures, shares=shares)


def _has_pictures(page: Any) -> bool:
    """Return whether a page has an image, or letters that are drawn as outlines."""
    import pypdfium2.raw as raw

    kinds = [raw.FPDF_PAGEOBJ_IMAGE, raw.FPDF_PAGEOBJ_PATH]
    outlines = 0
    for item in page.get_objects(filter=kinds, max_depth=3):
        outlines += item.type == raw.FPDF_PAGEOBJ_PATH
        if item.type == raw.FPDF_PAGEOBJ_IMAGE or outlines >= _MIN_OUTLINES:
            return True
    return False


def _scan(content: FileContent, number: int) -> ScannedPage:
    """Draw a page and read it by OCR."""
    content.before_ocr()
    with opened_pdf(content) as pdf:
        page = pdf[number - 1]
        scale = min(_DRAWN, ocr.MAX_SIDE / max(*page.get_size(), 1.0))
        pixels = page.render(scale=scale).to_numpy()[:, :, :3].copy()
    return scanned_page(ocr.read_lines(pixels), 1 / scale)


def _drop_margins(pages: Sequence[Page]) -> None:
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


def _add_page(
    builder: TextBuilder,
    blocks: list[Block],
    headings: Headings,
    joiner: LineJoiner,
    shares: Shares | None,
) -> list[WordBox]:
    """Add the blocks of a page. A paragraph that began on the page before goes on. Return where the cells of
    tables stand.
    """
    boxes: list[WordBox] = []
    if blocks and blocks[0].is_rest and builder.last_block:
        first, blocks = blocks[0].text, blocks[1:]
        builder.continue_on_page(first, joiner.head(builder.last_block, first))
    else:
        builder.page()
    for block in blocks:
        level = headings.level(block)
        if block.table is not None:
            boxes += add_table_rows(builder, block.table, joiner, shares)
        elif level is not None:
            builder.heading(block.text, level)
        else:
            builder.paragraph(block.text)
    return boxes


def _title(fields: Mapping[str, str], headings: Headings) -> str:
    title = fields.get("Title", "").strip()
    return headings.title if not title or _NO_TITLE.fullmatch(title) else title


def _field(fields: Mapping[str, str], name: str) -> str:
    value = fields.get(name, "").strip()
    return "" if value.lower() in ("anonymous", "unspecified", "unknown") else value


def _date(text: str) -> str | None:
    match = _DATE.match(text)
    return "-".join(part for part in match.groups() if part) if match else None
