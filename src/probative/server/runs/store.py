"""Runs on disk: a SQLite file that survives a restart, also one by `kill -9`.

A run is written when it is accepted and when it ends, each in a transaction of its own that is on disk before
anybody is told. What was neither done, failed nor cancelled at a restart is found by `unfinished`.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
import threading
import zlib
from pathlib import Path
from typing import Any, NamedTuple

from probative.errors import StoreError
from probative.server.errors import ConflictError, NotThereError
from probative.server.runs.run import Run, RunState, VerbName

_SCHEMA = """
CREATE TABLE IF NOT EXISTS runs (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    verb TEXT NOT NULL,
    state TEXT NOT NULL,
    detached INTEGER NOT NULL,
    run TEXT NOT NULL,
    request TEXT NOT NULL,
    result BLOB,
    trace BLOB,
    key TEXT UNIQUE,
    body TEXT
);
CREATE INDEX IF NOT EXISTS runs_by_state ON runs (state);
"""
VERSION = 1


class Accepted(NamedTuple):
    """A run, and whether it is a new one."""

    run: Run
    is_new: bool


class RunStore:
    """The file of runs. It may be shared between threads."""

    def __init__(self, file: Path) -> None:
        file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._lock = threading.Lock()
        try:
            self._db = sqlite3.connect(file, check_same_thread=False, isolation_level=None)
            version = self._db.execute("PRAGMA user_version").fetchone()[0]
            if version not in (0, VERSION):
                raise StoreError(
                    f"the runs in {file} are of another version ({version})",
                    hint="give another --data folder",
                )
            self._db.execute("PRAGMA journal_mode=WAL")
            self._db.execute("PRAGMA synchronous=FULL")
            self._db.executescript(_SCHEMA)
            self._db.execute(f"PRAGMA user_version={VERSION}")
        except sqlite3.Error as error:
            raise StoreError(f"the runs cannot be kept in {file}: {error}") from None

    def add(self, run: Run, request: dict[str, Any], key: str | None = None) -> Accepted:
        """Keep a new run, or return the one that was accepted with this key before.

        Raises `ConflictError` if the key came with another request.
        """
        words = json.dumps(request, ensure_ascii=False, sort_keys=True)
        body = hashlib.sha256(f"{run.verb} {words}".encode()).hexdigest()
        with self._lock:
            if key is not None and (known := self._known(key, body)) is not None:
                return Accepted(known, is_new=False)
            self._do(
                "INSERT INTO runs (id, verb, state, detached, run, request, key, body)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                (run.id, run.verb, run.state, run.detached, _light(run), words, key, body),
            )
        return Accepted(run, is_new=True)

    def _known(self, key: str, body: str) -> Run | None:
        row = self._one("SELECT run, body FROM runs WHERE key = ?", (key,))
        if row is None:
            return None
        if row[1] != body:
            raise ConflictError(
                "this Idempotency-Key came with another request before",
                hint="use a new key for a new request",
            )
        return Run.model_validate_json(row[0])

    def drop(self, identity: str) -> None:
        """Forget a run that could not be queued."""
        with self._lock:
            self._do("DELETE FROM runs WHERE id = ?", (identity,))

    def finish(self, run: Run, result: str | None = None, trace: str | None = None) -> None:
        """Keep how a run ended; it is on disk when this returns."""
        with self._lock:
            self._do(
                "UPDATE runs SET state = ?, run = ?, result = ?, trace = ? WHERE id = ?",
                (run.state, _light(run), _packed(result), _packed(trace), run.id),
            )

    def get(self, identity: str) -> Run:
        """Return a run with its request; raises `NotThereError`."""
        row = self._row(identity, "run, request")
        return Run.model_validate_json(row[0]).model_copy(update={"request": json.loads(row[1])})

    def result(self, identity: str) -> str | None:
        """Return the JSON of the result of a run, or None if it has none."""
        return _unpacked(self._row(identity, "result")[0])

    def trace(self, identity: str) -> str | None:
        """Return the JSON of the trace of a run, or None if it has none."""
        return _unpacked(self._row(identity, "trace")[0])

    def newest(
        self, limit: int, *, verb: VerbName | None = None, before: str | None = None
    ) -> tuple[list[Run], str | None]:
        """Return the newest runs without their requests, and the id to go on from."""
        conditions, values = ["1"], list[Any]()
        if verb is not None:
            conditions.append("verb = ?")
            values.append(verb)
        if before is not None:
            conditions.append("number < ?")
            values.append(self._row(before, "number")[0])
        where = " AND ".join(conditions)
        with self._lock:
            rows = self._all(
                f"SELECT run FROM runs WHERE {where} ORDER BY number DESC LIMIT ?", (*values, limit + 1)
            )
        runs = [Run.model_validate_json(row[0]) for row in rows]
        return runs[:limit], runs[limit - 1].id if len(runs) > limit else None

    def unfinished(self) -> list[Run]:
        """Return what was queued or under way when the last server ended, oldest first."""
        with self._lock:
            rows = self._all(
                "SELECT run, request FROM runs WHERE state IN (?, ?) ORDER BY number",
                (RunState.QUEUED, RunState.RUNNING),
            )
        return [
            Run.model_validate_json(row[0]).model_copy(update={"request": json.loads(row[1])}) for row in rows
        ]

    def delete(self, identity: str) -> None:
        """Delete a run; raises `NotThereError`."""
        self._row(identity, "id")
        self.drop(identity)

    def keep_newest(self, count: int) -> None:
        """Delete all finished runs but the newest `count`."""
        with self._lock:
            self._do(
                "DELETE FROM runs WHERE state NOT IN (?, ?) AND number <= "
                "(SELECT number FROM runs ORDER BY number DESC LIMIT 1 OFFSET ?)",
                (RunState.QUEUED, RunState.RUNNING, count),
            )

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._db.close()

    def _row(self, identity: str, columns: str) -> Any:
        with self._lock:
            row = self._one(f"SELECT {columns} FROM runs WHERE id = ?", (identity,))
        if row is None:
            raise NotThereError(f"there is no run {identity!r}", hint="old runs are deleted")
        return row

    def _one(self, sql: str, values: tuple[Any, ...]) -> Any:
        return self._execute(sql, values).fetchone()

    def _all(self, sql: str, values: tuple[Any, ...]) -> list[Any]:
        return self._execute(sql, values).fetchall()

    def _do(self, sql: str, values: tuple[Any, ...]) -> None:
        self._execute(sql, values)

    def _execute(self, sql: str, values: tuple[Any, ...]) -> sqlite3.Cursor:
        try:
            return self._db.execute(sql, values)
        except sqlite3.Error as error:
            raise StoreError(f"the runs cannot be read or written: {error}") from None


def _light(run: Run) -> str:
    """Return a run as JSON without its request, which has a column of its own."""
    return run.model_copy(update={"request": None}).to_json()


def _packed(text: str | None) -> bytes | None:
    return None if text is None else zlib.compress(text.encode("utf-8"), 3)


def _unpacked(data: bytes | None) -> str | None:
    return None if data is None else zlib.decompress(data).decode("utf-8")
