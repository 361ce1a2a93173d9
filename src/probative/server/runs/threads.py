"""Threads on disk: questions of a conversation in their order, in the file of the runs that answer them."""

from __future__ import annotations

import secrets
import sqlite3
from datetime import UTC, datetime, timedelta

from probative.server.base.errors import NotThereError
from probative.server.runs.database import Database
from probative.server.runs.run import Run, now, shortened
from probative.types import Value

SCHEMA = """
CREATE TABLE IF NOT EXISTS threads (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    created TEXT NOT NULL,
    changed TEXT NOT NULL,
    deleted TEXT,
    gone_with TEXT
);
CREATE TABLE IF NOT EXISTS turns (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    thread TEXT NOT NULL,
    run TEXT NOT NULL UNIQUE
);
CREATE INDEX IF NOT EXISTS turns_by_thread ON turns (thread);
"""
UNDO = timedelta(days=1)
"""How long a thread that was deleted can be had back."""
# The runs of threads that were deleted: lists of runs do not show them.
DELETED_RUNS = (
    "SELECT runs.number FROM turns JOIN runs ON runs.id = turns.run"
    " JOIN threads ON threads.id = turns.thread WHERE threads.deleted IS NOT NULL"
)
_FIELDS = (
    "id, name, created, changed, deleted,"
    " (SELECT count(*) FROM turns JOIN runs ON runs.id = turns.run WHERE turns.thread = threads.id)"
)


class Thread(Value):
    """A conversation: its name, how many questions it has, and when it was deleted, if it was."""

    id: str
    name: str
    created: str
    changed: str
    deleted: str | None = None
    turns: int = 0


class ThreadStore:
    """The threads in the file of runs. A thread has the runs that are still kept; one without any is gone."""

    def __init__(self, db: Database) -> None:
        self._db = db

    def begin(self, run: Run) -> Thread:
        """Begin a thread with a run, whose title is its name, or return the thread that the run is in."""
        identity, moment = secrets.token_urlsafe(12), now()

        def beginning(db: sqlite3.Connection) -> Thread:
            earlier = db.execute("SELECT thread FROM turns WHERE run = ?", (run.id,)).fetchone()
            if earlier is not None:
                return _thread(db, earlier[0])
            db.execute(
                "INSERT INTO threads (id, name, created, changed) VALUES (?, ?, ?, ?)",
                (identity, run.title, moment, moment),
            )
            db.execute("INSERT INTO turns (thread, run) VALUES (?, ?)", (identity, run.id))
            return _thread(db, identity)

        return self._db.do(beginning)

    def get(self, identity: str) -> Thread:
        """Return a thread, also one that was deleted less than a day ago; raises `NotThereError`."""
        return self._db.do(lambda db: _thread(db, identity))

    def newest(self, limit: int) -> list[Thread]:
        """Return the threads that changed last, with those that can be had back."""
        rows = self._db.do(
            lambda db: db.execute(
                f"SELECT * FROM (SELECT {_FIELDS} AS turns FROM threads) WHERE turns > 0"
                " ORDER BY changed DESC LIMIT ?",
                (limit,),
            ).fetchall()
        )
        return [_read(row) for row in rows]

    def of_run(self, run: str) -> Thread | None:
        """Return the thread that has a run, if there is one."""

        def reading(db: sqlite3.Connection) -> Thread | None:
            row = db.execute("SELECT thread FROM turns WHERE run = ?", (run,)).fetchone()
            return None if row is None else _thread(db, row[0])

        return self._db.do(reading)

    def runs(self, identity: str) -> list[str]:
        """Return the ids of the runs of a thread, in the order of its questions."""
        rows = self._db.do(
            lambda db: db.execute(
                "SELECT turns.run FROM turns JOIN runs ON runs.id = turns.run WHERE thread = ?"
                " ORDER BY turns.number",
                (identity,),
            ).fetchall()
        )
        return [row[0] for row in rows]

    def add(self, identity: str, run: str, instead_of: str | None = None) -> None:
        """Add a run to the end of a thread, or in the place of another one."""

        def adding(db: sqlite3.Connection) -> None:
            if instead_of is None:
                db.execute("INSERT OR IGNORE INTO turns (thread, run) VALUES (?, ?)", (identity, run))
            else:
                db.execute(
                    "UPDATE turns SET run = ? WHERE thread = ? AND run = ?", (run, identity, instead_of)
                )
            db.execute("UPDATE threads SET changed = ? WHERE id = ?", (now(), identity))

        self._db.do(adding)

    def rename(self, identity: str, name: str) -> Thread:
        """Give a thread another name."""
        return self._change(identity, "name", shortened(name))

    def delete(self, identity: str) -> None:
        """Delete a thread, which `restore` brings back for a day."""
        self._change(identity, "deleted", now())

    def restore(self, identity: str) -> Thread:
        """Take back that a thread was deleted."""
        self._change(identity, "gone_with", None)
        return self._change(identity, "deleted", None)

    def clean(self, moment: datetime | None = None) -> int:
        """Delete for good what was deleted a day ago, with its runs, and threads without a run; return how
        many threads. When this returns, their words are in no file of the store.
        """
        before = ((moment or datetime.now(UTC)) - UNDO).isoformat(timespec="milliseconds")

        def cleaning(db: sqlite3.Connection) -> int:
            old = "(SELECT id FROM threads WHERE deleted < ?)"
            db.execute(
                f"DELETE FROM runs WHERE id IN (SELECT run FROM turns WHERE thread IN {old})", (before,)
            )
            db.execute("DELETE FROM turns WHERE run NOT IN (SELECT id FROM runs)")
            return db.execute("DELETE FROM threads WHERE id NOT IN (SELECT thread FROM turns)").rowcount

        if not self._db.do(lambda db: db.execute("SELECT 1 FROM threads LIMIT 1").fetchone()):
            return 0
        return self._db.do(cleaning, forget=True)

    def _change(self, identity: str, column: str, value: str | None) -> Thread:
        def changing(db: sqlite3.Connection) -> Thread:
            db.execute(f"UPDATE threads SET {column} = ? WHERE id = ?", (value, identity))
            return _thread(db, identity)

        return self._db.do(changing)


def _thread(db: sqlite3.Connection, identity: str) -> Thread:
    row = db.execute(f"SELECT {_FIELDS} FROM threads WHERE id = ?", (identity,)).fetchone()
    if row is None:
        raise NotThereError(
            f"there is no thread {identity!r}", hint="it was deleted, or its runs are older than those kept"
        )
    return _read(row)


def _read(row: tuple[str, str, str, str, str | None, int]) -> Thread:
    id_, name, created, changed, deleted, turns = row
    return Thread(id=id_, name=name, created=created, changed=changed, deleted=deleted, turns=turns)
