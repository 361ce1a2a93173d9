"""Write documents to an index in batches, each of which is visible as a whole or not at all."""

from __future__ import annotations

import time
from collections.abc import Collection
from contextlib import ExitStack
from dataclasses import dataclass, field
from types import TracebackType
from typing import TYPE_CHECKING, Self

from probative.corpus.documents.duplicates import Duplicate, DuplicateFinder
from probative.corpus.documents.files import FoundFile
from probative.corpus.index.catalog import FileState, WritableCatalog
from probative.corpus.index.catalog_file import number_of_part, parts_of
from probative.corpus.index.index_job import ReadDocument
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
class _Pending:
    """A document that was read and is not written yet."""

    read: ReadDocument
    file: FoundFile
    digest: str
    duplicate: Duplicate | None


@dataclass
class _Batch:
    """What the next `flush` writes."""

    documents: list[_Pending] = field(default_factory=list)
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

    def add(self, read: ReadDocument, file: FoundFile, digest: str) -> None:
        """Add a document, or the new form of one that is there."""
        duplicate = self._compare(read.document.source, read.sketch)
        self._batch.documents.append(_Pending(read, file, digest, duplicate))
        self._batch.characters += len(read.document.text)
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
            for pending in batch.documents:
                ids.append(self._catalog_entry(pending))
                self._next += len(pending.read.passages)
            self._catalog.set_fact("next", str(self._next))
        first = self._next - sum(len(pending.read.passages) for pending in batch.documents)
        for pending, document in zip(batch.documents, ids, strict=True):
            self._add(pending.read, document, first)
            first += len(pending.read.passages)
        if ids:
            self._writer.commit()
        with self._catalog.transaction():
            self._catalog.switch(ids, batch.removed)

    def _catalog_entry(self, pending: _Pending) -> int:
        """Store a pending document and its parts; return its id."""
        read, duplicate = pending.read, pending.duplicate
        document = self._catalog.add(read.document, _state(pending), self._next, read.sketch.tobytes())
        self._catalog.add_parts(document, list(parts_of(read.document, read.passages, self._next)))
        if duplicate is not None:
            self._catalog.set_duplicate(document, duplicate.original, duplicate.similarity)
        return document

    def _add(self, read: ReadDocument, document: int, first: int) -> None:
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

    def compact(self) -> None:
        """Rewrite the passages if many are gone; who has the index open sees it."""
        if self._words.compact(self._writer, self._catalog.live):
            with self._catalog.transaction():
                self._catalog.switch((), ())

    def compare_again(self, changed: Collection[str]) -> None:
        """Compare the duplicates whose original is gone or has `changed` with the other documents."""
        orphans = self._catalog.orphans(changed)
        if not orphans:
            return
        with self._catalog.transaction():
            # The finder does not know the orphans, and may know what is gone.
            self._finder, self._compared = None, 0
            found = [(number, self._compare(source, _sketch(stored))) for number, source, stored in orphans]
            for number, duplicate in found:
                original = None if duplicate is None else duplicate.original
                similarity = None if duplicate is None else duplicate.similarity
                self._catalog.set_duplicate(number, original, similarity)

    def _compare(self, source: str, sketch: NDArray[np.uint64]) -> Duplicate | None:
        """Return the document before this one that is nearly the same, if there is one."""
        if self._finder is None:
            self._finder = DuplicateFinder()
            for other, stored in self._catalog.sketches():
                if other != source and self._compared < MAX_COMPARED:
                    self._finder.add_sketch(other, _sketch(stored))
                    self._compared += 1
        if self._compared >= MAX_COMPARED:
            return None
        self._compared += 1
        duplicate = self._finder.add_sketch(source, sketch)
        return None if duplicate is None or duplicate.original == source else duplicate


def _sketch(stored: bytes) -> NDArray[np.uint64]:
    """Return a sketch as the catalog stores it."""
    import numpy as np

    return np.frombuffer(stored, dtype=np.uint64)


def _state(pending: _Pending) -> FileState:
    return FileState(
        id=0,
        source=pending.read.document.source,
        size=pending.file.size,
        changed=pending.file.changed,
        digest=pending.digest,
        passages=len(pending.read.passages),
    )
