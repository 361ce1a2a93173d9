"""The folder of an index: what it is called, whether it can be used, and who may write to it."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import AbstractContextManager, closing, contextmanager, suppress
from pathlib import Path

from filelock import FileLock, Timeout
from pydantic import ValidationError

from probative.corpus.folder import CATALOG, INDEX_LABEL, WORDS, is_index
from probative.corpus.index.catalog import Catalog
from probative.corpus.index.catalog_writer import WritableCatalog
from probative.corpus.index.index_label import IndexLabel, rebuild_hint
from probative.errors import InUseError, StoreError

FORMAT = 3
"""Grows when an index of an older version can no longer be read."""


class IndexFolder:
    """The parts of an index by name."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.words = path / WORDS
        self.catalog_file = path / CATALOG
        self.vectors = path / "vectors"
        self._label = path / INDEX_LABEL

    @staticmethod
    def is_index(path: Path) -> bool:
        """Return whether a folder is an index, of any version, or what is left of one."""
        return is_index(path)

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
            what = (
                "is missing" if isinstance(error, FileNotFoundError) else "is damaged or of another version"
            )
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
        """Write the label in one step."""
        new = self._label.with_name(f".{INDEX_LABEL}")
        new.touch(mode=0o600)
        new.write_text(label.to_json() + "\n", encoding="utf-8")
        new.replace(self._label)

    def clear(self) -> None:
        """Remove the parts of an old index, the label last: a folder with a label is an index."""
        for part in (self.words, self.vectors):
            shutil.rmtree(part, ignore_errors=True)
        for suffix in ("", "-wal", "-shm"):
            self.catalog_file.with_name(self.catalog_file.name + suffix).unlink(missing_ok=True)
        self._label.unlink(missing_ok=True)

    def locked(self, *, wait: float = 0) -> AbstractContextManager[None]:
        """Hold the documents and words for writing.

        Raises `InUseError` if another process still has them after `wait` seconds.
        """
        return self._hold(".lock", "index", wait)

    def vectors_locked(self, *, wait: float = 0) -> AbstractContextManager[None]:
        """Hold the vectors for writing; documents and words may be written by another process meanwhile."""
        return self._hold(".vectors.lock", "vectors of the index", wait)

    @contextmanager
    def _hold(self, name: str, what: str, wait: float) -> Iterator[None]:
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            self._make_private()
            lock = FileLock(self.path / name, timeout=wait)
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
