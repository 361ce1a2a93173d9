"""Read one file: its document, its passages and its sketch, or why there is none. Workers do this, too."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

from probative.corpus.document import Document
from probative.corpus.duplicates import sketch_of
from probative.corpus.folder import FoundFile, Unread, read_found
from probative.corpus.passages import CorpusPassage, passages_of
from probative.corpus.readers.file_content import MAX_BYTES

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
    def of(cls, document: Document) -> Self:
        """Return a document with its passages and its sketch."""
        return cls(document, passages_of(document), sketch_of(document.text))


@dataclass(frozen=True)
class ToRead:
    """A file, and the digest of the content that the index has of it; None to read it in any case."""

    file: FoundFile
    known: str | None = None


@dataclass(frozen=True)
class FileContent:
    """The digest of a file, and its document. `content` is None if the digest is the known one."""

    digest: str
    content: ReadDocument | Unread | None


def read_file(wanted: ToRead) -> FileContent:
    """Read a file, unless its content is known."""
    digest = digest_of(wanted.file)
    if wanted.known is not None and digest == wanted.known:
        return FileContent(digest, None)
    found = read_found(wanted.file)
    return FileContent(digest, found if isinstance(found, Unread) else ReadDocument.of(found))


def digest_of(file: FoundFile) -> str:
    """Return the SHA-256 of a file; nothing for one that is too large or cannot be read."""
    if file.size > MAX_BYTES or not file.path.is_file():  # a pipe would block for ever
        return ""
    try:
        with file.path.open("rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()
    except OSError:
        return ""
