"""A document: its whole text, and what is known of places in it."""

from __future__ import annotations

from bisect import bisect_right
from typing import Literal

from pydantic import Field

from probative.types import Value

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
    characters of `text`. `pages` has the offset at which each page starts; it is empty for formats without
    pages. `records` are those with a date, language or metadata of their own. `language` is an ISO 639-1
    code. `date` is YYYY, YYYY-MM or YYYY-MM-DD, so dates compare as strings; `date_source` says where it was
    found. `notes` say what a reader of the result must know, such as a guessed encoding. What stands before
    the offset `body` is metadata, and in no passage.

    >>> log = Document(source="log.txt", text="It rained. We left.", pages=(0, 11))
    >>> log.page_at(0), log.page_at(15), log.quote(0, 10)
    (1, 2, 'It rained.')
    """

    source: str
    text: str
    title: str = ""
    pages: tuple[int, ...] = ()
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
