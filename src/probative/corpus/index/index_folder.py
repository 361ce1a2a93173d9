"""The folder of an index: what it is called, whether it can be used, and who may write to it."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path

from filelock import FileLock, Timeout
from pydantic import ValidationError

from probative.corpus.folder import INDEX_LABEL
from probative.corpus.index.catalog import Catalog
from probative.corpus.index.catalog_writer import WritableCatalog
from probative.errors import InUseError, StoreError
from probative.types import Value

FORMAT = 2
"""Grows when an index of an older version can no longer be read."""


def own_version() -> str:
    """Return the version of this package."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("probative")
    except PackageNotFoundError:
        return "unknown"


class IndexLabel(Value):
    """What an index folder says about itself: its format, who made it, and the folder it was made from.

    `include`, `exclude` and `hidden` are the filters that chose the files.
    """

    format: int
    version: str
    folder: str
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    hidden: bool = False


class IndexFolder:
    """The parts of an index by name."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.words = path / "words"
        self.catalog_file = path / "documents.sqlite"
        self.vectors = path / "vectors"
        self._label = path / INDEX_LABEL

    @staticmethod
    def is_index(path: Path) -> bool:
        """Return whether a folder is an index, of any version."""
        return (path / INDEX_LABEL).is_file()

    def label(self) -> IndexLabel:
        """Return the label; raises `StoreError` for another format."""
        try:
            text = self._label.read_text(encoding="utf-8")
            label = IndexLabel.model_validate_json(text)
        except (OSError, ValidationError, ValueError):
            raise StoreError(
                f"the index {self.path} cannot be read: its label is damaged or of another version",
                hint="make it again: probative index FOLDER --out INDEX --rebuild",
            ) from None
        if label.format != FORMAT:
            raise StoreError(
                f"the index {self.path} has format {label.format}, made by probative {label.version}; this "
                f"version reads format {FORMAT}",
                hint="make it again: probative index FOLDER --out INDEX --rebuild",
            )
        return label

    def write_label(self, label: IndexLabel) -> None:
        """Write the label in one step."""
        new = self._label.with_name(f".{INDEX_LABEL}")
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
            with suppress(OSError):
                lock.release()

    def open_catalog(self) -> Catalog:
        """Open the documents for reading."""
        return Catalog(self.catalog_file)

    def open_writable_catalog(self) -> WritableCatalog:
        """Open the documents for writing, while the index is locked."""
        return WritableCatalog(self.catalog_file)
