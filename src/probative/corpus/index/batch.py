"""Write documents to an index in batches, each of which is visible as a whole or not at all."""

from __future__ import annotations

import hashlib
import time
from contextlib import ExitStack
from dataclasses import dataclass, field
from types import TracebackType
from typing import TYPE_CHECKING, Self

from probative.corpus.document import Document
from probative.corpus.duplicates import Duplicate, DuplicateFinder, sketch_of
from probative.corpus.folder import FoundFile
from probative.corpus.index.catalog import FileState
from probative.corpus.index.catalog_writer import WritableCatalog
from probative.corpus.index.parts import number_of_part, parts_of
from probative.corpus.passages import CorpusPassage, passages_of
from probative.corpus.readers.file_content import MAX_BYTES
from probative.corpus.stores.store import PassageStore

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# A batch is written when it has this many characters, or after this time: what a stop can lose.
BATCH_CHARACTERS = 16_000_000
BATCH_SECONDS = 15.0
# A sketch has 2 kB: above this number, further documents are not compared with one another.
MAX_COMPARED = 200_000


@dataclass(frozen=True)
class _Read:
    """A document that was read and is not written yet."""

    document: Document
    file: FoundFile
    digest: str
    passages: tuple[CorpusPassage, ...]
    sketch: NDArray[np.uint64]
    duplicate: Duplicate | None


@dataclass
class _Batch:
    """What the next `flush` writes."""

    documents: list[_Read] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)
    characters: int = 0
    started: float = field(default_factory=time.monotonic)

    @property
    def is_full(self) -> bool:
        """Whether it should be written."""
        late = time.monotonic() - self.started > BATCH_SECONDS
        return self.characters >= BATCH_CHARACTERS or (late and bool(self.documents))


class IndexWriter:
    """Adds documents to the catalog and their passages to the word index."""

    def __init__(self, catalog: WritableCatalog, words: PassageStore) -> None:
        self._catalog = catalog
        self._words = words
        self._batch = _Batch()
        self._next = catalog.next_number()
        self._finder: DuplicateFinder | None = None
        self._compared = 0
        self._stack = ExitStack()

    def __enter__(self) -> Self:
        self._writer = self._stack.enter_context(self._words.writing())
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.__exit__(kind, error, trace)

    def add(self, document: Document, file: FoundFile, digest: str) -> None:
        """Add a document, or the new form of one that is there."""
        sketch = sketch_of(document.text)
        read = _Read(
            document, file, digest, passages_of(document), sketch, self._compare(document.source, sketch)
        )
        self._batch.documents.append(read)
        self._batch.characters += len(document.text)
        if self._batch.is_full:
            self.flush()

    def remove(self, source: str) -> None:
        """Remove the document of a source."""
        self._batch.removed.append(source)

    def flush(self) -> None:
        """Write the batch: pending documents, their passages, then one switch to the new state."""
        batch, self._batch = self._batch, _Batch()
        if not batch.documents and not batch.removed:
            return
        ids: list[int] = []
        with self._catalog.transaction():
            for read in batch.documents:
                ids.append(self._catalog.add(read.document, _state(read), self._next, read.sketch.tobytes()))
                parts = list(parts_of(read.document, read.passages, self._next))
                self._catalog.add_parts(ids[-1], parts)
                if read.duplicate is not None:
                    self._catalog.set_duplicate(ids[-1], read.duplicate.original, read.duplicate.similarity)
                self._next += len(read.passages)
            self._catalog.set_fact("next", str(self._next))
        first = self._next - sum(len(read.passages) for read in batch.documents)
        for read, document in zip(batch.documents, ids, strict=True):
            self._add(read, document, first)
            first += len(read.passages)
        if ids:
            self._writer.commit()
        with self._catalog.transaction():
            self._catalog.switch(ids, batch.removed)

    def _add(self, read: _Read, document: int, first: int) -> None:
        """Add the passages of a document, each part of it under its own number."""
        parts = list(parts_of(read.document, read.passages, first))
        if not parts:
            self._writer.add(read.passages, first, document)
        for part in parts:
            own = read.passages[part.first - first :][: part.passages]
            self._writer.add(own, part.first, number_of_part(document, part.number))

    def remove_left_over(self) -> None:
        """Remove what is pending or gone, also of an update that was stopped."""
        documents = self._catalog.left_over()
        if documents:
            self._writer.remove(self._catalog.stored_numbers(documents))
            self._writer.commit()
            with self._catalog.transaction():
                self._catalog.forget(documents)

    def _compare(self, source: str, sketch: NDArray[np.uint64]) -> Duplicate | None:
        """Return the document before this one that is nearly the same, if there is one."""
        import numpy as np

        if self._finder is None:
            self._finder = DuplicateFinder()
            for other, stored in self._catalog.sketches():
                if other != source and self._compared < MAX_COMPARED:
                    self._finder.add_sketch(other, np.frombuffer(stored, dtype=np.uint64))
                    self._compared += 1
        if self._compared >= MAX_COMPARED:
            return None
        self._compared += 1
        duplicate = self._finder.add_sketch(source, sketch)
        return None if duplicate is None or duplicate.original == source else duplicate


def _state(read: _Read) -> FileState:
    return FileState(
        id=0,
        source=read.document.source,
        size=read.file.size,
        changed=read.file.changed,
        digest=read.digest,
        passages=len(read.passages),
    )


def digest_of(file: FoundFile) -> str:
    """Return the SHA-256 of a file; nothing for one that is too large or cannot be read."""
    if file.size > MAX_BYTES or not file.path.is_file():  # a pipe would block for ever
        return ""
    try:
        with file.path.open("rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()
    except OSError:
        return ""
