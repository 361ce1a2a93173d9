"""The response cache itself: one SQLite file that threads and processes share."""

from __future__ import annotations

import os
import sqlite3
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Protocol
from weakref import WeakSet, finalize

from probative.errors import StoreError
from probative.types import Value

_LOOKUP = 500  # keys in one SELECT


class CacheSummary(Value):
    """What a cache holds."""

    path: Path
    results: int
    bytes: int
    by_model: dict[str, int]


class ResultStore(Protocol):
    """Where results are kept: a file of this machine, or one that another process reaches."""

    def get(self, keys: Sequence[str]) -> dict[str, str]:
        """Return the stored values of those keys that have one."""

    def put(self, verb: str, model: str, values: Mapping[str, str]) -> None:
        """Store values by key; a value that is there stays."""

    def forget(self, key: str) -> None:
        """Remove one value."""


class _Handle:
    """The connection of one thread; it is closed when the thread ends, or by `ResponseCache.close`."""

    def __init__(self, path: Path) -> None:
        self.process = os.getpid()
        # Another thread may close it when nobody uses it any more.
        self.connection = sqlite3.connect(path, timeout=60.0, isolation_level=None, check_same_thread=False)
        self.close = finalize(self, _close_in, self.process, self.connection)


def _close_in(process: int, connection: sqlite3.Connection) -> None:
    """Close a connection, unless this is a forked child: closing there would drop the parent's locks."""
    if process == os.getpid():
        connection.close()


def _prepare(connection: sqlite3.Connection) -> None:
    """Set the mode of the journal and create the table, waiting for another process that does the same."""
    deadline = time.monotonic() + 60.0
    while True:
        try:
            if connection.execute("PRAGMA journal_mode").fetchone() != ("wal",):
                connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = NORMAL")
            connection.execute(
                "CREATE TABLE IF NOT EXISTS results (key TEXT PRIMARY KEY, verb TEXT NOT NULL, "
                "model TEXT NOT NULL, value TEXT NOT NULL, created REAL NOT NULL) WITHOUT ROWID"
            )
            return
        except sqlite3.OperationalError as error:
            # SQLite does not wait by itself when the mode changes.
            if "locked" not in str(error) or time.monotonic() > deadline:
                raise
            time.sleep(0.02)


DAMAGED = "run 'probative cache clear' to delete it and start anew, or use --no-cache"
UNWRITABLE = "set PROBATIVE_HOME to a folder you may write to, or use --no-cache"


class ResponseCache:
    """The file itself. Safe to use from many threads and processes at once.

    `damaged` and `unwritable` are the hints of errors, for a file that is not the user's cache.
    """

    def __init__(self, path: Path, *, damaged: str = DAMAGED, unwritable: str = UNWRITABLE) -> None:
        self.path = path
        self._damaged, self._not_writable = damaged, unwritable
        self._local = threading.local()
        self._opening = threading.Lock()
        self._handles: WeakSet[_Handle] = WeakSet()

    def get(self, keys: Sequence[str]) -> dict[str, str]:
        """Return the stored values of the keys that have one."""
        values: dict[str, str] = {}
        with self._guarded() as connection:
            for start in range(0, len(keys), _LOOKUP):
                some = keys[start : start + _LOOKUP]
                marks = ",".join("?" * len(some))
                rows = connection.execute(f"SELECT key, value FROM results WHERE key IN ({marks})", some)
                values.update(rows.fetchall())
        return values

    def values(self, verbs: Sequence[str]) -> list[str]:
        """Return all stored results of these verbs."""
        marks = ",".join("?" * len(verbs))
        with self._guarded() as connection:
            rows = connection.execute(f"SELECT value FROM results WHERE verb IN ({marks})", verbs)
            return [str(value) for (value,) in rows]

    def put(self, verb: str, model: str, values: Mapping[str, str]) -> None:
        """Store values by key, all or none; where another process was faster, its value stays."""
        now = time.time()
        rows = [(key, verb, model, value, now) for key, value in values.items()]
        with self._guarded() as connection:
            connection.execute("BEGIN IMMEDIATE")
            try:
                connection.executemany(
                    "INSERT INTO results (key, verb, model, value, created) VALUES (?, ?, ?, ?, ?) "
                    "ON CONFLICT (key) DO NOTHING",
                    rows,
                )
                connection.execute("COMMIT")
            except BaseException:
                connection.execute("ROLLBACK")
                raise

    def forget(self, key: str) -> None:
        """Remove one value."""
        with self._guarded() as connection:
            connection.execute("DELETE FROM results WHERE key = ?", (key,))

    def summary(self) -> CacheSummary:
        """Return the number and size of the results, by model."""
        with self._guarded() as connection:
            rows = connection.execute("SELECT model, COUNT(*) FROM results GROUP BY model").fetchall()
        by_model = dict(sorted((str(model), count) for model, count in rows))
        size = sum(file.stat().st_size for file in self._files() if file.exists())
        return CacheSummary(path=self.path, results=sum(by_model.values()), bytes=size, by_model=by_model)

    def prune(self, *, older_than_days: float | None = None, model: str | None = None) -> int:
        """Remove old results, or a model's, and give the space back; returns how many went."""
        conditions: dict[str, Any] = {}
        if older_than_days is not None:
            conditions["created < ?"] = time.time() - older_than_days * 86_400
        if model is not None:
            conditions["model = ?"] = model
        where = " AND ".join(["1 = 1", *conditions])
        with self._guarded() as connection:
            gone = connection.execute(f"DELETE FROM results WHERE {where}", [*conditions.values()]).rowcount
            connection.execute("VACUUM")
        return gone

    def clear(self) -> int:
        """Remove everything, even where the file is damaged; returns how many results went."""
        try:
            return self.prune()
        except StoreError:
            self.close()
            with self._guarded_files():
                for file in self._files():
                    file.unlink(missing_ok=True)
            return 0

    def close(self) -> None:
        """Close the connections of all threads; the next use opens a new one."""
        with self._opening:
            handles, self._handles = list(self._handles), WeakSet()
            self._local = threading.local()
        for handle in handles:
            handle.close()

    def _close_own(self) -> None:
        """Close the connection of this thread; those of other threads may be in use."""
        handle: _Handle | None = getattr(self._local, "handle", None)
        if handle is not None:
            self._local.handle = None
            handle.close()

    def _files(self) -> list[Path]:
        return [self.path, *(self.path.with_name(self.path.name + end) for end in ("-wal", "-shm"))]

    @contextmanager
    def _guarded(self) -> Iterator[sqlite3.Connection]:
        try:
            with self._guarded_files():
                yield self._connection()
        except (sqlite3.Error, UnicodeDecodeError) as error:
            # A damaged file can make SQLite write messages that are not UTF-8.
            self._close_own()
            damaged = not isinstance(error, sqlite3.OperationalError)
            state = "is damaged" if damaged else "cannot be used"
            raise StoreError(f"the cache {self.path} {state}: {error}", hint=self._damaged) from error

    @contextmanager
    def _guarded_files(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            what = f"the cache {self.path} cannot be written: {error}"
            raise StoreError(what, hint=self._not_writable) from error

    def _connection(self) -> sqlite3.Connection:
        """Return the connection of this thread of this process: neither may share one."""
        handle: _Handle | None = getattr(self._local, "handle", None)
        if handle is None or handle.process != os.getpid():
            self._keep_private()
            handle = _Handle(self.path)
            self._local.handle = handle
            with self._opening:  # threads that set the journal's mode at once would find the file locked
                self._handles.add(handle)
                _prepare(handle.connection)
        return handle.connection

    def _keep_private(self) -> None:
        """Create the file for its owner alone, and take rights from others that an existing file gives:
        it holds the texts of every request. SQLite gives its side files the rights of the main one.

        A folder that exists keeps its rights, since its weights may be shared.
        """
        self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        # Only a new file: closing another handle on an open database would drop this process's locks.
        with suppress(FileExistsError):
            os.close(os.open(self.path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
        for file in self._files():
            with suppress(FileNotFoundError, PermissionError):  # the file of another user stays as it is
                if file.stat().st_mode & 0o077:
                    file.chmod(0o600)
