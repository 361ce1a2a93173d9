"""A SQLite file with one thread that reads and writes it, and commits what has gathered meanwhile at once.

A commit waits for the disk, 4 ms on an ordinary one. Commits one by one would hold a server to some hundred
runs a second; together they cost as much as a single one.
"""

from __future__ import annotations

import logging
import os
import queue
import sqlite3
import threading
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from probative.errors import ProbativeError, StoreError

log = logging.getLogger("probative.server")

Outcome = TypeVar("Outcome")
Migration = Callable[[sqlite3.Connection], None]
"""Brings a file of one version up to the present one."""

# Actions of one commit.
_TOGETHER = 256


class _Task(NamedTuple):
    action: Callable[[sqlite3.Connection], Any]
    future: Future[Any]
    forget: bool = False


class Database:
    """A SQLite file of one process: a second one that opens it gets a `StoreError`."""

    def __init__(
        self, file: Path, schema: str, version: int, migrations: Mapping[int, Migration] | None = None
    ) -> None:
        self._file = file
        self._tasks: queue.SimpleQueue[_Task | None] = queue.SimpleQueue()
        self._closed = threading.Lock()
        self._is_closed = False
        try:
            file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            os.close(os.open(file, os.O_CREAT | os.O_RDWR, 0o600))  # only for the user of the server
            self._db = _opened(file, schema, version, migrations or {})
        except (sqlite3.Error, OSError) as error:
            locked = "locked" in str(error)
            raise StoreError(
                f"the runs cannot be kept in {file}: {error}",
                hint="another server uses this folder: give another --data folder"
                if locked
                else "free some space, or give another --data folder",
            ) from None
        self._thread = threading.Thread(target=self._work, name="probative-runs", daemon=True)
        self._thread.start()

    def do(self, action: Callable[[sqlite3.Connection], Outcome], *, forget: bool = False) -> Outcome:
        """Return what an action returns, once everything it wrote is on disk; raises `StoreError`.

        With `forget`, what it deleted is overwritten in the file and its log by then.
        """
        outcome: Outcome = self.later(action, forget=forget).result()
        return outcome

    def later(
        self, action: Callable[[sqlite3.Connection], Outcome], *, forget: bool = False
    ) -> Future[Outcome]:
        """Carry out an action after those that were given before, without waiting for it."""
        future: Future[Outcome] = Future()
        with self._closed:
            if self._is_closed:
                raise StoreError("the file of runs is closed", hint="the server is shutting down")
            self._tasks.put(_Task(action, future, forget))
        return future

    def close(self) -> None:
        """Carry out what was given, and close the file."""
        with self._closed:
            if self._is_closed:
                return
            self._is_closed = True
            self._tasks.put(None)
        self._thread.join()
        self._db.close()

    def _work(self) -> None:
        while True:
            tasks = [self._tasks.get()]
            while len(tasks) < _TOGETHER and not self._tasks.empty():
                tasks.append(self._tasks.get())
            self._carry_out([task for task in tasks if task is not None])
            if None in tasks:
                return

    def _carry_out(self, tasks: list[_Task]) -> None:
        """Carry out tasks in one transaction; nobody is told before it is on disk."""
        outcomes: list[Any]
        try:
            self._db.execute("BEGIN")
            outcomes = [self._outcome(task) for task in tasks]
            self._db.execute("COMMIT")
        except BaseException as error:  # nothing may end this thread
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
            if len(tasks) > 1:  # one that fails takes the others down with it: each on its own
                for task in tasks:
                    self._carry_out([task])
                return
            if not isinstance(error, sqlite3.Error):
                log.exception("the runs could not be written")
            outcomes = [StoreError(f"the runs cannot be read or written: {error}")]
        if any(task.forget for task in tasks):
            outcomes = self._forget(tasks, outcomes)
        for task, outcome in zip(tasks, outcomes, strict=True):
            if isinstance(outcome, ProbativeError):
                task.future.set_exception(outcome)
            else:
                task.future.set_result(outcome)

    def _forget(self, tasks: list[_Task], outcomes: list[Any]) -> list[Any]:
        """Move the log into the file and empty it; a failure is told to those who asked for it only."""
        try:
            busy = self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
            failure = StoreError("the log of the runs is in use") if busy else None
        except sqlite3.Error as error:
            failure = StoreError(f"what was deleted may still be in the file of runs: {error}")
        if failure is None:
            return outcomes
        return [failure if task.forget else outcome for task, outcome in zip(tasks, outcomes, strict=True)]

    def _outcome(self, task: _Task) -> Any:
        try:
            return task.action(self._db)
        except ProbativeError as error:  # what the action itself refuses
            return error


def _opened(file: Path, schema: str, version: int, migrations: Mapping[int, Migration]) -> sqlite3.Connection:
    db = sqlite3.connect(file, check_same_thread=False, isolation_level=None, timeout=1.0)
    try:
        db.execute("PRAGMA locking_mode=EXCLUSIVE")
        db.execute("PRAGMA journal_mode=WAL")
        db.execute("PRAGMA synchronous=FULL")
        db.execute("PRAGMA foreign_keys=ON")  # marks go with their run
        db.execute("PRAGMA secure_delete=ON")  # deleted texts are overwritten
        written = db.execute("PRAGMA user_version").fetchone()[0]
        if written not in (0, version, *migrations):
            raise StoreError(
                f"the runs in {file} are of another version ({written})", hint="give another --data folder"
            )
        db.execute("BEGIN EXCLUSIVE")
        if written in migrations:
            migrations[written](db)
        if written != version:  # nothing is written otherwise: a server starts on a full disk, too
            for statement in filter(str.strip, schema.split(";")):
                db.execute(statement)
            db.execute(f"PRAGMA user_version={version}")
        db.execute("COMMIT")
    except BaseException:
        db.close()
        raise
    return db
