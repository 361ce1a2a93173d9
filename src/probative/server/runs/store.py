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
from probative.server.base.errors import ConflictError, NotThereError
from probative.server.runs.belongings import BelongingStore, add_columns
from probative.server.runs.database import Database
from probative.server.runs.marks import SCHEMA as MARKS
from probative.server.runs.marks import MarkStore
from probative.server.runs.run import Run, RunState, VerbName
from probative.server.runs.search import INDEX, INDEX_NAME, RunFilter, folded, verdicts_of
from probative.server.runs.threads import DELETED_RUNS, ThreadStore
from probative.server.runs.threads import SCHEMA as THREADS

_SCHEMA = f"""
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
    body TEXT,
    words TEXT NOT NULL DEFAULT '',
    verdicts TEXT NOT NULL DEFAULT ''
);
CREATE INDEX IF NOT EXISTS runs_by_state ON runs (state);
CREATE INDEX IF NOT EXISTS {INDEX};
{THREADS}{MARKS}"""
VERSION = 7
# Packed bytes of a request that brings a question of at most 4,000 characters, and no texts.
_SHORT = 8_000
_UNFINISHED = f"state IN ('{RunState.QUEUED}', '{RunState.RUNNING}')"

log = logging.getLogger("probative.server")


class Accepted(NamedTuple):
    """A run, and whether it is a new one."""

    run: Run
    is_new: bool


class RunPage(NamedTuple):
    """Some of the runs that fit a filter: where to go on from, if there are more, and how many fit in all."""

    runs: list[Run]
    next: str | None
    total: int


class RunStore:
    """The file of runs, of one server at a time. It may be shared between threads."""

    def __init__(self, file: Path) -> None:
        self._db = Database(file, _SCHEMA, VERSION, _MIGRATIONS)
        self.marks = MarkStore(self._db)
        self.threads = ThreadStore(self._db)
        self.belongings = BelongingStore(self._db)

    def add(self, run: Run, request: dict[str, Any], key: str | None = None) -> Accepted:
        """Keep a new run, or return the one that was accepted with this key before.

        A run that only its client waits for is not on disk yet when this returns: until it is done, nothing
        was promised. Raises `ConflictError` if the key came with another request.
        """
        words = json.dumps(request, ensure_ascii=False, sort_keys=True)
        body = _digest(run.verb, words)
        texts = _light(run), _packed(words)
        values = (run.id, run.verb, run.state, run.detached, *texts, key, body, folded(run.title))

        def adding(db: sqlite3.Connection) -> Accepted:
            if key is not None and (earlier := _run_of_key(db, key, body)) is not None:
                return Accepted(earlier, is_new=False)
            db.execute(
                "INSERT INTO runs (id, verb, state, detached, run, request, key, body, words)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                values,
            )
            return Accepted(run, is_new=True)

        if key is None and not run.detached:
            self._db.later(adding).add_done_callback(_log_failure)
            return Accepted(run, is_new=True)
        return self._db.do(adding)

    def run_of_key(self, verb: VerbName, request: dict[str, Any], key: str) -> Run | None:
        """Return the run that was accepted with this key before; raises `ConflictError`."""
        body = _digest(verb, json.dumps(request, ensure_ascii=False, sort_keys=True))
        return self._db.do(lambda db: _run_of_key(db, key, body))

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
            "UPDATE runs SET state = ?, run = ?, verdicts = ?, result = ?, trace = ?, key = iif(?, NULL, key)"
            " WHERE id = ?",
            (
                run.state,
                _light(run),
                verdicts_of(run),
                _packed(result),
                _packed(trace),
                run.state is RunState.CANCELLED,
                run.id,
            ),
        )

    def get(self, identity: str) -> Run:
        """Return a run with its request; raises `NotThereError`."""
        return _with_request(self._row(identity, "run, request"))

    def result(self, identity: str) -> str | None:
        """Return the JSON of the result of a run, or None if it has none."""
        return _unpacked(self._row(identity, "result")[0])

    def trace(self, identity: str) -> str | None:
        """Return the JSON of the trace of a run, or None if it has none."""
        return _unpacked(self._row(identity, "trace")[0])

    def newest(self, limit: int, chosen: RunFilter | None = None, *, before: str | None = None) -> RunPage:
        """Return the newest runs that fit a filter, without their requests.

        `before` is the id of a run, or `next` of another page, which stays valid if its run is deleted.
        """
        where, values = (chosen or RunFilter()).where()
        start = None if before is None else self._number(before)
        after, further = ("", ()) if start is None else (" AND number < ?", (start,))

        def reading(db: sqlite3.Connection) -> RunPage:
            # The index has all that a filter looks at; the runs themselves are read for one page only.
            fits = f"FROM runs INDEXED BY {INDEX_NAME} WHERE number NOT IN ({DELETED_RUNS}) AND {where}"
            total = db.execute(f"SELECT count(*) {fits}", values).fetchone()[0]
            numbers = f"SELECT number {fits}{after} ORDER BY number DESC LIMIT ?"
            rows = db.execute(
                f"SELECT number, run FROM runs WHERE number IN ({numbers}) ORDER BY number DESC",
                (*values, *further, limit + 1),
            ).fetchall()
            runs = [Run.model_validate_json(row[1]) for row in rows[:limit]]
            return RunPage(runs, f"~{rows[limit - 1][0]}" if len(rows) > limit else None, total)

        return self._db.do(reading)

    def _number(self, before: str) -> int:
        if before.startswith("~"):
            return int(before[1:])
        return int(self._row(before, "number")[0])

    def short_requests(self, verb: VerbName) -> list[dict[str, Any]]:
        """Return the requests of the runs of a verb that are done, oldest first, but long ones, which bring
        their own texts.
        """
        rows = self._all(
            "SELECT request FROM runs WHERE verb = ? AND state = ? AND length(request) < ?"
            f" AND number NOT IN ({DELETED_RUNS}) ORDER BY number",
            (verb, RunState.DONE, _SHORT),
        )
        return [json.loads(_unpacked(row[0]) or "{}") for row in rows]

    def newest_done(self, verb: VerbName, limit: int) -> list[Run]:
        """Return the newest runs of a verb that are done, without their requests."""
        rows = self._all(
            "SELECT run FROM runs WHERE verb = ? AND state = ? ORDER BY number DESC LIMIT ?",
            (verb, RunState.DONE, limit),
        )
        return [Run.model_validate_json(row[0]) for row in rows]

    def unfinished(self) -> list[Run]:
        """Return what was queued or under way when the last server ended, oldest first."""
        rows = self._all(f"SELECT run, request FROM runs WHERE {_UNFINISHED} ORDER BY number", ())
        return [_with_request(row) for row in rows]

    def delete(self, identity: str) -> None:
        """Delete a run; raises `NotThereError`. When this returns, its words are in no file of the store."""

        def deleting(db: sqlite3.Connection) -> None:
            if db.execute("DELETE FROM runs WHERE id = ?", (identity,)).rowcount != 1:
                raise _absent(identity)

        self._db.do(deleting, forget=True)

    def keep_newest(self, count: int, max_bytes: int) -> int:
        """Delete all finished runs but the newest `count`, and the oldest ones beyond `max_bytes`; return how
        many were deleted.
        """
        return self._db.do(lambda db: _clean(db, count, max_bytes))

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    def _row(self, identity: str, columns: str) -> Any:
        rows = self._all(f"SELECT {columns} FROM runs WHERE id = ?", (identity,))
        if not rows:
            raise _absent(identity)
        return rows[0]

    def _all(self, sql: str, values: tuple[Any, ...]) -> list[Any]:
        return self._db.do(lambda db: db.execute(sql, values).fetchall())

    def _write(self, sql: str, values: tuple[Any, ...]) -> None:
        def writing(db: sqlite3.Connection) -> None:
            if db.execute(sql, values).rowcount != 1:
                raise StoreError("the run is not in the file of runs", hint="it could not be kept before")

        self._db.do(writing)


def _absent(identity: str) -> NotThereError:
    return NotThereError(f"there is no run {identity!r}", hint="it was deleted, or is older than those kept")


def _run_of_key(db: sqlite3.Connection, key: str, body: str) -> Run | None:
    row = db.execute("SELECT run, body FROM runs WHERE key = ?", (key,)).fetchone()
    if row is None:
        return None
    if row[1] != body:
        raise ConflictError(
            "this Idempotency-Key came with another request before", hint="use a new key for a new request"
        )
    return Run.model_validate_json(row[0])


def _add_search(db: sqlite3.Connection) -> None:
    """Bring a file of version 2 up to date: what filters look at has columns of its own."""
    db.execute("ALTER TABLE runs ADD COLUMN words TEXT NOT NULL DEFAULT ''")
    db.execute("ALTER TABLE runs ADD COLUMN verdicts TEXT NOT NULL DEFAULT ''")
    for number, words in db.execute("SELECT number, run FROM runs").fetchall():
        run = Run.model_validate_json(words)
        values = (folded(run.title), verdicts_of(run), number)
        db.execute("UPDATE runs SET words = ?, verdicts = ? WHERE number = ?", values)


def _add_belongings_and_levels(db: sqlite3.Connection) -> None:
    """Bring a file of version 3 to 5 up to date."""
    add_columns(db)
    _add_levels(db)


def _add_levels(db: sqlite3.Connection) -> None:
    """Bring a file of version 6 up to date: filters look at the levels of answers, too."""
    for number, words in db.execute("SELECT number, run FROM runs WHERE verdicts != ''").fetchall():
        values = (verdicts_of(Run.model_validate_json(words)), number)
        db.execute("UPDATE runs SET verdicts = ? WHERE number = ?", values)


_MIGRATIONS = {
    2: _add_search,
    **dict.fromkeys((3, 4, 5), _add_belongings_and_levels),
    6: _add_levels,
}


def _clean(db: sqlite3.Connection, count: int, max_bytes: int) -> int:
    ended = f"NOT ({_UNFINISHED})"
    too_many = db.execute(
        f"DELETE FROM runs WHERE {ended} AND number <= "
        "(SELECT number FROM runs ORDER BY number DESC LIMIT 1 OFFSET ?)",
        (count,),
    )
    # The file itself does not shrink: new runs take the pages of those that were deleted.
    size = "length(request) + ifnull(length(result), 0) + ifnull(length(trace), 0)"
    too_large = db.execute(
        f"DELETE FROM runs WHERE {ended} AND number IN (SELECT number FROM "
        f"(SELECT number, sum({size}) OVER (ORDER BY number DESC) AS total FROM runs) WHERE total > ?)",
        (max_bytes,),
    )
    return too_many.rowcount + too_large.rowcount


def _log_failure(adding: Future[Accepted]) -> None:
    if (error := adding.exception()) is not None:
        log.error("a run could not be kept: %s", error)


def _digest(verb: str, words: str) -> str:
    return hashlib.sha256(f"{verb} {words}".encode()).hexdigest()


def _light(run: Run) -> str:
    """Return a run as JSON without its request, which has a column of its own."""
    return run.model_copy(update={"request": None}).to_json()


def _with_request(row: tuple[str, bytes]) -> Run:
    request = json.loads(_unpacked(row[1]) or "{}")
    return Run.model_validate_json(row[0]).model_copy(update={"request": request})


def _packed(text: str | None) -> bytes | None:
    return None if text is None else zlib.compress(text.encode("utf-8"), 3)


def _unpacked(data: bytes | None) -> str | None:
    return None if data is None else zlib.decompress(data).decode("utf-8")
