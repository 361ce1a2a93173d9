"""From the bytes of a file to a document: read once, whole, and built from paragraphs, headings and pages."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from probative.corpus.documents.dates import (
    date_in_name,
    date_of_text,
    iso_date,
    language_code,
    title_from_name,
)
from probative.corpus.documents.document import DateSource, Document, Heading, Layout, Record, short
from probative.corpus.documents.places import Cells, Table
from probative.errors import UnreadableError
from probative.text.labels import counted
from probative.text.sentences import SAMPLE, detect_language

# A larger file is data or a scan. The longest novels have 3 MB of text; a PDF of 256 MB is full of images.
MAX_BYTES = 256 * 2**20
# Text of 64 million characters is a shelf of 60 books: more is an export that belongs into several files.
MAX_CHARACTERS = 64 * 2**20
MAX_OCR_PAGES = 500
"""Pages of a file that are read by OCR."""
_READS = 3


@dataclass(frozen=True)
class FileContent:
    """A file as a reader gets it: what it is called in the corpus, its path and its bytes.

    At most `max_ocr_pages` of its pages are read by OCR; `before_ocr` is called before each of them, which
    needs more time and memory than others.
    """

    source: str
    path: Path
    data: bytes
    max_ocr_pages: int = MAX_OCR_PAGES
    before_ocr: Callable[[], None] = lambda: None

    @property
    def suffix(self) -> str:
        """The last suffix in lower case, with its dot."""
        return self.path.suffix.lower()


def read_bytes(path: Path, source: str, max_bytes: int = MAX_BYTES) -> FileContent:
    """Read a file whole. Raises `UnreadableError` if it is too large, empty, no regular file, may not be
    read, or still changes after three attempts.
    """
    try:
        for _ in range(_READS):
            before = path.stat()
            _check_kind(before, source, max_bytes)
            with path.open("rb") as file:
                data = file.read(max_bytes + 1)
                after = os.fstat(file.fileno())
            if _version(before) == _version(after) and len(data) == after.st_size:
                if not data:
                    raise UnreadableError("empty", f"{source} is empty")
                return FileContent(source, path, data)
    except FileNotFoundError:
        raise UnreadableError("gone", f"{source} does not exist", hint="check the name") from None
    except OSError as error:
        raise UnreadableError("no access", f"{source} cannot be read: {error.strerror}") from error
    raise UnreadableError(
        "changing",
        f"{source} changed each time it was read",
        hint="wait until the program that writes it has ended",
    )


def _check_kind(status: os.stat_result, source: str, max_bytes: int) -> None:
    if not stat.S_ISREG(status.st_mode):  # a pipe or a device could block for ever
        raise UnreadableError("no file", f"{source} is not a regular file")
    if status.st_size > max_bytes:
        raise UnreadableError(
            "too large",
            f"{source} has {status.st_size:,} bytes, more than {max_bytes:,}",
            hint="split it, or raise max_bytes",
        )


def _version(status: os.stat_result) -> tuple[int, int, int]:
    return status.st_ino, status.st_size, status.st_mtime_ns


BLOCK_END = "\n\n"


class TextBuilder:
    r"""Collects blocks of text and knows the offsets of headings and pages.

    >>> builder = TextBuilder()
    >>> builder.heading("Fares", 1)
    >>> builder.paragraph("A ticket is 3 crowns.")
    >>> builder.text, builder.headings[0].end
    ('Fares\n\nA ticket is 3 crowns.', 5)
    """

    def __init__(self) -> None:
        self._parts: list[str] = []
        self.length = 0
        self.headings: list[Heading] = []
        self.pages: list[int] = []
        self.slides: list[int] = []
        self.cells: list[Cells] = []
        self.records: list[Record] = []
        self._tables: list[tuple[int, tuple[str, ...], list[tuple[int, ...]]]] = []
        self._table_end = -1

    @property
    def text(self) -> str:
        return "".join(self._parts)

    @property
    def next_offset(self) -> int:
        """The offset at which the next block starts."""
        return self.length + (len(BLOCK_END) if self.length else 0)

    def paragraph(self, text: str, separator: str = BLOCK_END) -> None:
        """Add a block; nothing if it is empty. `separator` stands between it and the block before."""
        for part in (separator if self.length else "", text) if text else ():
            self._parts.append(part)
            self.length += len(part)

    def row(self, names: Sequence[str], cells: Sequence[str]) -> None:
        r"""Note that the last block is a row with these cells, below the names of their columns.

        >>> builder = TextBuilder()
        >>> for berth in ("4", "5"):
        ...     builder.paragraph(f"boat: Gull; berth: {berth}")
        ...     builder.row(("boat", "berth"), ("Gull", berth))
        >>> builder.tables
        (Table(start=0, names=('boat', 'berth'), rows=((4, 1), (4, 1))),)
        """
        start = self.length - len(self.last_block)
        known = self._tables[-1] if self._tables else None
        if known is None or known[1] != tuple(names) or start != self._table_end + len(BLOCK_END):
            known = (start, tuple(names), [])
            self._tables.append(known)
        known[2].append(tuple(map(len, cells)))
        self._table_end = self.length

    def add_tables(self, tables: Iterable[Table], start: int) -> None:
        """Add the tables of another document whose text starts here."""
        self._tables += [(start + each.start, each.names, list(each.rows)) for each in tables]
        self._table_end = -1

    @property
    def tables(self) -> tuple[Table, ...]:
        return tuple(Table(start=start, names=names, rows=tuple(rows)) for start, names, rows in self._tables)

    def heading(self, text: str, level: int) -> None:
        """Add a heading as a block of its own."""
        if not text:
            return
        self.paragraph(text)
        start, line = self.length - len(text), " ".join(text.split())
        self.headings.append(Heading(start=start, end=self.length, level=max(1, level), text=line))

    def page(self) -> None:
        """Start a page: its first block is the next one. The white space before belongs to the old page."""
        self.pages.append(self.next_offset)

    @property
    def last_block(self) -> str:
        return self._parts[-1] if self._parts else ""

    def continue_on_page(self, text: str, head: str) -> None:
        """Start a page with the rest of the last block, which is `head` on the page before."""
        self.pages.append(self.length + len(head) - len(self._parts.pop()))
        self._parts.append(head + text)
        self.length = self.pages[-1] + len(text)


def document_of(
    content: FileContent,
    built: TextBuilder | str,
    *,
    title: str = "",
    headings: Sequence[Heading] = (),
    language: str = "",
    date: str | None = None,
    date_source: DateSource = "metadata",
    layout: Layout | None = None,
    metadata: Mapping[str, str] | None = None,
    notes: Iterable[str] = (),
    body: int = 0,
) -> Document:
    """Return the document of a file. What is not given follows from the text and the name of the file.

    `built` has the text with its headings, pages and records; `headings` are those of a text alone.
    `date_source` says what gave the date. Front matter and the header of a message come before a date that
    the text states; properties that a program wrote into the file come last.
    """
    text = built if isinstance(built, str) else built.text
    parts = TextBuilder() if isinstance(built, str) else built
    headings = headings if isinstance(built, str) else built.headings
    first = headings[0].text if headings and headings[0].level <= 2 else ""
    given = iso_date(date or "")
    name = " ".join(title.split()) or first or title_from_name(content.path)
    named = date_in_name(content.path.stem)
    stated = None if parts.records else date_of_text(text[body:], f"{name}\n{content.path.stem}")
    dates: list[tuple[DateSource, str | None]] = [("text", stated), ("file name", named)]
    # Properties that agree with the name of the file may say more than it.
    before_name = date_source == "metadata" or (given or "").startswith(named or " ")
    rank = 0 if date_source in ("front matter", "header") else 1 if before_name else 2
    dates.insert(rank, (date_source, given))
    origin, stated_date = next((each for each in dates if each[1] is not None), (None, None))
    return Document(
        source=content.source,
        text=text,
        title=short(name),
        headings=tuple(headings),
        pages=tuple(min(page, len(text)) for page in parts.pages),
        slides=tuple(min(slide, len(text)) for slide in parts.slides),
        cells=tuple(parts.cells),
        records=tuple(parts.records),
        layout=layout or ("lines" if isinstance(built, str) else "blocks"),
        tables=parts.tables,
        language=language_code(language) or detect_language(_sample(text[body:])),
        date=stated_date,
        date_source=origin,
        metadata={key: value for key, value in (metadata or {}).items() if value},
        notes=tuple(notes),
        body=body,
    )


def hidden_note(kind: str, names: Sequence[str]) -> list[str]:
    """Return a note on what is hidden and left out.

    >>> hidden_note("sheet", ["Costs"]), hidden_note("sheet", [])
    (['1 hidden sheet is not read: Costs'], [])
    """
    verb = "is" if len(names) == 1 else "are"
    return [f"{counted(len(names), f'hidden {kind}')} {verb} not read: {', '.join(names)}"] if names else []


def _sample(text: str) -> str:
    """Return pieces of the beginning, the middle and the end: a title page may be in another language."""
    if len(text) <= SAMPLE:
        return text
    size = SAMPLE // 3 - 1
    middle = (len(text) - size) // 2
    return "\n".join((text[:size], text[middle : middle + size], text[-size:]))
