"""The SQLite file of an index: its tables, its transactions and its errors, and the parts of documents."""

from __future__ import annotations

import os
import sqlite3
import threading
import zlib
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from itertools import groupby
from pathlib import Path
from typing import Any

from probative.corpus.documents.document import DateSource, Document
from probative.corpus.documents.passages import CorpusPassage
from probative.corpus.stores.labels import rebuild_hint
from probative.errors import StoreError
from probative.types import Value

# The primary codes of SQLite for a file that is not the catalog any more. Others pass, such as a full disk.
_DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR, sqlite3.SQLITE_CANTOPEN)
_TABLES = """
create table if not exists facts (name text primary key, value text not null) without rowid;
create table if not exists documents (
    id integer primary key autoincrement,
    source blob not null,
    state text not null,
    size integer not null,
    changed integer not null,
    digest text not null,
    first integer not null,
    passages integer not null,
    language text not null,
    date text,
    date_source text,
    metadata text not null,
    original blob,
    similarity real,
    sketch blob not null,
    document blob not null
);
create index if not exists documents_by_source on documents (source, state);
create index if not exists documents_by_state on documents (state);
create table if not exists unread (
    source blob primary key, size integer, changed integer, reason text not null, what blob not null
) without rowid;
"""


class CatalogFile:
    """An open connection. It may be shared between threads."""

    def __init__(self, file: Path, *, writable: bool = False) -> None:
        self._file = file
        self._lock = threading.RLock()
        with sqlite_errors(file, writing=writable):
            self._connection = _open_to_write(file) if writable else _open_to_read(file)

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._connection.close()

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Write all or nothing; raises `StoreError` if the disk is full."""
        with self._lock, sqlite_errors(self._file, writing=True):
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
        with self._lock, sqlite_errors(self._file, writing=True):
            self._connection.execute("pragma wal_checkpoint(truncate)")

    def decoding(self) -> AbstractContextManager[None]:
        """Raise `StoreError` for stored values that cannot be decoded."""
        return sqlite_errors(self._file, writing=False)

    def rows(self, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Return the rows of a query."""
        with self._lock, sqlite_errors(self._file, writing=False):
            return self._connection.execute(sql, values).fetchall()

    def execute(self, sql: str, values: Sequence[Any] = ()) -> int | None:
        """Run a statement within a transaction; return the id of the row that it inserted."""
        return self._connection.execute(sql, values).lastrowid

    def execute_each(self, sql: str, values: Sequence[Sequence[Any]]) -> None:
        """Run a statement for each of these values within a transaction."""
        self._connection.executemany(sql, values)


def _open_to_write(file: Path) -> sqlite3.Connection:
    file.touch(mode=0o600)  # only for its owner, as the files of the journal are then
    connection = sqlite3.connect(file, timeout=60, isolation_level=None, check_same_thread=False)
    # Readers see the last commit while the next one is written.
    connection.execute("pragma journal_mode = wal")
    connection.executescript(_TABLES + PARTS_TABLE)
    return connection


def _open_to_read(file: Path) -> sqlite3.Connection:
    """Open a catalog for reading; one on a disk that cannot be written is taken as it is."""
    address = file.absolute().as_uri()
    mode = (
        "?mode=rw" if os.access(file.parent, os.W_OK) and os.access(file, os.W_OK) else "?mode=ro&immutable=1"
    )
    connection = sqlite3.connect(
        address + mode, uri=True, timeout=60, isolation_level=None, check_same_thread=False
    )
    connection.execute("select count(*) from facts")
    return connection


@contextmanager
def sqlite_errors(file: Path, *, writing: bool) -> Iterator[None]:
    """Raise `StoreError` for an error of SQLite, and for values that cannot be decoded."""
    try:
        yield
    except (sqlite3.Error, zlib.error, ValueError) as error:
        if writing and not isinstance(error, sqlite3.Error):
            raise
        verb = "written" if writing else "read"
        damaged = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & 0xFF in _DAMAGED
        hint = (
            rebuild_hint(file.parent)
            if damaged
            else "free some space; the same command goes on where it stopped"
        )
        raise StoreError(f"the index {file.parent} cannot be {verb}: {file}: {error}", hint=hint) from error


def encode_source(source: str) -> bytes:
    r"""Return a source as it is stored: names that are not valid UTF-8 reach Python as lone surrogates.

    >>> decode_source(encode_source("caf\udce9.txt")) == "caf\udce9.txt"
    True
    """
    return source.encode("utf-8", "surrogatepass")


def decode_source(stored: bytes) -> str:
    """Return the source that was stored."""
    return stored.decode("utf-8", "surrogatepass")


DOCUMENT = 2**32 - 1
"""The bits of a number that are the document; those above them are the part, from 1."""
PARTS_TABLE = """
create table if not exists parts (
    document integer not null,
    part integer not null,
    first integer not null,
    passages integer not null,
    language text not null,
    date text,
    date_source text,
    metadata text not null,
    primary key (document, part)
) without rowid;
"""


class DocumentPart(Value):
    """The passages of a part, from number `first` on, and what is known of them."""

    number: int
    first: int
    passages: int
    language: str
    date: str | None
    date_source: DateSource | None
    metadata: dict[str, str]


def number_of_part(document: int, part: int) -> int:
    """Return the number under which a part is stored.

    >>> number_of_part(7, 0), number_of_part(7, 2) & DOCUMENT
    (7, 7)
    """
    return part * (DOCUMENT + 1) + document


def part_of(number: int) -> int:
    """Return which part of its document a number means; 0 is the document itself.

    >>> part_of(number_of_part(7, 2)), part_of(7)
    (2, 0)
    """
    return number // (DOCUMENT + 1)


def parts_of(document: Document, passages: Sequence[CorpusPassage], first: int) -> Iterator[DocumentPart]:
    """Yield the parts of a document whose passages are numbered from `first` on; none if it is of a piece."""
    if not document.records:
        return
    for part, (_, group) in enumerate(groupby(passages, key=_facts), start=1):
        own = list(group)
        yield DocumentPart(
            number=part,
            first=first,
            passages=len(own),
            language=own[0].language,
            date=own[0].date,
            date_source=own[0].date_source,
            metadata=own[0].metadata,
        )
        first += len(own)


def _facts(passage: CorpusPassage) -> tuple[str, str | None, str | None, dict[str, str]]:
    return passage.language, passage.date, passage.date_source, passage.metadata
