"""What a process and its reader processes say to each other: one line of JSON each, then the document.

A file may have taken over its reader, so nothing that comes from there is unpickled.
"""

from __future__ import annotations

import json
from typing import Literal, Self

from pydantic import Field

from probative.corpus.documents.document import Document
from probative.corpus.documents.passages import CorpusPassage
from probative.corpus.readers import ocr
from probative.corpus.readers.pdf_page import DrawnPage, Quote
from probative.corpus.readers.text_builder import MAX_OCR_PAGES
from probative.errors import ReadingLimitError, UnreadableError
from probative.types import Value

READY, UNLIMITED = b"ready\n", b"ready, without a limit of memory\n"
"""The first line of a reader: the second one where the system does not limit its memory."""


class Message(Value):
    """A value that is sent as ASCII: a file name that is not UTF-8 reaches Python as lone surrogates, which
    have no other form.
    """

    def packed(self) -> bytes:
        """Return the value as a line."""
        return json.dumps(self.model_dump()).encode("ascii")

    @classmethod
    def unpacked(cls, line: bytes) -> Self:
        """Return the value of a line; raises `ValueError` if it has none."""
        return cls.model_validate(json.loads(line))


class PageTask(Message):
    """A page of a PDF to draw, from 1, with quotes to find on it. For the width 0, there is no picture."""

    number: int
    quotes: tuple[Quote, ...] = ()
    width: int = 0


class ReadTask(Message):
    """A file to be read: where it is, what it is called, and the limits of its reading.

    `name` is the file name that says the format, the title and the date, if `path` does not. With `passages`,
    the reply is followed by a `ReadContent`, with a `page` by its picture, otherwise by a `Document`. Each
    page that is read by OCR, up to `max_ocr_pages`, has the time of a file for itself.
    """

    path: str
    source: str
    name: str = ""
    max_bytes: int
    seconds: float
    memory_bytes: int
    max_ocr_pages: int = MAX_OCR_PAGES
    passages: bool = False
    page: PageTask | None = None

    @property
    def most_seconds(self) -> float:
        """How long the reading may take if all these pages are read by OCR."""
        return self.seconds * (1 + (self.max_ocr_pages if ocr.is_installed() else 0))


class Failure(Message):
    """Why a file could not be read. `trace` is for the log, if the reader did not expect the file."""

    kind: Literal["unreadable", "unexpected", "memory"]
    what: str = ""
    hint: str = ""
    reason: str = ""
    trace: str = ""


class ReadReply(Message):
    """What a file was read as, or why it was not. `size` is the number of bytes that follow the line; `drawn`
    is the page that was asked for.
    """

    title: str = ""
    characters: int = 0
    pages: int = 0
    passages: int = 0
    notes: tuple[str, ...] = ()
    size: int = Field(default=0, ge=0)
    drawn: DrawnPage | None = None
    failure: Failure | None = None


class ReadContent(Message):
    """A document with its passages and its sketch, in hexadecimal digits."""

    document: Document
    passages: tuple[CorpusPassage, ...]
    sketch: str


def error_of(failure: Failure, task: ReadTask) -> UnreadableError:
    """Return the error of a file that its reader could not read; the trace is its note.

    >>> task = ReadTask(path="a.pdf", source="a.pdf", max_bytes=10, seconds=1.0, memory_bytes=10**9)
    >>> error_of(Failure(kind="unreadable", what="a.pdf is empty", reason="empty"), task)
    UnreadableError('a.pdf is empty')
    """
    if failure.kind == "memory":
        return ReadingLimitError(
            "memory",
            f"{task.source} needs more than {task.memory_bytes:,} bytes of memory to be read",
            hint="split it, or raise --read-memory",
        )
    if failure.kind == "unreadable":
        return UnreadableError(failure.reason, failure.what, hint=failure.hint)
    error = UnreadableError("damaged", f"{task.source} could not be read")
    error.add_note(failure.trace)
    return error
