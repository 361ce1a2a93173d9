"""The corpora that users make on the server: their files, their indexes, and what is read in the background.

Each is a folder: `corpus.json` says what it is called, `files` has its documents as they came, and `index` is
the index of these. A corpus that is deleted stays for a day.
"""

from __future__ import annotations

import logging
import queue
import secrets
import shutil
import threading
from collections.abc import Collection
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from pydantic import Field

from probative.corpus.corpus import Corpus
from probative.corpus.documents.dates import iso_date
from probative.corpus.documents.files import Unread, is_index
from probative.corpus.index.index_folder import IndexFolder
from probative.corpus.index.update import update_index
from probative.corpus.indexing import is_unusable, static_encoder
from probative.corpus.reading.limited import ReadLimits
from probative.corpus.stores.labels import write_label
from probative.errors import InputError, ProbativeError, StoreError
from probative.server.base.errors import ClosingError, ConflictError, NotThereError, TooLargeError
from probative.server.base.options import Limits
from probative.server.runs.run import now
from probative.server.runs.threads import UNDO
from probative.server.state.catalog import MAX_UNREAD, Catalog, checked_name
from probative.server.state.uploads import ArrivingFile
from probative.settings import Settings
from probative.types import Value

log = logging.getLogger("probative.server")
_CLOSING_SECONDS = 10.0
_MAX_DEPTH, _MAX_NAME_BYTES = 20, 240


class Indexing(Value):
    """How far an update is: `done` of `total` files, and the one that is read now."""

    done: int
    total: int
    source: str


class CorpusInfo(Value):
    """A corpus with its size. `own` ones were made on the server and can be changed there.

    `bytes` are those of its index and, if it is its own, of its files. `indexing` says how far an update is;
    `failed` why the last one ended early. `deleted` is when it was deleted, if it was: it can be had back for
    a day by its `id`. `unread` are the first files that could not be read, of `unread_total`.
    """

    id: str
    name: str
    own: bool
    documents: int = 0
    passages: int = 0
    bytes: int = 0
    created: str | None = None
    deleted: str | None = None
    indexing: Indexing | None = None
    failed: str | None = None
    unread: tuple[Unread, ...] = ()
    unread_total: int = 0
    notes: tuple[str, ...] = ()


class _Record(Value):
    """What `corpus.json` has: `earlier` are the names before, `dates` those that users set by source."""

    id: str
    name: str
    created: str
    deleted: str | None = None
    earlier: tuple[str, ...] = ()
    dates: dict[str, str] = Field(default_factory=dict)


class _Own:
    """A corpus of the library; `again` are the sources that the next update reads in any case."""

    def __init__(self, folder: Path, record: _Record) -> None:
        self.folder, self.record = folder, record
        self.files, self.index = folder / "files", folder / "index"
        self.corpus: Corpus | None = None
        self.indexing: Indexing | None = None
        self.failed: str | None = None
        self.waits = False
        self.again: set[str] = set()

    def save(self, **changes: object) -> None:
        record = self.record.model_copy(update=changes)
        write_label(self.folder / "corpus.json", record)
        self.record = record

    def file(self, source: str) -> Path:
        """Return where the file of a source is; raises `InputError` if the source cannot be one."""
        return self.files.joinpath(*checked_source(source).split("/"))

    def must_be_made(self) -> bool:
        """Return whether there is no index of these files that can be used, as after the folder was moved."""
        if not is_index(self.index) or is_unusable(self.index):
            return True
        return IndexFolder(self.index).label().folder != str(self.files.resolve())


class Library:
    """The corpora of a server that its users change. It may be shared between threads.

    Its corpora are in the catalogue while it is open. One thread updates their indexes, one after another.
    """

    def __init__(self, folder: Path, catalog: Catalog, settings: Settings, limits: Limits) -> None:
        self._folder, self._catalog, self._settings, self._limits = folder, catalog, settings, limits
        self._registered = catalog.corpora
        self._lock = threading.RLock()
        self._own: dict[str, _Own] = {}
        self._waiting: queue.SimpleQueue[_Own | None] = queue.SimpleQueue()
        self._closing = threading.Event()
        self._thread: threading.Thread | None = None
        for file in sorted(folder.glob("*/corpus.json")):
            try:
                own = _Own(file.parent, _Record.model_validate_json(file.read_bytes()))
            except (OSError, ValueError) as error:
                log.error("the corpus in %s cannot be opened: %s", file.parent, error)
                continue
            self._own[own.record.id] = own
            if own.record.deleted is None:
                self._open(own)

    def close(self) -> None:
        """Stop the update that is under way, which the next start goes on with, and close the corpora."""
        self._closing.set()
        self._waiting.put(None)
        if self._thread is not None:
            self._thread.join(_CLOSING_SECONDS)
        with self._lock:
            for own in self._own.values():
                self._shut(own)

    def list(self) -> list[CorpusInfo]:
        """Return the registered corpora, then those of the library, also deleted ones."""
        with self._lock:
            mine = list(self._own.values())
        names = set(self._registered)
        return [self._registered_info(name) for name in sorted(names)] + sorted(
            map(self._info, mine), key=lambda info: (info.name, info.created)
        )

    def get(self, name: str) -> CorpusInfo:
        """Return a corpus; raises `NotThereError`."""
        if name in self._registered:
            return self._registered_info(name)
        return self._info(self._named(name))

    def calibration_folder(self, name: str) -> Path:
        """Return the folder of the labels of a corpus; that of one made here goes with it and comes back
        with it. Raises `NotThereError`.
        """
        if name in self._registered:
            return self._folder.with_name("calibrations") / name
        return self._named(name).folder / "calibration"

    def stored_bytes(self) -> int:
        """Return how many bytes the library has on disk."""
        return size_of(self._folder)

    def create(self, name: str) -> CorpusInfo:
        """Make an empty corpus; raises `InputError` or `ConflictError` if it cannot have the name."""
        self._check_free(checked_name(name))
        identity = secrets.token_hex(8)
        own = _Own(self._folder / identity, _Record(id=identity, name=name, created=now()))
        try:
            own.files.mkdir(parents=True, mode=0o700)
            self._update(own)
            own.indexing = None
            with self._lock:
                self._check_free(name)
                own.save()
                self._own[identity] = own
                self._offer(own)
        except BaseException as error:
            self._shut(own)
            shutil.rmtree(own.folder, ignore_errors=True)
            raise _cannot_write(error) if isinstance(error, OSError) else error from None
        return self._info(own)

    def rename(self, name: str, new: str) -> CorpusInfo:
        """Give a corpus another name; what names it by the old one still finds it."""
        with self._lock:
            own = self._named(name)
            if new != own.record.name:
                self._check_free(checked_name(new), own)
                earlier = dict.fromkeys((*own.record.earlier, own.record.name))
                earlier.pop(new, None)
                self._change(own, name=new, earlier=tuple(earlier))
            return self._info(own)

    def delete(self, name: str) -> None:
        """Delete a corpus, which `restore` brings back for a day."""
        with self._lock:
            self._change(self._named(name), deleted=now())

    def restore(self, identity: str) -> CorpusInfo:
        """Take back that a corpus was deleted; raises `ConflictError` if another has its name by now."""
        with self._lock:
            own = self._own.get(identity)
            if own is None:
                raise NotThereError(f"there is no deleted corpus {identity!r}", hint="it was kept for a day")
            if own.record.deleted is not None:
                self._check_free(own.record.name)
                self._change(own, deleted=None)
            return self._info(own)

    def add(self, name: str, source: str, arriving: ArrivingFile) -> CorpusInfo:
        """Take a file into a corpus, in the place of an earlier one of this source; it is read soon."""
        own = self._named(name)
        target = own.file(source)
        stored = self.stored_bytes()
        if stored + arriving.size > self._limits.corpora_bytes:
            raise TooLargeError(
                f"the corpora have {stored:,} bytes, and no more than {self._limits.corpora_bytes:,} may be",
                hint="delete what is not needed",
            )
        arriving.file.close()
        try:
            target.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            if target.is_dir():
                raise FileExistsError
            shutil.move(arriving.path, target)
        except (FileExistsError, NotADirectoryError):
            raise ConflictError(
                f"{source!r} would be a file and a folder", hint="give it another name"
            ) from None
        except OSError as error:
            raise _cannot_write(error) from None
        return self._schedule(own, (source,))

    def remove(self, name: str, source: str) -> CorpusInfo:
        """Remove a file from a corpus for good; raises `NotThereError`."""
        own = self._named(name)
        file = self._file(own, source)
        try:
            file.unlink(missing_ok=True)
            for folder in file.parents[: source.count("/")]:
                folder.rmdir()
        except OSError as error:
            if file.exists():
                raise _cannot_write(error) from None
        with self._lock:
            if source in own.record.dates:
                own.save(dates={key: date for key, date in own.record.dates.items() if key != source})
        return self._schedule(own)

    def read_again(self, name: str, source: str | None = None) -> CorpusInfo:
        """Read a document again, or all of them, though their files have not changed."""
        own = self._named(name)
        if source is None:
            corpus = own.corpus
            read = [] if corpus is None else [*corpus.sources(), *(each.source for each in corpus.unread)]
            return self._schedule(own, read)
        self._file(own, source)
        return self._schedule(own, (source,))

    def set_date(self, name: str, source: str, date: str | None) -> CorpusInfo:
        """Set the date of a document, or take back that it was set; it is read again."""
        if date is not None and iso_date(date) != date:
            raise InputError(f"{date!r} is not a date", hint="write YYYY, YYYY-MM or YYYY-MM-DD")
        own = self._named(name)
        self._file(own, source)
        with self._lock:
            dates = {key: set_date for key, set_date in own.record.dates.items() if key != source}
            own.save(dates=dates if date is None else {**dates, source: date})
        return self._schedule(own)

    def original(self, name: str, source: str) -> Path:
        """Return the file of a document; raises `NotThereError` if the server does not have it."""
        if name not in self._registered:
            return self._file(self._named(name), source)
        corpus = self._catalog.corpus(name)
        folder = Path(IndexFolder(corpus.path).label().folder)
        file = folder if folder.is_file() else folder.joinpath(*source.split("/"))
        if source not in corpus.sources() or not file.is_file():
            raise NotThereError(f"the file {source[:200]!r} is not there any more")
        return file

    def files_of(self, name: str) -> dict[str, Path]:
        """Return the files of a corpus that was made here, by their sources; of others, none."""
        if name in self._registered:
            return {}
        files = self._named(name).files
        found = (path for path in sorted(files.rglob("*")) if path.is_file())
        return {path.relative_to(files).as_posix(): path for path in found}

    def clean(self, moment: datetime | None = None) -> tuple[str, ...]:
        """Delete for good the corpora that were deleted a day ago; return their ids."""
        before = ((moment or datetime.now(UTC)) - UNDO).isoformat(timespec="milliseconds")
        with self._lock:
            old = [own for own in self._own.values() if (own.record.deleted or "~") < before]
            for own in old:
                self._shut(own)
                shutil.rmtree(own.folder)
                del self._own[own.record.id]
        return tuple(own.record.id for own in old)

    def _named(self, name: str) -> _Own:
        with self._lock:
            alive = [own for own in self._own.values() if own.record.deleted is None]
            found = next((own for own in alive if own.record.name == name), None)
            found = found or next((own for own in alive if name in own.record.earlier), None)
        if found is None and name in self._registered:
            raise ConflictError(
                f"the corpus {name!r} was given when the server was started, and is only read here",
                hint="change its folder and start again, or make a corpus here",
            )
        if found is None:
            raise NotThereError(f"there is no corpus called {name[:200]!r}")
        return found

    def _file(self, own: _Own, source: str) -> Path:
        file = own.file(source)
        if not file.is_file():
            raise NotThereError(f"there is no file {source[:200]!r} in the corpus {own.record.name!r}")
        return file

    def _check_free(self, name: str, renamed: _Own | None = None) -> None:
        """Raise `ConflictError` for a name that another corpus or graph has, or had: threads, marks and links
        name a corpus, and must not mean another one later.
        """
        with self._lock:
            others = [own for own in self._own.values() if own.record.deleted is None and own is not renamed]
            mine = {own.record.name for own in others}
            before = {earlier: own.record.name for own in others for earlier in own.record.earlier}
        if name in {*mine, *self._catalog.corpora, *self._catalog.graphs}:
            raise ConflictError(f"the name {name!r} is taken", hint="choose another one")
        if name in before:
            raise ConflictError(
                f"{name!r} was the name of the corpus {before[name]!r}, whose threads and links have it",
                hint="choose another one",
            )

    def _change(self, own: _Own, **changes: object) -> None:
        before = own.record.name
        try:
            own.save(**changes)
        except OSError as error:
            raise _cannot_write(error) from None
        self._offer(own)
        if own.record.deleted is not None or own.record.name != before:
            self._catalog.remove_corpus(before)

    def _open(self, own: _Own) -> None:
        """Open a corpus of an earlier start; its index is made again if it cannot be used."""
        free = own.record.name
        while free in self._catalog.corpora or free in self._catalog.graphs:  # registered since then
            free = f"{free[:60]}-2"
        if free != own.record.name:
            own.save(name=free, earlier=(*own.record.earlier, own.record.name))
        with suppress(StoreError):
            if not own.must_be_made():
                own.corpus = Corpus.open(own.index, settings=self._settings)
                self._offer(own)
        self._schedule(own)

    def _offer(self, own: _Own) -> None:
        if own.corpus is not None and own.record.deleted is None:
            self._catalog.add_corpus(own.record.name, own.corpus, own.record.earlier)

    def _shut(self, own: _Own) -> None:
        if own.corpus is not None:
            if own.record.id in self._own and own.record.deleted is None:
                self._catalog.remove_corpus(own.record.name)
            own.corpus.close()
            own.corpus = None

    def _schedule(self, own: _Own, again: Collection[str] = ()) -> CorpusInfo:
        """Let the thread bring an index up to date; return the corpus as it stands."""
        with self._lock:
            own.again.update(again)
            if not own.waits:
                own.waits = True
                self._waiting.put(own)
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, name="library", daemon=True)
                self._thread.start()
            return self._info(own)

    def _work(self) -> None:
        while (own := self._waiting.get()) is not None and not self._closing.is_set():
            with self._lock:
                own.waits, own.failed = False, None
                own.indexing = Indexing(done=0, total=0, source="")
                again, own.again = own.again, set()
            try:
                if own.record.deleted is None:
                    self._update(own, again)
            except ClosingError:
                return
            except Exception as error:  # the thread goes on with the next corpus
                known = isinstance(error, ProbativeError)
                (log.error if known else log.exception)("the corpus %s: %s", own.record.name, error)
                own.failed = str(error) if known else "a fault of ours; the log of the server says more"
                own.again.update(again)
            finally:
                own.indexing = None

    def _update(self, own: _Own, again: Collection[str] = ()) -> None:
        """Bring an index up to date with the files, and open it if it is not open."""

        def progress(done: int, total: int, source: str) -> None:
            if self._closing.is_set():
                raise ClosingError("the server is shutting down")
            own.indexing = Indexing(done=done, total=total, source=source)

        limits = self._limits
        update_index(
            own.files,
            own.index,
            dates=[(f"/{source}", date) for source, date in own.record.dates.items()],
            rebuild=own.must_be_made(),
            encoder=static_encoder(self._settings, fetch=True),
            progress=progress,
            limits=ReadLimits(seconds=limits.read_seconds, memory_bytes=limits.read_memory_bytes),
            again=again,
            may_be_empty=True,
        )
        with self._lock:
            if own.corpus is None:
                own.corpus = Corpus.open(own.index, settings=self._settings)
                if own.record.id in self._own:
                    self._offer(own)

    def _info(self, own: _Own) -> CorpusInfo:
        record, indexing = own.record, own.indexing
        if own.waits and indexing is None:
            indexing = Indexing(done=0, total=0, source="")
        return CorpusInfo(
            id=record.id,
            name=record.name,
            own=True,
            bytes=size_of(own.folder),
            created=record.created,
            deleted=record.deleted,
            indexing=indexing,
            failed=own.failed,
            **({} if own.corpus is None else _figures(own.corpus)),
        )

    def _registered_info(self, name: str) -> CorpusInfo:
        corpus = self._catalog.corpus(name)
        return CorpusInfo(id=name, name=name, own=False, bytes=size_of(corpus.path), **_figures(corpus))


def _figures(corpus: Corpus) -> dict[str, object]:
    unread = corpus.unread
    return {
        "documents": corpus.documents,
        "passages": len(corpus),
        "unread": unread[:MAX_UNREAD],
        "unread_total": len(unread),
        "notes": corpus.notes,
    }


def checked_source(source: str) -> str:
    """Return the path of a file below its corpus; raises `InputError` for one that no document can have.

    >>> checked_source("minutes/may.pdf")
    'minutes/may.pdf'
    >>> checked_source("../may.pdf")
    Traceback (most recent call last):
    probative.errors.InputError: a file cannot be called '../may.pdf'
      → use letters, digits, spaces, '-' and '_'; '.', '~' and '$' may not come first
    """
    parts = source.split("/")
    if len(parts) > _MAX_DEPTH or not all(_is_name(part) for part in parts):
        raise InputError(
            f"a file cannot be called {source[:200]!r}",
            hint="use letters, digits, spaces, '-' and '_'; '.', '~' and '$' may not come first",
        )
    return source


def _is_name(part: str) -> bool:
    is_short = 0 < len(part.encode("utf-8", "replace")) <= _MAX_NAME_BYTES
    return is_short and part.isprintable() and part[0] not in ".~$ " and not set(part) & set("*?\\:")


def size_of(folder: Path) -> int:
    """Return how many bytes the files below a folder have."""
    size = 0
    for path in folder.rglob("*"):
        with suppress(OSError):  # it may be removed at this moment
            size += path.stat().st_size if path.is_file() else 0
    return size


def _cannot_write(error: OSError) -> StoreError:
    return StoreError(f"the corpus cannot be written: {error.strerror or error}", hint="free some space")
