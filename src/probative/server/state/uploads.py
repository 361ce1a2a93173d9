"""Uploaded files: read once in another process, kept as documents in a bounded scratch area, and deleted when
they are old. A file whose pages can be drawn is kept beside its document.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import shutil
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Self

from probative.corpus.documents.document import Document
from probative.corpus.documents.passages import CorpusPassage, passages_of
from probative.corpus.reading.messages import ReadTask
from probative.corpus.reading.process import Cancellation, Read, Readers
from probative.errors import InputError, StoreError, UnreadableError
from probative.server.base.errors import ClosingError, NotThereError, TooLargeError
from probative.server.base.options import Limits
from probative.types import Value

log = logging.getLogger("probative.server")
_MAX_NAME = 120


class Upload(Value):
    """An uploaded file as it was read. `text` is given only where one upload is asked for."""

    id: str
    name: str
    title: str
    characters: int
    pages: int
    passages: int
    created: str
    expires: str
    notes: tuple[str, ...] = ()
    text: str | None = None


class _Stored(Value):
    """What a file of the scratch area holds."""

    upload: Upload
    document: Document


class ArrivingFile:
    """The bytes of an upload that have come so far."""

    def __init__(self, path: Path) -> None:
        self.path, self.size = path, 0
        self.file = path.open("wb")

    def write(self, data: bytes) -> None:
        """Add bytes."""
        self.size += len(data)
        self.file.write(data)

    def remove(self) -> None:
        """Delete the file."""
        with suppress(OSError):  # what could not be written
            self.file.close()
        self.path.unlink(missing_ok=True)


class Uploads:
    """The scratch area: a folder of documents, bounded in size and age. It may be shared between threads.

    Files are read in processes of their own; `close` ends them.
    """

    def __init__(self, folder: Path, limits: Limits) -> None:
        self._folder = folder
        self._limits = limits
        self._lock = threading.Lock()
        self._arriving: set[ArrivingFile] = set()
        self.turns = asyncio.Semaphore(limits.readers)  # of the routes, so that no thread waits for its turn
        self._readers = Readers(limits.read_memory_bytes, limits.uploads_bytes, limits.readers)
        # What the last server was reading when it was stopped.
        self._incoming = folder / "incoming"
        try:
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            shutil.rmtree(self._incoming, ignore_errors=True)
            self._incoming.mkdir(mode=0o700, exist_ok=True)
            self.clean()
        except OSError as error:
            raise StoreError(
                f"uploads cannot be kept in {folder}: {error.strerror or error}",
                hint="free some space, or give another --data folder",
            ) from None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the processes that read files."""
        self._readers.close(ClosingError("the server is shutting down"))

    @contextmanager
    def arriving(self) -> Iterator[ArrivingFile]:
        """Open a file for the bytes of an upload, on disk, for as long as the block runs."""
        try:
            arriving = ArrivingFile(self._incoming / secrets.token_urlsafe(12))
        except OSError as error:
            raise _cannot_keep(error) from None
        with self._lock:
            self._arriving.add(arriving)
        try:
            yield arriving
        finally:
            with self._lock:
                self._arriving.discard(arriving)
            arriving.remove()

    def receive(self, arriving: ArrivingFile, data: bytes) -> None:
        """Write bytes of an upload; raises `TooLargeError`, or `StoreError` if there is no room."""
        if arriving.size + len(data) > self._limits.upload_bytes:
            raise TooLargeError(f"the file has more than {self._limits.upload_bytes:,} bytes")
        with self._lock:
            size = sum(each.size for each in self._arriving)
        if size + len(data) > max(self._limits.uploads_bytes, self._limits.upload_bytes):
            raise StoreError("too many files arrive at the same time", hint="try again in a moment")
        try:
            arriving.write(data)
        except OSError as error:  # a full disk
            raise _cannot_keep(error) from None

    def add(self, name: str, data: bytes, cancellation: Cancellation | None = None) -> Upload:
        """Read the bytes of a file and keep its document; see `add_file`."""
        with self.arriving() as arriving:
            self.receive(arriving, data)
            return self.add_file(name, arriving, cancellation)

    def add_file(self, name: str, arriving: ArrivingFile, cancellation: Cancellation | None = None) -> Upload:
        """Read a file and keep its document; raises `UnreadableError`, `TooLargeError` or `StoreError`.

        The thread that waits for it can be freed by `cancellation`: the file is not kept then.
        """
        try:
            return self._add(name, arriving, cancellation or Cancellation())
        except OSError as error:  # a full disk
            raise _cannot_keep(error) from None

    def _add(self, name: str, arriving: ArrivingFile, cancellation: Cancellation) -> Upload:
        arriving.file.close()
        identity = arriving.path.name
        shown = safe_name(name)
        read, document = self._read_file(arriving.path, shown, cancellation)
        now = time.time()
        upload = Upload(
            id=identity,
            name=shown,
            title=read.title,
            characters=read.characters,
            pages=read.pages,
            passages=read.passages,
            created=_moment(now),
            expires=_moment(now + 3600 * self._limits.upload_hours),
            notes=read.notes,
        )
        # The JSON of a `_Stored`; the document is not parsed here, since it may be large.
        stored = b'{"upload":%b,"document":%b}' % (upload.to_json().encode(), document)
        cancellation.check()
        self._keep(arriving, stored, has_pages=read.pages > 0)
        return upload

    def _read_file(self, path: Path, name: str, cancellation: Cancellation) -> Read:
        task = ReadTask(
            path=str(path),
            source=name,
            name=name,
            max_bytes=self._limits.upload_bytes,
            seconds=self._limits.read_seconds,
            memory_bytes=self._limits.read_memory_bytes,
        )
        return self.read(task, cancellation)

    def read(self, task: ReadTask, cancellation: Cancellation) -> Read:
        """Return what a task of the reading processes gives; raises `UnreadableError` or `TooLargeError`."""
        (read,) = self._readers.read([task], cancellation)
        if not isinstance(read, UnreadableError):
            return read
        for trace in getattr(read, "__notes__", ()):
            log.error("a file could not be read\n%s", trace)
        raise TooLargeError(read.what, hint=read.hint) if read.reason == "too large" else read

    def _keep(self, arriving: ArrivingFile, stored: bytes, *, has_pages: bool) -> None:
        file = self._file(arriving.path.name)
        part = self._incoming / file.name
        with self._lock:
            # The text of a file is worth more than its pages.
            has_pages = has_pages and len(stored) + arriving.size <= self._limits.uploads_bytes
            self._make_room(len(stored) + has_pages * arriving.size)
            try:
                part.write_bytes(stored)
                if has_pages:
                    arriving.path.rename(_original_of(file))
                part.rename(file)
            finally:
                part.unlink(missing_ok=True)  # half of it, if the disk is full

    def clean(self) -> None:
        """Delete what is too old."""
        with self._lock:
            self._make_room(0)

    def get(self, identity: str) -> Upload:
        """Return an upload with its text; raises `NotThereError`."""
        stored = self._read(identity)
        return stored.upload.model_copy(update={"text": stored.document.text})

    def document(self, identity: str) -> Document:
        """Return the document of an upload; raises `NotThereError`."""
        return self._read(identity).document

    def original(self, identity: str) -> tuple[Document, Path]:
        """Return the document of an upload and its file as it came; raises `NotThereError`, also for one
        without pages.
        """
        document, file = self.document(identity), _original_of(self._file(identity))
        if not file.is_file():
            raise NotThereError(f"the file of the upload {identity!r} is not kept", hint="its text is")
        return document, file

    def documents(self, identities: tuple[str, ...]) -> dict[str, Document]:
        """Return the documents of uploads by their ids; files of one name are told apart by a number."""
        names: dict[str, int] = {}
        documents: dict[str, Document] = {}
        for identity in dict.fromkeys(identities):
            document = self.document(identity)
            names[document.source] = count = names.get(document.source, 0) + 1
            if count > 1:
                stem, _, suffix = document.source.rpartition(".")
                again = f"{stem} ({count}).{suffix}" if stem else f"{suffix} ({count})"
                document = document.model_copy(update={"source": again})
            documents[identity] = document
        return documents

    def passages(self, identities: tuple[str, ...]) -> list[CorpusPassage]:
        """Return the passages of uploads."""
        documents = self.documents(identities).values()
        passages = [passage for document in documents for passage in passages_of(document)]
        if not passages:
            raise InputError("the files have no passage")
        return passages

    def delete(self, identity: str) -> None:
        """Delete an upload; raises `NotThereError`."""
        self._read(identity)
        _remove(self._file(identity))

    def _file(self, identity: str) -> Path:
        return self._folder / f"{identity}.json"

    def _read(self, identity: str) -> _Stored:
        # `identity` has the pattern of a token: no dot and no slash can lead out of the folder.
        missing = NotThereError(
            f"there is no upload {identity!r}", hint="it may have expired: upload it again"
        )
        if not identity.replace("-", "").replace("_", "").isalnum() or not identity.isascii():
            raise missing
        file = self._file(identity)
        try:
            if file.stat().st_mtime < time.time() - 3600 * self._limits.upload_hours:
                _remove(file)
                raise missing
            return _Stored.model_validate_json(file.read_bytes())
        except (OSError, ValueError):  # it is gone, or of another version
            raise missing from None

    def _make_room(self, needed: int) -> None:
        """Delete what is too old, then the oldest, until `needed` bytes fit; raises `TooLargeError`."""
        if needed > self._limits.uploads_bytes:
            raise TooLargeError(f"the text of the file has {needed:,} bytes, more than all files may have")
        oldest = time.time() - 3600 * self._limits.upload_hours
        files: list[tuple[float, int, Path]] = []
        for file in self._folder.glob("*.json"):
            with suppress(FileNotFoundError):  # deleted just now
                status = file.stat()
                original = _original_of(file)
                pages_bytes = original.stat().st_size if original.exists() else 0
                files.append((status.st_mtime, status.st_size + pages_bytes, file))
        size = sum(entry[1] for entry in files)
        for changed, bytes_, file in sorted(files):
            if changed < oldest or size + needed > self._limits.uploads_bytes:
                _remove(file)
                size -= bytes_
        for original in self._folder.glob("*.original"):  # of an upload that a stopped server did not finish
            if not original.with_suffix(".json").exists():
                original.unlink(missing_ok=True)


def _original_of(file: Path) -> Path:
    return file.with_suffix(".original")


def _remove(file: Path) -> None:
    _original_of(file).unlink(missing_ok=True)
    file.unlink(missing_ok=True)


def _cannot_keep(error: OSError) -> StoreError:
    return StoreError(f"the file cannot be kept: {error.strerror or error}", hint="free some space")


def safe_name(name: str) -> str:
    r"""Return the last part of a file name, short and without control characters.

    >>> safe_name("../../etc/passwd"), safe_name("C:\\temp\\plan.pdf"), safe_name("")
    ('passwd', 'plan.pdf', 'file')
    """
    last = name.replace("\\", "/").rsplit("/", 1)[-1]
    printed = "".join(character for character in last if character.isprintable()).strip().strip(".")
    if len(printed) > _MAX_NAME:
        suffix = Path(printed).suffix[:12]
        printed = printed[: _MAX_NAME - len(suffix)] + suffix
    return printed or "file"


def _moment(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")
