"""Runs on disk: a SQLite file that survives a restart, also one by `kill -9`.

How a run ended is on disk before anybody is told, and so is that a run was accepted if it goes on without its
client. What was neither done, failed nor cancelled at a restart is found by `unfinished`.
"""

from __future__ import annotations

import hashlib
import json
import logging
import sqlite3
import zlib
from concurrent.futures import Future
from pathlib import Path
from typing import Any, NamedTuple

from probative.errors import StoreError
from probative.server.errors import ConflictError, NotThereError
from probative.server.runs.database import Database
from probative.server.runs.run import Run, RunState, VerbName

_SCHEMA = """
CREATE TABLE IF NOT EXISTS runs (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    verb TEXT NOT NULL,
    state TEXT NOT NULL,
    detached INTEGER NOT NULL,
    run TEXT NOT NULL,
    request BLOB NOT NULL,
    result BLOB,
    trace BLOB,
    key TEXT UNIQUE,
    body TEXT
);
CREATE INDEX IF NOT EXISTS runs_by_state ON runs (state);
"""
VERSION = 2
_UNFINISHED = f"state IN ('{RunState.QUEUED}', '{RunState.RUNNING}')"

log = logging.getLogger("probative.server")


class Accepted(NamedTuple):
    """A run, and whether it is a new one."""

    run: Run
    is_new: bool


class RunStore:
    """The file of runs, of one server at a time. It may be shared between threads."""

    def __init__(self, file: Path) -> None:
        self._db = Database(file, _SCHEMA, VERSION)

    def add(self, run: Run, request: dict[str, Any], key: str | None = None) -> Accepted:
        """Keep a new run, or return the one that was accepted with this key before.

        A run that only its client waits for is not on disk yet when this returns: until it is done, nothing
        was promised. Raises `ConflictError` if the key came with another request.
        """
        words = json.dumps(request, ensure_ascii=False, sort_keys=True)
        body = _digest(run.verb, words)
        values = (run.id, run.verb, run.state, run.detached, _light(run), _packed(words), key, body)

        def adding(db: sqlite3.Connection) -> Accepted:
            if key is not None and (known := _known(db, key, body)) is not None:
                return Accepted(known, is_new=False)
            db.execute(
                "INSERT INTO runs (id, verb, state, detached, run, request, key, body)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                values,
            )
            return Accepted(run, is_new=True)

        if key is None and not run.detached:
            self._db.later(adding).add_done_callback(_log_failure)
            return Accepted(run, is_new=True)
        return self._db.do(adding)

    def known(self, verb: VerbName, request: dict[str, Any], key: str) -> Run | None:
        """Return the run that was accepted with this key before; raises `ConflictError`."""
        body = _digest(verb, json.dumps(request, ensure_ascii=False, sort_keys=True))
        return self._db.do(lambda db: _known(db, key, body))

    def change(self, run: Run) -> None:
        """Keep the state of a run; raises `StoreError` if it has ended meanwhile: its end stays."""
        self._write(
            f"UPDATE runs SET state = ?, detached = ?, run = ? WHERE id = ? AND {_UNFINISHED}",
            (run.state, run.detached, _light(run), run.id),
        )

    def free_key(self, identity: str) -> None:
        """Give back the key of a run that is being stopped; one that has ended after all keeps it."""
        sql = f"UPDATE runs SET key = NULL WHERE id = ? AND {_UNFINISHED}"
        self._db.do(lambda db: db.execute(sql, (identity,)) and None)

    def finish(self, run: Run, result: str | None = None, trace: str | None = None) -> None:
        """Keep how a run ended; it is on disk when this returns. A cancelled run gives its key back."""
        self._write(
            "UPDATE runs SET state = ?, run = ?, result = ?, trace = ?, key = iif(?, NULL, key) WHERE id = ?",
            (
                run.state,
                _light(run),
                _packed(result),
                _packed(trace),
                run.state is RunState.CANCELLED,
                run.id,
            ),
        )

    def get(self, identity: str) -> Run:
        """Return a run with its request; raises `NotThereError`."""
        row = self._row(identity, "run, request")
        return Run.model_validate_json(row[0]).model_copy(update={"request": _request(row[1])})

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
        rows = self._all(
            f"SELECT run FROM runs WHERE {where} ORDER BY number DESC LIMIT ?", (*values, limit + 1)
        )
        runs = [Run.model_validate_json(row[0]) for row in rows]
        return runs[:limit], runs[limit - 1].id if len(runs) > limit else None

    def unfinished(self) -> list[Run]:
        """Return what was queued or under way when the last server ended, oldest first."""
        rows = self._all(
            f"SELECT run, request FROM runs WHERE {_UNFINISHED} ORDER BY number",
            (),
        )
        return [
            Run.model_validate_json(row[0]).model_copy(update={"request": _request(row[1])}) for row in rows
        ]

    def delete(self, identity: str) -> None:
        """Delete a run; raises `NotThereError`."""
        self._row(identity, "id")
        self._db.do(lambda db: db.execute("DELETE FROM runs WHERE id = ?", (identity,)) and None)

    def keep_newest(self, count: int, max_bytes: int) -> None:
        """Delete all finished runs but the newest `count`, and the oldest ones beyond `max_bytes`."""
        self._db.do(lambda db: _clean(db, count, max_bytes))

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    def _row(self, identity: str, columns: str) -> Any:
        rows = self._all(f"SELECT {columns} FROM runs WHERE id = ?", (identity,))
        if not rows:
            raise NotThereError(f"there is no run {identity!r}", hint="old runs are deleted")
        return rows[0]

    def _all(self, sql: str, values: tuple[Any, ...]) -> list[Any]:
        return self._db.do(lambda db: db.execute(sql, values).fetchall())

    def _write(self, sql: str, values: tuple[Any, ...]) -> None:
        def writing(db: sqlite3.Connection) -> None:
            if db.execute(sql, values).rowcount != 1:
                raise StoreError("the run is not in the file of runs", hint="it could not be kept before")

        self._db.do(writing)


def _known(db: sqlite3.Connection, key: str, body: str) -> Run | None:
    row = db.execute("SELECT run, body FROM runs WHERE key = ?", (key,)).fetchone()
    if row is None:
        return None
    if row[1] != body:
        raise ConflictError(
            "this Idempotency-Key came with another request before", hint="use a new key for a new request"
        )
    return Run.model_validate_json(row[0])


def _clean(db: sqlite3.Connection, count: int, max_bytes: int) -> None:
    ended = f"NOT ({_UNFINISHED})"
    db.execute(
        f"DELETE FROM runs WHERE {ended} AND number <= "
        "(SELECT number FROM runs ORDER BY number DESC LIMIT 1 OFFSET ?)",
        (count,),
    )
    # The file itself does not shrink: new runs take the pages of those that were deleted.
    size = "length(request) + ifnull(length(result), 0) + ifnull(length(trace), 0)"
    db.execute(
        f"DELETE FROM runs WHERE {ended} AND number IN (SELECT number FROM "
        f"(SELECT number, sum({size}) OVER (ORDER BY number DESC) AS total FROM runs) WHERE total > ?)",
        (max_bytes,),
    )


def _log_failure(adding: Future[Accepted]) -> None:
    if (error := adding.exception()) is not None:
        log.error("a run could not be kept: %s", error)


def _digest(verb: str, words: str) -> str:
    return hashlib.sha256(f"{verb} {words}".encode()).hexdigest()


def _light(run: Run) -> str:
    """Return a run as JSON without its request, which has a column of its own."""
    return run.model_copy(update={"request": None}).to_json()


def _request(data: bytes) -> Any:
    return json.loads(_unpacked(data) or "{}")


def _packed(text: str | None) -> bytes | None:
    return None if text is None else zlib.compress(text.encode("utf-8"), 3)


def _unpacked(data: bytes | None) -> str | None:
    return None if data is None else zlib.decompress(data).decode("utf-8")
