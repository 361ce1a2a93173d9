"""A cache of model results by request, in one SQLite file that processes share: no call is paid twice.

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
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Generic, NamedTuple, TypeVar
from weakref import WeakSet, finalize

from probative.errors import ModelError, StoreError
from probative.models.contract import Encoder, LanguageModel, Outcomes
from probative.models.wrappers.wrapper import RESULTS, Verb, Wrapper
from probative.types import Value
from probative.usage import Usage

# Part of every key: raised when the meaning of a stored value changes.
FORMAT = 1
_LOOKUP = 500  # keys in one SELECT

Outcome = TypeVar("Outcome")


class CacheSummary(Value):
    """What a cache holds."""

    path: Path
    results: int
    bytes: int
    by_model: dict[str, int]


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


class ResponseCache:
    """The file itself. Safe to use from many threads and processes at once."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._local = threading.local()
        self._opening = threading.Lock()
        self._handles: WeakSet[_Handle] = WeakSet()

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
        """Close the connections of all threads; the next use opens a new one."""
        with self._opening:
            handles, self._handles = list(self._handles), WeakSet()
            self._local = threading.local()
        for handle in handles:
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
        """Return the connection of this thread of this process: neither may share one."""
        handle: _Handle | None = getattr(self._local, "handle", None)
        if handle is None or handle.process != os.getpid():
            self._keep_private()
            handle = _Handle(self.path)
            self._local.handle = handle
            handle.connection.execute("PRAGMA journal_mode = WAL")
            handle.connection.execute("PRAGMA synchronous = NORMAL")
            handle.connection.execute(
                "CREATE TABLE IF NOT EXISTS results (key TEXT PRIMARY KEY, verb TEXT NOT NULL, "
                "model TEXT NOT NULL, value TEXT NOT NULL, created REAL NOT NULL) WITHOUT ROWID"
            )
            with self._opening:
                self._handles.add(handle)
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


def key_of(model: LanguageModel | Encoder, verb: str, request: Any) -> str:
    """Return the key of a request: a hash of everything that decides its result."""
    plain = request.to_dict() if isinstance(request, Value) else request
    return hash_key(verb, model.name, model.fingerprint, plain)


def hash_key(verb: str, name: str, fingerprint: str, request: Any) -> str:
    """Return the key of a request to the model of this name and fingerprint."""
    text = json.dumps([FORMAT, verb, name, fingerprint, request], sort_keys=True, ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()


class Codec(NamedTuple, Generic[Outcome]):
    """How the results of one verb are kept: as text, back again, and with another cost."""

    verb: str
    model: str
    to_text: Callable[[Outcome], str]
    from_text: Callable[[str], Outcome]
    with_usage: Callable[[Outcome, Usage], Outcome]


class CacheReader:
    """Answers from a cache what it holds and stores what the model answers, whatever the verb."""

    def __init__(self, cache: ResponseCache, *, read_only: bool = False) -> None:
        self._cache = cache
        self._read_only = read_only

    def answer(
        self,
        keys: Sequence[str],
        codec: Codec[Outcome],
        call: Callable[[list[int]], Iterator[tuple[int, Outcome | ModelError]]],
    ) -> Iterator[tuple[int, Outcome | ModelError]]:
        """Yield the index and the outcome of each request, cached ones first.

        `call` gets the indexes of the requests that must be made, one for each distinct key, and yields
        positions in that list with their outcomes. An error is yielded and never stored.
        """
        places: dict[str, list[int]] = {}
        for index, key in enumerate(keys):
            places.setdefault(key, []).append(index)
        missing: list[str] = []
        stored = self._cache.get(list(places))
        for key, indexes in places.items():
            outcome = self._read(key, stored[key], codec) if key in stored else None
            if outcome is None:
                missing.append(key)
            else:
                yield from ((index, outcome) for index in indexes)
        if not missing:
            return
        for position, result in call([places[key][0] for key in missing]):
            key = missing[position]
            if isinstance(result, ModelError):
                yield from ((index, result) for index in places[key])
                continue
            self._store(key, result, codec)
            first, *others = places[key]
            yield first, result
            yield from ((index, codec.with_usage(result, Usage(cached=1))) for index in others)

    def _store(self, key: str, outcome: Outcome, codec: Codec[Outcome]) -> None:
        """Store a result. It is paid for: a cache that cannot take it must not lose it."""
        if self._read_only:
            return
        try:
            text = codec.to_text(codec.with_usage(outcome, Usage()))
            self._cache.put(codec.verb, codec.model, {key: text})
        except (StoreError, ValueError) as error:
            warnings.warn(f"a result could not be cached: {error}", stacklevel=2)

    def _read(self, key: str, text: str, codec: Codec[Outcome]) -> Outcome | None:
        """Return the stored result, or None if it cannot be read: it is then requested again."""
        try:
            return codec.with_usage(codec.from_text(text), Usage(cached=1))
        except ValueError:
            if not self._read_only:
                self._cache.forget(key)
            return None


class Cached(Wrapper):
    """Answers from the cache what it holds, and asks the inner model once for each other request."""

    def __init__(self, inner: LanguageModel, cache: ResponseCache, *, read_only: bool = False) -> None:
        super().__init__(inner)
        self.cache = cache
        self._reader = CacheReader(cache, read_only=read_only)

    def close(self) -> None:
        self.cache.close()
        super().close()

    def _around(self, verb: str, asked: Sequence[Any], call: Verb) -> Outcomes[Any]:
        codec: Codec[Any] = Codec(
            verb=verb,
            model=self.name,
            to_text=lambda outcome: outcome.to_json(),
            from_text=RESULTS[verb].model_validate_json,
            with_usage=lambda outcome, usage: outcome.model_copy(update={"usage": usage}),
        )
        keys = [key_of(self.inner, verb, item) for item in asked]
        yield from self._reader.answer(keys, codec, lambda indexes: call([asked[i] for i in indexes]))
