"""The SQLite file of an index: its tables, its transactions and its errors."""

from __future__ import annotations

import os
import sqlite3
import threading
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from probative.corpus.stores.labels import rebuild_hint
from probative.errors import StoreError

# The primary codes of SQLite for a file that is not the catalog any more. Others pass, such as a full disk.
_DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR, sqlite3.SQLITE_CANTOPEN)
# What filters look at: of documents, and of their parts.
_FACTS = "language text not null, date text, date_source text, metadata text not null"
_TABLES = f"""
create table if not exists facts (name text primary key, value text not null) without rowid;
create table if not exists documents (
    id integer primary key autoincrement,
    source blob not null, state text not null, size integer not null, changed integer not null,
    digest text not null, first integer not null, passages integer not null, {_FACTS},
    original blob, similarity real, sketch blob not null, document blob not null
);
create index if not exists documents_by_source on documents (source, state);
create index if not exists documents_by_state on documents (state);
create table if not exists unread (
    source blob primary key, size integer, changed integer, reason text not null, what blob not null
) without rowid;
create table if not exists parts (
    document integer not null, part integer not null, first integer not null, passages integer not null,
    {_FACTS}, primary key (document, part)
) without rowid;
"""


class CatalogFile:
    """An open connection. It may be shared between threads."""

    def __init__(self, file: Path, *, writable: bool = False) -> None:
        self._file = file
        self._lock = threading.RLock()
        with self._errors(writing=writable):
            self._connection = _open_to_write(file) if writable else _open_to_read(file)

    def close(self) -> None:
        with self._lock:
            self._connection.close()

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Write all or nothing; raises `StoreError` if the disk is full."""
        with self._lock, self._errors(writing=True):
            self._connection.execute("begin immediate")
            try:
                yield
                self._connection.execute("commit")
            except BaseException:
                if self._connection.in_transaction:
                    self._connection.execute("rollback")
                raise

    def tidy(self) -> None:
        """Move everything from the journal into the file itself."""
        with self._lock, self._errors(writing=True):
            self._connection.execute("pragma wal_checkpoint(truncate)")

    def _rows(self, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        with self._lock, self._errors():
            return self._connection.execute(sql, values).fetchall()

    def _execute(self, sql: str, *values: Any) -> int | None:
        """Run a statement within a transaction; return the id of the row that it inserted."""
        return self._connection.execute(sql, values).lastrowid

    def _execute_each(self, sql: str, values: Sequence[Sequence[Any]]) -> None:
        """Run a statement for each of these values within a transaction."""
        self._connection.executemany(sql, values)

    @contextmanager
    def _errors(self, *, writing: bool = False) -> Iterator[None]:
        """Raise `StoreError` for an error of SQLite, and for stored values that cannot be decoded."""
        try:
            yield
        except (sqlite3.Error, zlib.error, ValueError) as error:
            if writing and not isinstance(error, sqlite3.Error):
                raise
            code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & 0xFF
            hint = "free some space; the same command goes on where it stopped"
            raise StoreError(
                f"the index {self._file.parent} cannot be {'written' if writing else 'read'}: {self._file}: "
                f"{error}",
                hint=rebuild_hint(self._file.parent) if code in _DAMAGED else hint,
            ) from error


def _open_to_write(file: Path) -> sqlite3.Connection:
    file.touch(mode=0o600)  # only for its owner, as the files of the journal are then
    connection = _connect(file.absolute().as_uri())
    # Readers see the last commit while the next one is written.
    connection.execute("pragma journal_mode = wal")
    connection.executescript(_TABLES)
    return connection


def _open_to_read(file: Path) -> sqlite3.Connection:
    """Open a catalog for reading; one on a disk that cannot be written is taken as it is."""
    writable = os.access(file.parent, os.W_OK) and os.access(file, os.W_OK)
    connection = _connect(file.absolute().as_uri() + ("?mode=rw" if writable else "?mode=ro&immutable=1"))
    connection.execute("select count(*) from facts")
    return connection


def _connect(address: str) -> sqlite3.Connection:
    return sqlite3.connect(address, uri=True, timeout=60, isolation_level=None, check_same_thread=False)


def encode_source(source: str) -> bytes:
    r"""Return a source as it is stored: names that are not valid UTF-8 reach Python as lone surrogates.

    >>> decode_source(encode_source("caf\udce9.txt")) == "caf\udce9.txt"
    True
    """
    return source.encode("utf-8", "surrogatepass")


def decode_source(stored: bytes) -> str:
    """Return the source that was stored."""
    return stored.decode("utf-8", "surrogatepass")
