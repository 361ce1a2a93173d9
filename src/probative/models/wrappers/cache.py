"""Never pay twice for the same call: results by request, in one SQLite file, shared by processes.

The key covers the model, its weights, the verb and every field of the request. Values are JSON.
Only results are kept: an error is asked again next time.
"""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
import threading
import time
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from probative.errors import ModelError, StoreError
from probative.models.contract import LanguageModel, Outcomes
from probative.models.wrappers.wrapper import RESULTS, Asked, Verb, Wrapper
from probative.types import Value
from probative.usage import Usage

# Part of every key: raised when the meaning of a stored value changes.
FORMAT = 1
_LOOKUP = 500  # keys in one SELECT


class CacheSummary(Value):
    """What a cache holds."""

    path: Path
    results: int
    bytes: int
    by_model: dict[str, int]


class ResponseCache:
    """The file itself. Safe to use from many threads and processes at once."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._local = threading.local()

    def get(self, keys: Sequence[str]) -> dict[str, str]:
        """The stored values of those keys that have one."""
        found: dict[str, str] = {}
        with self._guarded() as connection:
            for start in range(0, len(keys), _LOOKUP):
                some = keys[start : start + _LOOKUP]
                marks = ",".join("?" * len(some))
                rows = connection.execute(f"SELECT key, value FROM results WHERE key IN ({marks})", some)
                found.update(rows.fetchall())
        return found

    def put(self, key: str, verb: str, model: str, value: str) -> None:
        """Store a value; where another process was faster, its value stays."""
        row = (key, verb, model, value, time.time())
        with self._guarded() as connection:
            connection.execute(
                "INSERT INTO results (key, verb, model, value, created) VALUES (?, ?, ?, ?, ?) "
                "ON CONFLICT (key) DO NOTHING",
                row,
            )

    def forget(self, key: str) -> None:
        """Remove one value."""
        with self._guarded() as connection:
            connection.execute("DELETE FROM results WHERE key = ?", (key,))

    def summary(self) -> CacheSummary:
        """How much there is, by model."""
        with self._guarded() as connection:
            rows = connection.execute("SELECT model, COUNT(*) FROM results GROUP BY model").fetchall()
        by_model = dict(sorted((str(model), count) for model, count in rows))
        size = sum(file.stat().st_size for file in self._files() if file.exists())
        return CacheSummary(path=self.path, results=sum(by_model.values()), bytes=size, by_model=by_model)

    def prune(self, *, older_than_days: float | None = None, model: str | None = None) -> int:
        """Remove old results, or a model's, and give the space back; returns how many went."""
        conditions, values = ["1 = 1"], list[Any]()
        if older_than_days is not None:
            conditions.append("created < ?")
            values.append(time.time() - older_than_days * 86_400)
        if model is not None:
            conditions.append("model = ?")
            values.append(model)
        with self._guarded() as connection:
            gone = connection.execute(
                f"DELETE FROM results WHERE {' AND '.join(conditions)}", values
            ).rowcount
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
        """Close this thread's connection."""
        connection = getattr(self._local, "connection", None)
        if connection is not None:
            connection.close()
            self._local.connection = None

    def _files(self) -> list[Path]:
        return [self.path, *(self.path.with_name(self.path.name + end) for end in ("-wal", "-shm"))]

    @contextmanager
    def _guarded(self) -> Iterator[sqlite3.Connection]:
        try:
            with self._guarded_files():
                yield self._connection()
        except (sqlite3.Error, UnicodeDecodeError) as error:
            # A damaged file can make SQLite write messages that are not UTF-8.
            self.close()
            damaged = not isinstance(error, sqlite3.OperationalError)
            state = "is damaged" if damaged else "cannot be used"
            raise StoreError(
                f"the cache {self.path} {state}: {error}",
                hint="run 'probative cache clear' to delete it and start anew, or use --no-cache",
            ) from error

    @contextmanager
    def _guarded_files(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise self._unwritable(error) from error

    def _unwritable(self, error: OSError) -> StoreError:
        return StoreError(
            f"the cache {self.path} cannot be written: {error}",
            hint="set PROBATIVE_HOME to a folder you may write to, or use --no-cache",
        )

    def _connection(self) -> sqlite3.Connection:
        """A connection for this thread of this process: neither may be shared."""
        if getattr(self._local, "pid", None) != os.getpid():
            self._local.connection = None
            self._local.pid = os.getpid()
        if self._local.connection is None:
            self._keep_private()
            connection = sqlite3.connect(self.path, timeout=60.0, isolation_level=None)
            self._local.connection = connection
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = NORMAL")
            connection.execute(
                "CREATE TABLE IF NOT EXISTS results (key TEXT PRIMARY KEY, verb TEXT NOT NULL, "
                "model TEXT NOT NULL, value TEXT NOT NULL, created REAL NOT NULL) WITHOUT ROWID"
            )
        connection = self._local.connection
        assert isinstance(connection, sqlite3.Connection)
        return connection

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


def key_of(model: LanguageModel, verb: str, asked: Asked) -> str:
    """The key of a request: a hash of everything that decides its result."""
    everything = [FORMAT, verb, model.name, model.fingerprint, asked.to_dict()]
    text = json.dumps(everything, sort_keys=True, ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()


class Cached(Wrapper):
    """Answers from the cache what it holds, and asks the inner model once for each other request."""

    def __init__(self, inner: LanguageModel, cache: ResponseCache, *, read_only: bool = False) -> None:
        super().__init__(inner)
        self.cache = cache
        self._read_only = read_only

    def close(self) -> None:
        self.cache.close()
        super().close()

    def _around(self, verb: str, asked: Sequence[Any], call: Verb) -> Outcomes[Any]:
        places: dict[str, list[int]] = {}
        for index, item in enumerate(asked):
            places.setdefault(key_of(self.inner, verb, item), []).append(index)
        missing: list[str] = []
        stored = self.cache.get(list(places))
        for key, indices in places.items():
            result = self._read(verb, key, stored[key]) if key in stored else None
            if result is None:
                missing.append(key)
            else:
                for index in indices:
                    yield index, result
        for nth, outcome in call([asked[places[key][0]] for key in missing]) if missing else ():
            key = missing[nth]
            first, *others = places[key]
            if isinstance(outcome, ModelError):
                yield from ((index, outcome) for index in (first, *others))
                continue
            if not self._read_only:
                self._keep(key, verb, outcome)
            yield first, outcome
            for index in others:
                yield index, outcome.model_copy(update={"usage": Usage(cached=1)})

    def _keep(self, key: str, verb: str, outcome: Any) -> None:
        """Store a result. It is paid for: a cache that cannot take it must not lose it."""
        try:
            self.cache.put(key, verb, self.name, outcome.model_copy(update={"usage": Usage()}).to_json())
        except (StoreError, ValueError) as error:
            warnings.warn(f"a result could not be cached: {error}", stacklevel=2)

    def _read(self, verb: str, key: str, value: str) -> Any:
        """The stored result, or None where the value cannot be read: then it is asked again."""
        try:
            result = RESULTS[verb].model_validate_json(value)
        except ValueError:
            if not self._read_only:
                self.cache.forget(key)
            return None
        return result.model_copy(update={"usage": Usage(cached=1)})
