"""Marks on disk: what users say of answers and claims, right or wrong, with the runs that they are about."""

from __future__ import annotations

import sqlite3

from probative.server.runs.database import Database
from probative.server.runs.run import now
from probative.types import Value

# An answer has the claim -1. A mark has no words of its own, and goes with its run.
SCHEMA = """
CREATE TABLE IF NOT EXISTS marks (
    run TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    claim INTEGER NOT NULL,
    right INTEGER NOT NULL,
    made TEXT NOT NULL,
    gone_with TEXT,
    PRIMARY KEY (run, claim)
);
"""
_ANSWER = -1


class Mark(Value):
    """What a user says of an answer, or of the verdict of a claim of a verification, by its index."""

    claim: int | None = None
    right: bool


class MarkStore:
    """The marks in the file of runs."""

    def __init__(self, db: Database) -> None:
        self._db = db

    def put(self, run: str, claim: int | None, right: bool | None) -> None:
        """Keep a mark in the place of an earlier one; with None, take it back."""
        place = (run, _ANSWER if claim is None else claim)

        def putting(db: sqlite3.Connection) -> None:
            db.execute("DELETE FROM marks WHERE run = ? AND claim = ?", place)
            if right is not None:
                db.execute(
                    "INSERT INTO marks (run, claim, right, made) VALUES (?, ?, ?, ?)", (*place, right, now())
                )

        self._db.do(putting)

    def of(self, run: str) -> tuple[Mark, ...]:
        """Return the marks of a run, by the index of the claim."""
        rows = self._db.do(
            lambda db: db.execute(
                "SELECT claim, right FROM marks WHERE run = ? AND gone_with IS NULL ORDER BY claim", (run,)
            ).fetchall()
        )
        return tuple(
            Mark(claim=None if claim == _ANSWER else claim, right=bool(right)) for claim, right in rows
        )

    def runs(self, verb: str) -> list[str]:
        """Return the ids of the runs of a verb that have marks, oldest first."""
        rows = self._db.do(
            lambda db: db.execute(
                "SELECT id FROM runs WHERE verb = ? AND id IN"
                " (SELECT run FROM marks WHERE gone_with IS NULL) ORDER BY number",
                (verb,),
            ).fetchall()
        )
        return [row[0] for row in rows]
