"""Marks and threads of a corpus: they go with it when it is deleted, and come back with it."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from probative.server.runs.database import Database
from probative.server.runs.run import now

TABLES = ("threads", "marks")


class BelongingStore:
    """What belongs to a corpus in the file of runs. `gone_with` is the id of the corpus that it went with."""

    def __init__(self, db: Database) -> None:
        self._db = db

    def runs(self) -> list[str]:
        """Return the ids of the runs that have marks or are in a thread."""
        sql = "SELECT id FROM runs WHERE id IN (SELECT run FROM marks UNION SELECT run FROM turns)"
        return [row[0] for row in self._db.do(lambda db: db.execute(sql).fetchall())]

    def go(self, identity: str, runs: Sequence[str]) -> None:
        """Hide the marks of runs, and delete the threads that they are in; `come_back` undoes that."""

        def going(db: sqlite3.Connection) -> None:
            for run in runs:
                db.execute(
                    "UPDATE marks SET gone_with = ? WHERE run = ? AND gone_with IS NULL", (identity, run)
                )
                db.execute(
                    "UPDATE threads SET gone_with = ?, deleted = ? WHERE deleted IS NULL"
                    " AND id IN (SELECT thread FROM turns WHERE run = ?)",
                    (identity, now(), run),
                )

        self._db.do(going)

    def come_back(self, identity: str) -> None:
        """Bring back what went with a corpus."""

        def coming(db: sqlite3.Connection) -> None:
            db.execute("UPDATE threads SET deleted = NULL, gone_with = NULL WHERE gone_with = ?", (identity,))
            db.execute("UPDATE marks SET gone_with = NULL WHERE gone_with = ?", (identity,))

        self._db.do(coming)

    def forget(self, identities: Sequence[str]) -> None:
        """Remove the marks of corpora for good; the threads are removed when their own day is over."""

        def forgetting(db: sqlite3.Connection) -> None:
            for identity in identities:
                db.execute("DELETE FROM marks WHERE gone_with = ?", (identity,))

        self._db.do(forgetting)


def add_columns(db: sqlite3.Connection) -> None:
    """Bring a file up to date whose tables do not know what went with a corpus."""
    for table in TABLES:
        columns = [row[1] for row in db.execute(f"PRAGMA table_info({table})")]
        if columns and "gone_with" not in columns:
            db.execute(f"ALTER TABLE {table} ADD COLUMN gone_with TEXT")
