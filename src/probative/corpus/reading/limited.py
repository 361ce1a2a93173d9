"""Read a file of the user in another process: a document of a corpus, or a text to verify."""

from __future__ import annotations

import atexit
import os
import unicodedata
from collections.abc import Sequence
from functools import cache
from itertools import islice
from pathlib import Path

from pydantic import Field

from probative.corpus.documents.document import Document
from probative.corpus.documents.files import FoundFile, Unread, find_files, local_path, near_source
from probative.corpus.readers.text_builder import MAX_BYTES
from probative.corpus.reading.messages import ReadContent, ReadTask
from probative.corpus.reading.process import Readers
from probative.errors import InputError, ReaderCrashError, UnreadableError, WorkerError
from probative.types import Value

# What a large file may need beyond the limits of a small one. A PDF of a megabyte has some hundred pages,
# which take some seconds; the text of a file, its passages and their JSON exist side by side.
_SECONDS_PER_BYTE = 10e-6
_MEMORY_PER_BYTE = 16
# The largest document with all its passages.
_MAX_REPLY_BYTES = 2**30
# Files of a folder that are looked at for a name that may be meant.
_LOOKED_AT = 10_000


class ReadLimits(Value):
    """What the reading of a small file may take; a larger one may take more, in proportion to its size.

    >>> ReadLimits().memory_for(1_000_000)
    2016000000
    """

    seconds: float = Field(default=60.0, gt=0, description="longest reading of a file")
    memory_bytes: int = Field(default=2_000_000_000, ge=256_000_000, description="memory of its process")

    def task(self, path: Path, source: str) -> ReadTask:
        size = min(path.stat().st_size, MAX_BYTES) if path.is_file() else 0
        return ReadTask(
            path=str(path.absolute()),
            source=source,
            max_bytes=MAX_BYTES,
            seconds=self.seconds + _SECONDS_PER_BYTE * size,
            memory_bytes=self.memory_for(size),
            passages=True,
        )

    def memory_for(self, size: int) -> int:
        """Return the limit of memory for a file of `size` bytes."""
        return self.memory_bytes + _MEMORY_PER_BYTE * size


def read_limited(
    files: Sequence[tuple[Path, str]], limits: ReadLimits | None = None
) -> list[ReadContent | UnreadableError]:
    """Return the documents in files, each given with its source, with their passages, or why there is none.

    The process that reads is used again for the next files.
    """
    limits = limits or ReadLimits()
    tasks = [limits.task(path, source) for path, source in files]
    outcomes = _readers(limits.memory_for(MAX_BYTES)).read(tasks)
    return [
        outcome if isinstance(outcome, UnreadableError) else _content(outcome[1], task.source)
        for task, outcome in zip(tasks, outcomes, strict=True)
    ]


def read_document(path: Path, source: str) -> Document:
    """Return the document in a file; `source` is its name. Raises `UnreadableError`."""
    (read,) = read_limited([(path, source)])
    if isinstance(read, UnreadableError):
        raise read
    return read.document


def read_found(files: Sequence[FoundFile], limits: ReadLimits | None = None) -> list[ReadContent | Unread]:
    """Return the document of each file with its passages, or why it cannot be read."""
    reads = read_limited([(file.path, file.source) for file in files], limits)
    return [
        _unread(file.source, read) if isinstance(read, UnreadableError) else read
        for file, read in zip(files, reads, strict=True)
    ]


def _unread(source: str, error: UnreadableError) -> Unread:
    # The last line of a trace is the error that a reader did not expect.
    unexpected = [note.strip().rpartition("\n")[2] for note in getattr(error, "__notes__", ())]
    return Unread(source=source, reason=error.reason, what=": ".join([error.what, *unexpected]))


def document_in(folder: Path, source: str, *, hint: str = "") -> Document:
    """Return the document that a source names: a path below the folder, or a file URL.

    Raises `InputError` if it leads out of the folder or does not exist, with a near name or `hint`, and
    `UnreadableError` if it has no text.
    """
    if "://" in source:
        return read_document(local_path(source), source)
    parts = source.split("/")
    if Path(source).is_absolute() or ".." in parts:
        raise InputError(f"{source!r} is not below the corpus folder")
    # A name that was typed may be composed in another way than the one on the disk (é as one or two signs).
    forms = (source, *(unicodedata.normalize(form, source) for form in ("NFC", "NFD")))
    paths = [folder.joinpath(*form.split("/")) for form in forms]
    path = next((path for path in paths if path.exists()), None)
    if path is None:
        sources = [file.source for file in islice(find_files(folder), _LOOKED_AT)]
        raise InputError(
            f"the corpus {str(folder)!r} has no document {source!r}",
            hint=near_source(source, sources) or hint or "a citation has the path below the corpus folder",
        )
    return read_document(path, source)


def _content(words: bytes, source: str) -> ReadContent | UnreadableError:
    try:
        return ReadContent.unpacked(words)
    except ValueError:
        return ReaderCrashError("crash", f"the reader of {source} sent something else than a document")


def limits_memory() -> bool:
    """Return whether this system limits the memory of the processes that read files."""
    return _readers(ReadLimits().memory_for(MAX_BYTES)).limits_memory()


@cache
def _readers(memory_bytes: int) -> Readers:
    """Return the readers of this process, which end with it."""
    readers = Readers(memory_bytes, _MAX_REPLY_BYTES)
    atexit.register(readers.close, WorkerError("the program is ending"))
    return readers


if hasattr(os, "register_at_fork"):  # a fork must not share the pipes of its parent
    os.register_at_fork(after_in_child=_readers.cache_clear)
