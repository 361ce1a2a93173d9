"""A document: its whole text, what is known of places in it, and citations, which can be opened again."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby, takewhile
from typing import Literal, NamedTuple, Self

from pydantic import Field

from probative.corpus.documents.places import (
    LOCATOR,
    Cells,
    Place,
    Table,
    WordBox,
    escaped,
    place_fields,
    range_of,
    unescaped,
)
from probative.errors import InputError
from probative.text.labels import counted
from probative.types import ReadBy, Value

READ_BY_OCR = {"read by": "OCR"}
"""The metadata of documents, and of passages, whose text was read from a picture."""
MAX_TITLE = 200
"""Characters of a title: every passage has that of its document and its section."""
DateSource = Literal[
    "--date", "front matter", "header", "column", "text", "metadata", "file name", "file properties"
]
"""Where the date of a document was found: what the user set, what it says itself, or what its file says."""


def short(text: str, length: int = MAX_TITLE) -> str:
    """Return a text with at most `length` characters and a mark that it was cut.

    >>> short("Minutes of May", 7)
    'Minutes…'
    """
    return text if len(text) <= length else f"{text[:length]}…"


def reader_of(metadata: Mapping[str, str]) -> ReadBy | None:
    """Return "OCR" for the text of a picture, by the metadata of a document or a passage.

    >>> reader_of(READ_BY_OCR), reader_of({"read by": "Ada"})
    ('OCR', None)
    """
    return "OCR" if READ_BY_OCR.items() <= metadata.items() else None


Layout = Literal["lines", "blocks", "markdown"]
"""How the text of a document is shown: its lines as they are, its blocks (headings, lists, tables and
paragraphs), or as Markdown."""


class Heading(Value):
    """A heading: the characters that it covers, its level (1 is the highest) and its text on one line."""

    start: int
    end: int
    level: int
    text: str


class Record(Value):
    """A record of a document (a line of JSON, a row of a table) with properties of its own.

    What is not given is as in the document. Rows of one year may share a passage; another record has passages
    of its own.
    """

    start: int
    end: int
    date: str | None = None
    language: str | None = None
    metadata: dict[str, str] = Field(default_factory=dict)
    row: bool = False


class Document(Value):
    """The plain text of one file, with its pages, headings and metadata.

    `source` names the file: its path below the corpus folder, with "/" on every system, or a file URL.
    `text` is the decoded file for text and Markdown, and the text of the other formats. All offsets are
    characters of `text`. `pages` has the offset at which each page starts, and `slides` that of each slide;
    they are empty for formats without them. `cells` says from which cells of a sheet text was read, `words`
    where words that were read by OCR stand on their pages. `layout` says how the text is shown, and `tables`
    which of its blocks are rows. `records` are those with a date, language or metadata of their own.
    `language` is an ISO 639-1 code. `date` is YYYY, YYYY-MM or YYYY-MM-DD, so dates compare as strings;
    `date_source` says where it was found. `notes` say what a reader of the result must
    know, such as a guessed encoding. What stands before the offset `body` is metadata, and in no passage.

    >>> log = Document(source="log.txt", text="It rained. We left.", pages=(0, 11))
    >>> log.page_at(0), log.page_at(15), log.quote(0, 10)
    (1, 2, 'It rained.')
    """

    source: str
    text: str
    title: str = ""
    pages: tuple[int, ...] = ()
    slides: tuple[int, ...] = ()
    cells: tuple[Cells, ...] = ()
    words: tuple[WordBox, ...] = ()
    layout: Layout = "lines"
    tables: tuple[Table, ...] = ()
    headings: tuple[Heading, ...] = ()
    records: tuple[Record, ...] = ()
    language: str = "en"
    date: str | None = None
    date_source: DateSource | None = None
    metadata: dict[str, str] = Field(default_factory=dict)
    notes: tuple[str, ...] = ()
    body: int = 0

    def page_at(self, offset: int) -> int | None:
        """Return the number of the page, from 1, that has this character; None without pages."""
        return max(1, bisect_right(self.pages, offset)) if self.pages else None

    def place_at(self, start: int, end: int) -> Place:
        """Return where a reader of the file finds these characters; the page or slide is that of the first.

        >>> row = Cells(start=7, sheet="Ropes", left=1, top=4, right=4, bottom=4)
        >>> cells = (Cells(start=0, sheet="Ropes"), row)
        >>> document = Document(source="a.xlsx", text="Ropes. kind: hemp", cells=cells)
        >>> document.place_at(7, 17).words, document.place_at(0, 5).words
        ('sheet Ropes, A4:D4', 'sheet Ropes')
        """
        first = bisect_right(self.cells, start, key=lambda each: each.start) - 1
        if first >= 0:
            after = bisect_right(self.cells, max(start, end - 1), key=lambda each: each.start)
            sheet = self.cells[first].sheet
            cited = list(takewhile(lambda each: each.sheet == sheet, self.cells[first:after]))
            return Place(sheet=sheet, cells=range_of(cited))
        slide = max(1, bisect_right(self.slides, start)) if self.slides else None
        return Place(page=self.page_at(start), slide=slide)

    def quote(self, start: int, end: int) -> str:
        """Return the characters from `start` to `end`."""
        return self.text[start:end]

    def headings_at(self, offset: int) -> tuple[Heading, ...]:
        """Return the headings above a character, from the highest level to its own section.

        >>> headings = [(0, 1, "Ferries"), (20, 2, "Fares"), (60, 2, "Ports")]
        >>> made = [Heading(start=at, end=at + 5, level=level, text=text) for at, level, text in headings]
        >>> document = Document(source="a.md", text="-" * 90, headings=tuple(made))
        >>> [heading.text for heading in document.headings_at(70)]
        ['Ferries', 'Ports']
        """
        path: list[Heading] = []
        for heading in self.headings[: bisect_right([each.start for each in self.headings], offset)]:
            while path and path[-1].level >= heading.level:
                path.pop()
            path.append(heading)
        return tuple(path)


Span = tuple[int, int]
_MAX_VALUE = 1_000


class Facts(NamedTuple):
    """What filters look at, of a document, a part of it, or a passage."""

    language: str
    date: str | None
    date_source: DateSource | None
    metadata: dict[str, str]


class FactsOfPlaces:
    """The facts of each place in a document."""

    def __init__(self, document: Document) -> None:
        self._document = document
        metadata = _short_values(document.metadata)
        self._facts = Facts(document.language, document.date, document.date_source, metadata)
        self._starts = [record.start for record in document.records]
        self._headings = [heading.start for heading in document.headings]

    def parts(self, blocks: list[list[Span]]) -> Iterator[list[list[Span]]]:
        """Yield the blocks that may share a passage: of one record, or of rows of the same year."""
        if not self._starts:
            yield blocks
            return
        for _, part in groupby(blocks, key=lambda block: self._key(block[0][0])):
            yield list(part)

    def between(self, start: int, end: int) -> Facts:
        """Return the facts of a passage. Its date is what the dates of its rows have in common."""
        first, last = self._index(start), self._index(end - 1)
        record = self._record(first, start)
        if record is None:
            return self._facts
        common = common_date([each.date for each in self._document.records[first : last + 1] if each.date])
        return Facts(
            record.language or self._facts.language,
            common or self._facts.date,
            # The messages of a mailbox have the dates of their own headers.
            "column" if common and self._facts.date_source != "header" else self._facts.date_source,
            {**self._facts.metadata, **_short_values(record.metadata)},
        )

    def is_untitled(self, offset: int) -> bool:
        """Return whether a place is in a record that has no heading, so that none above it is its own."""
        record = self._record(self._index(offset), offset)
        if record is None:
            return False
        heading = bisect_right(self._headings, offset) - 1
        if heading < 0:
            return True
        above = self._headings[heading]
        titled = self._record(self._index(above), above)  # a heading outside of records is that of a section
        return titled is not None and titled is not record

    def _key(self, offset: int) -> tuple[int, str]:
        """Return what the blocks of one passage have in common: the record, or for rows the year."""
        index = self._index(offset)
        record = self._record(index, offset)
        if record is None:
            return -2, ""
        return (-1, (record.date or "")[:4]) if record.row else (index, "")

    def _index(self, offset: int) -> int:
        return bisect_right(self._starts, offset) - 1

    def _record(self, index: int, offset: int) -> Record | None:
        record = self._document.records[index] if index >= 0 else None
        return record if record is not None and offset < record.end else None


def _short_values(metadata: Mapping[str, str]) -> dict[str, str]:
    """Return what each passage has of the metadata."""
    return {name: short(value, _MAX_VALUE) for name, value in metadata.items()}


def common_date(dates: Sequence[str]) -> str | None:
    """Return the day, month or year that dates have in common.

    >>> common_date(["2026-05-03", "2026-05-17"]), common_date(["2026-05", "2026-06"])
    ('2026-05', '2026')
    >>> common_date(["2025-12-31", "2026-01-01"]) is None
    True
    """
    columns = zip(*(date.split("-") for date in dates), strict=False)
    common = takewhile(lambda parts: len(set(parts)) == 1, columns)
    return "-".join(parts[0] for parts in common) or None


_FORM = re.compile(rf"(?P<source>.+)#(?:{LOCATOR}&)?char=(?P<start>\d+),(?P<end>\d+)", re.DOTALL)


class Citation(Place):
    """The characters from `start` to `end` of a source. The form follows RFC 5147.

    Its place (a `page`, a `slide`, or the `cells` of a `sheet`) is for people; the offsets alone identify the
    characters, and must be at that place.

    >>> str(Citation(source="minutes/may.pdf", page=3, start=120, end=188))
    'minutes/may.pdf#page=3&char=120,188'
    >>> cited = Citation.parse("prices.xlsx#sheet=Ropes&cells=A4:D4&char=96,140")
    >>> cited.sheet, cited.cells, cited.start, cited.words
    ('Ropes', 'A4:D4', 96, 'sheet Ropes, A4:D4')
    """

    source: str
    start: int
    end: int

    def __str__(self) -> str:
        place = f"{self.locator}&" if self.locator else ""
        return f"{escaped(self.source)}#{place}char={self.start},{self.end}"

    @classmethod
    def parse(cls, text: str) -> Self:
        """Return the citation that a string describes; raises `InputError`."""
        match = _FORM.fullmatch(text.strip())
        if match is None:
            raise InputError(
                f"{text!r} is not a citation", hint="write it as SOURCE#page=3&char=120,188; page is optional"
            )
        start, end = int(match["start"]), int(match["end"])
        if start > end:
            raise InputError(f"the citation ends before it starts: char={start},{end}")
        return cls(source=unescaped(match["source"]), start=start, end=end, **place_fields(match))

    @classmethod
    def of(cls, document: Document, start: int, end: int) -> Self:
        """Return the citation of some characters of a document."""
        return cls.at(document.place_at(start, end), document.source, start, end)

    @classmethod
    def at(cls, place: Place, source: str, start: int, end: int) -> Self:
        """Return the citation of some characters of a source, which are at this place."""
        return cls(source=source, start=start, end=end, **dict(place))

    def check(self, document: Document) -> None:
        """Raise `InputError` if the document does not have these characters, or not at this place."""
        place, length = document.place_at(self.start, self.end), len(document.text)
        if self.end > length:
            what = f"{self.source} has {counted(length, 'character')}, the citation ends at {self.end:,}"
        elif not self.locator or self.locator == place.locator:
            return
        elif self.page is not None and self.page > len(document.pages):
            pages = counted(len(document.pages), "page") if document.pages else "no pages"
            what = f"{self.source} has {pages}, the citation names page {self.page}"
        elif not place.locator:
            what = f"{self.source} has no {self.words}"
        else:
            what = f"char={self.start},{self.end} of {self.source} is on {place.words}, not on {self.words}"
        raise InputError(
            what,
            hint="the file has changed since it was cited, or the citation was altered; only the characters "
            "must be given",
        )


CONTEXT = 300


class Surroundings(Value):
    """The cited `text` with what stands before and after it in the same document. `read_by` is "OCR" for the
    text of a picture.
    """

    citation: str
    source: str
    title: str
    headings: tuple[str, ...]
    page: int | None
    date: str | None
    date_source: DateSource | None
    read_by: ReadBy | None = None
    before: str
    text: str
    after: str


def surroundings(document: Document, citation: Citation, context: int = CONTEXT) -> Surroundings:
    """Return the cited text with up to `context` characters on each side, whole words only.

    Raises `InputError` if the document does not have these characters.

    >>> document = Document(source="a.txt", title="Log", text="It rained all day. We left. The boat was wet.")
    >>> shown = surroundings(document, Citation.parse("a.txt#char=19,27"), context=10)
    >>> shown.before, shown.text, shown.after
    (' all day. ', 'We left.', ' The boat ')
    """
    if context < 0:
        raise InputError(f"context must be at least 0, got {context}")
    citation.check(document)
    text, start, end = document.text, citation.start, citation.end
    first, last = max(0, start - context), min(len(text), end + context)
    before, after = text[first:start], text[end:last]
    if first > 0 and " " in before and not text[first - 1].isspace() and not before[0].isspace():
        before = before[before.index(" ") + 1 :]
    if last < len(text) and " " in after and not text[last].isspace() and not after[-1].isspace():
        after = after[: after.rindex(" ")]
    facts = FactsOfPlaces(document).between(start, end)
    return Surroundings(
        citation=str(Citation.of(document, start, end)),
        source=document.source,
        title=document.title,
        headings=tuple(heading.text for heading in document.headings_at(start)),
        page=document.page_at(start),
        date=facts.date,
        date_source=facts.date_source,
        read_by=reader_of(facts.metadata),
        before=before,
        text=text[start:end],
        after=after,
    )
