"""Write documents to an index in batches, each of which is visible as a whole or not at all."""

from __future__ import annotations

import time
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from probative.corpus.documents.duplicates import Duplicate, DuplicateFinder
from probative.corpus.documents.files import FoundFile
from probative.corpus.documents.passages import CorpusPassage
from probative.corpus.index.catalog import WritableCatalog, number_of_part, parts_of
from probative.corpus.reading.messages import ReadContent
from probative.corpus.stores.records import PassageStore

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# A batch is written when it has this many characters, or after this time: what a stop can lose.
BATCH_CHARACTERS = 16_000_000
BATCH_SECONDS = 15.0
# A sketch has 2 kB: above this number, further documents are not compared with one another.
MAX_COMPARED = 200_000


class _Pending(NamedTuple):
    """A document that was read and is not written yet."""

    read: ReadContent
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
        late = time.monotonic() - self.started > BATCH_SECONDS
        return self.characters >= BATCH_CHARACTERS or (late and bool(self.documents))


class IndexWriter:
    """Adds documents to the catalog and their passages to the store, which is open for writing."""

    def __init__(self, catalog: WritableCatalog, store: PassageStore) -> None:
        self._catalog, self._store = catalog, store
        self._batch = _Batch()
        self._next = catalog.next_number()
        self._finder: DuplicateFinder | None = None
        self._compared = 0

    def add(self, read: ReadContent, file: FoundFile, digest: str) -> None:
        """Add a document, or the new form of one that is there."""
        duplicate = self._compare(read.document.source, bytes.fromhex(read.sketch))
        self._batch.documents.append(_Pending(read, file, digest, duplicate))
        self._batch.characters += len(read.document.text)
        if self._batch.is_full:
            self.flush()

    def remove(self, source: str) -> None:
        self._batch.removed.append(source)

    def flush(self) -> None:
        """Write the batch: pending documents, their passages, then one switch to the new state."""
        batch, self._batch = self._batch, _Batch()
        if not batch.documents and not batch.removed:
            return
        with self._catalog.transaction():
            stored = [self._catalog_entry(pending) for pending in batch.documents]
            self._catalog.set_fact("next", self._next)
        for _, pieces in stored:
            for passages, first, number in pieces:
                self._store.add(passages, first, number)
        if stored:
            self._store.commit()
        with self._catalog.transaction():
            self._catalog.switch([document for document, _ in stored], batch.removed)

    def _catalog_entry(self, pending: _Pending) -> tuple[int, list[tuple[Sequence[CorpusPassage], int, int]]]:
        """Store a pending document and its parts. Return its id, and what goes into the store: the passages
        of the document, or of each of its parts, with the number of the first passage and the id of the
        document or part.
        """
        read, first = pending.read, self._next
        self._next += len(read.passages)
        document = self._catalog.add(
            read.document, pending.file, pending.digest, range(first, self._next), bytes.fromhex(read.sketch)
        )
        self._catalog.set_duplicate(document, pending.duplicate)
        parts = list(parts_of(read.document, read.passages, first))
        if not parts:
            return document, [(read.passages, first, document)]
        self._catalog.add_parts(document, parts)
        passages = [read.passages[part.first - first :][: part.passages] for part in parts]
        numbers = [number_of_part(document, part.number) for part in parts]
        return document, list(zip(passages, (part.first for part in parts), numbers, strict=True))

    def remove_left_over(self) -> None:
        """Remove what is pending or gone, also of an update that was stopped."""
        documents = self._catalog.left_over()
        if documents:
            self._store.remove(self._catalog.stored_numbers(documents))
            self._store.commit()
            with self._catalog.transaction():
                self._catalog.forget(documents)

    def compact(self) -> None:
        """Rewrite the passages if many are gone; who has the index open sees it."""
        if self._store.compact(self._catalog.live):
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
            duplicates = [(number, self._compare(source, sketch)) for number, source, sketch in orphans]
            for number, duplicate in duplicates:
                self._catalog.set_duplicate(number, duplicate)

    def _compare(self, source: str, sketch: bytes) -> Duplicate | None:
        """Return the document before this one that is nearly the same, if there is one."""
        if self._finder is None:
            self._finder = DuplicateFinder()
            for other, stored in self._catalog.sketches():
                if other != source and self._compared < MAX_COMPARED:
                    self._finder.add_sketch(other, _numbers(stored))
                    self._compared += 1
        if self._compared >= MAX_COMPARED:
            return None
        self._compared += 1
        duplicate = self._finder.add_sketch(source, _numbers(sketch))
        return None if duplicate is None or duplicate.original == source else duplicate


def _numbers(sketch: bytes) -> NDArray[np.uint64]:
    import numpy as np

    return np.frombuffer(sketch, dtype=np.uint64)
