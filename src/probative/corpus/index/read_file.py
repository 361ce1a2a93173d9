"""Read one file: its document, its passages and its sketch, or why there is none. Workers do this, too."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

from probative.corpus.document import Document
from probative.corpus.folder import FoundFile, Unread, read_found
from probative.corpus.passages import CorpusPassage
from probative.corpus.readers.file_content import MAX_BYTES
from probative.corpus.reading.limited import ReadLimits
from probative.corpus.reading.messages import ReadContent

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True)
class ReadDocument:
    """A document with what the index has of it."""

    document: Document
    passages: tuple[CorpusPassage, ...]
    sketch: NDArray[np.uint64]

    @classmethod
    def of(cls, read: ReadContent, date: str | None = None) -> Self:
        """Return a document as its reader process sent it, or with the `date` that the user set.

        The rows of a table keep the dates of their column.
        """
        import numpy as np

        sketch = np.frombuffer(bytes.fromhex(read.sketch), dtype=np.uint64)
        if date is None:
            return cls(read.document, read.passages, sketch)
        update = {"date": date, "date_source": "--date"}
        passages = (
            each if each.date_source == "column" else each.model_copy(update=update) for each in read.passages
        )
        return cls(read.document.model_copy(update=update), tuple(passages), sketch)


@dataclass(frozen=True)
class ToRead:
    """A file, and the digest of the content that the index has of it; None to read it in any case.

    `date` is the one that the user set for it.
    """

    file: FoundFile
    known: str | None = None
    date: str | None = None


@dataclass(frozen=True)
class FileContent:
    """The digest of a file, and its document. `content` is None if the digest is the known one."""

    digest: str
    content: ReadDocument | Unread | None


def read_files(wanted: Sequence[ToRead], limits: ReadLimits | None) -> list[FileContent]:
    """Read files in another process, except those whose content is known."""
    digests = [digest_of(each.file) for each in wanted]
    is_known = [each.known == digest for each, digest in zip(wanted, digests, strict=True)]
    unknown = [each.file for each, known in zip(wanted, is_known, strict=True) if not known]
    reads = iter(read_found(unknown, limits=limits))
    return [
        FileContent(digest, None if known else _content(next(reads), each.date))
        for each, digest, known in zip(wanted, digests, is_known, strict=True)
    ]


def _content(read: ReadContent | Unread, date: str | None) -> ReadDocument | Unread:
    return read if isinstance(read, Unread) else ReadDocument.of(read, date)


def digest_of(file: FoundFile) -> str:
    """Return the SHA-256 of a file; nothing for one that is too large or cannot be read."""
    if file.size > MAX_BYTES or not file.path.is_file():  # a pipe would block for ever
        return ""
    try:
        with file.path.open("rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()
    except OSError:
        return ""
