"""What the server and a reader process say to each other: one line of JSON each, then the document.

A file may have taken over its reader, so the server unpickles nothing that comes from there.
"""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from probative.errors import ProbativeError, UnreadableError
from probative.server.errors import ReadingLimitError
from probative.types import Value

READY = b"ready\n"


class ReadTask(Value):
    """A file to be read: where it is, what it is called, and the limits of its reading."""

    path: str
    name: str
    max_bytes: int
    seconds: float


class Failure(Value):
    """Why a file could not be read. `trace` is for the log, if the reader did not expect the file."""

    kind: Literal["unreadable", "unexpected", "memory"]
    what: str = ""
    hint: str = ""
    reason: str = ""
    trace: str = ""


class ReadReply(Value):
    """What a file was read as, or why it was not. `size` is the number of bytes of the document, in JSON,
    that follow the line.
    """

    title: str = ""
    characters: int = 0
    pages: int = 0
    passages: int = 0
    notes: tuple[str, ...] = ()
    size: int = Field(default=0, ge=0)
    failure: Failure | None = None


def error_of(failure: Failure, name: str, memory_bytes: int) -> ProbativeError:
    """Return the error of a file that its reader could not read.

    >>> error_of(Failure(kind="unreadable", what="a.pdf is empty", reason="empty"), "a.pdf", 10**9)
    UnreadableError('a.pdf is empty')
    """
    if failure.kind == "memory":
        return ReadingLimitError(
            "memory",
            f"{name} needs more than {memory_bytes:,} bytes of memory to be read",
            hint="split it, or start the server with more --read-memory",
        )
    if failure.kind == "unexpected":
        return UnreadableError("damaged", f"{name} could not be read")
    return UnreadableError(failure.reason, failure.what, hint=failure.hint)
