"""The folder of an index: what it is called, who may write to it, and what it has."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Self

from filelock import FileLock, Timeout
from pydantic import ValidationError

from probative.corpus.documents.duplicates import Duplicate
from probative.corpus.documents.files import CATALOG, INDEX_LABEL, WORDS, Unread
from probative.corpus.index.catalog import Catalog, WritableCatalog
from probative.corpus.stores.labels import (
    EMBEDDED,
    IndexLabel,
    read_store_label,
    read_vectors_label,
    rebuild_hint,
    write_label,
)
from probative.errors import InUseError, StoreError
from probative.types import Value

FORMAT = 3
"""Grows when an index of an older version can no longer be read."""
GUARANTEE, SELF_TEST, SUGGESTIONS = "guarantee.json", "self-test.json", "suggestions.json"
"""What `probative calibrate` keeps with an index, and the questions that a server suggests."""


class IndexFolder:
    """The parts of an index by name."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.words = path / WORDS
        self.catalog_file = path / CATALOG
        self.vectors = path / "vectors"
        self._label = path / INDEX_LABEL

    def is_unfinished(self) -> bool:
        """Return whether making the index stopped before its label was written."""
        if self._label.is_file():
            return False
        with suppress(StoreError), closing(self.open_catalog()) as catalog:
            return not catalog.next_number()
        return False

    def label(self) -> IndexLabel:
        """Return the label; raises `StoreError` if it is missing, damaged or of another format."""
        try:
            label = IndexLabel.model_validate_json(self._label.read_bytes())
        except (OSError, ValidationError) as error:
            missing = isinstance(error, FileNotFoundError)
            what = "is missing" if missing else "is damaged or of another version"
            raise StoreError(
                f"the index {self.path} cannot be read: {self._label} {what}", hint=rebuild_hint(self.path)
            ) from None
        if label.format != FORMAT:
            raise StoreError(
                f"the index {self.path} has format {label.format}, made by probative {label.version}; this "
                f"version reads format {FORMAT}",
                hint=rebuild_hint(self.path, label.folder),
            )
        return label

    def write_label(self, label: IndexLabel) -> None:
        write_label(self._label, label)

    def clear(self) -> None:
        """Remove the parts of an old index, the label last: a folder with a label is an index."""
        for part in (self.words, self.vectors):
            shutil.rmtree(part, ignore_errors=True)
        for suffix in ("", "-wal", "-shm"):
            self.catalog_file.with_name(self.catalog_file.name + suffix).unlink(missing_ok=True)
        for kept in (GUARANTEE, SELF_TEST, SUGGESTIONS):
            (self.path / kept).unlink(missing_ok=True)
        self._label.unlink(missing_ok=True)

    @contextmanager
    def locked(self, *, vectors: bool = False, wait: float = 0) -> Iterator[None]:
        """Hold the documents and words for writing, or the vectors; another process may have the other ones.

        Raises `InUseError` if another process still has them after `wait` seconds.
        """
        what = "vectors of the index" if vectors else "index"
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            self._make_private()
            lock = FileLock(self.path / (".vectors.lock" if vectors else ".lock"), timeout=wait)
            lock.acquire()
        except Timeout:
            raise InUseError(
                f"another process is writing the {what} {self.path}",
                hint="wait until it has ended; searching works meanwhile",
            ) from None
        except OSError as error:
            raise StoreError(
                f"the index {self.path} cannot be written: {error.strerror or error}",
                hint="name another folder with --out, or set PROBATIVE_HOME",
            ) from None
        try:
            yield
        finally:
            self._make_private()
            with suppress(OSError):
                lock.release()

    def _make_private(self) -> None:
        """Let only the owner read the index: it has the text of the documents."""
        for path in (self.path, *self.path.glob("*"), *self.path.glob(".*"), *self.path.glob("*/*")):
            with suppress(OSError):  # it may be removed at this moment
                if path == self.path or path.parent in (self.path, self.words, self.vectors):
                    path.chmod(0o700 if path.is_dir() else 0o600)

    def open_catalog(self) -> Catalog:
        """Open the documents for reading; raises `StoreError`."""
        return Catalog(self.catalog_file)

    def open_writable_catalog(self) -> WritableCatalog:
        """Open the documents for writing, while the index is locked; raises `StoreError` if they are lost.

        Passages in the store would be taken for those of new documents.
        """
        if self._label.is_file() and not self.catalog_file.is_file():
            raise StoreError(
                f"the index {self.path} cannot be used: {self.catalog_file} is missing",
                hint=rebuild_hint(self.path),
            )
        return WritableCatalog(self.catalog_file)


Progress = Callable[[int, int, str], None]
"""Called with the number done, that of all, and the source that is read next, or "vectors"."""


class Noted(Value):
    """A document with something that its reader must know, such as a guessed encoding."""

    source: str
    notes: tuple[str, ...]


class IndexSummary(Value):
    """The counts of an update and of the index after it.

    `unread` names every file that could not be read, with the reason; `duplicates` are documents that are
    nearly the same as another (both are in the index); `vectors` is the encoder of the vectors, or None, and
    `with_vectors` the number of passages that have one.
    """

    index: str
    folder: str
    documents: int
    passages: int
    added: int = 0
    changed: int = 0
    removed: int = 0
    unchanged: int = 0
    unread: tuple[Unread, ...] = ()
    duplicates: tuple[Duplicate, ...] = ()
    noted: tuple[Noted, ...] = ()
    vectors: str | None = None
    with_vectors: int = 0
    notes: tuple[str, ...] = ()
    seconds: float = 0.0


class CorpusState(Value):
    """The content of an index at one moment.

    `read_all` is false until all documents of the folder were read once. `vectors` is the encoder of the
    vectors, or None; passages without a vector are found by their words alone. `vectors_growing` says
    whether this corpus is writing vectors in the background.
    """

    index: str
    folder: str
    version: str
    store: str = EMBEDDED
    read_all: bool
    documents: int
    passages: int
    unread: int
    languages: tuple[str, ...] = ()
    vectors: str | None = None
    with_vectors: int = 0
    vectors_growing: bool = False

    @classmethod
    def of(cls, index: Path) -> Self:
        """Return the state of an index; nothing is changed. Raises `StoreError` if it cannot be read."""
        folder = IndexFolder(index)
        label, store, vectors = folder.label(), read_store_label(index), read_vectors_label(folder.vectors)
        with closing(folder.open_catalog()) as catalog:
            documents, passages = catalog.counts()
            return cls(
                index=str(index),
                folder=label.folder,
                version=label.version,
                store=EMBEDDED if store is None else str(store.address),
                read_all=catalog.has_read_all(),
                documents=documents,
                passages=passages,
                unread=len(catalog.unread()),
                languages=catalog.languages(),
                vectors=None if vectors is None else vectors.encoder,
                with_vectors=0 if vectors is None else catalog.passages_before(vectors.end),
            )
