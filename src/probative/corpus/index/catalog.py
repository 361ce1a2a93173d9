"""The documents of an index, in SQLite: their text, their files, and which passages are theirs.

A document is `pending` until its passages are in the word index, then `live`; when its file has changed or is
gone, it is `gone` until its passages are out of the word index. Only live documents answer. One transaction
makes new documents live and old ones gone, so a process that is killed at any moment leaves the old state or
the new one; what is pending or gone is removed by the next update.
"""

from __future__ import annotations

import json
import os
import sqlite3
import threading
import zlib
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from probative.corpus.document import Document
from probative.corpus.filters import SearchFilters
from probative.corpus.folder import Unread
from probative.corpus.index.record import DocumentFacts
from probative.errors import StoreError
from probative.types import Value

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
# SQLite takes up to 32,766 parameters in a statement; this stays far below.
_PARAMETERS = 5_000


class FileState(Value):
    """The file of a live document as it was read."""

    id: int
    source: str
    size: int
    changed: int
    digest: str
    passages: int


class Catalog:
    """The tables of one index. A catalog may be shared between threads."""

    def __init__(self, file: Path, *, writable: bool = False) -> None:
        self._file = file
        self._lock = threading.RLock()
        with sqlite_errors(file, writing=writable):
            if writable:
                self._connection = sqlite3.connect(
                    file, timeout=60, isolation_level=None, check_same_thread=False
                )
                # Readers see the last commit while the next one is written.
                self._connection.execute("pragma journal_mode = wal")
                self._connection.executescript(_TABLES)
            else:
                self._connection = _open_to_read(file)

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

    def _rows(self, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        with self._lock, sqlite_errors(self._file, writing=False):
            return self._connection.execute(sql, values).fetchall()

    # What an update writes -------------------------------------------------------------------------------

    def add(self, document: Document, file: FileState, first: int, sketch: bytes) -> int:
        """Store a pending document; return its id. `first` is the number of its first passage."""
        # With `json`, which can write names that are not valid Unicode.
        blob = zlib.compress(json.dumps(document.model_dump()).encode(), 1)
        cursor = self._connection.execute(
            "insert into documents (source, state, size, changed, digest, first, passages, language, date, "
            "metadata, sketch, document) values (?, 'pending', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                encode_source(document.source),
                file.size,
                file.changed,
                file.digest,
                first,
                file.passages,
                document.language,
                document.date,
                json.dumps(document.metadata),
                sketch,
                blob,
            ),
        )
        assert cursor.lastrowid is not None
        return cursor.lastrowid

    def switch(self, new: Collection[int], sources: Collection[str]) -> None:
        """Make pending documents live; what was live of their sources, and of `sources`, is gone."""
        for source in sources:
            self._connection.execute(
                "update documents set state = 'gone' where source = ? and state = 'live'",
                (encode_source(source),),
            )
        for number in new:
            self._connection.execute(
                "update documents set state = 'gone' where state = 'live' and source = "
                "(select source from documents where id = ?)",
                (number,),
            )
            self._connection.execute("update documents set state = 'live' where id = ?", (number,))
        self.set_fact("version", str(self.version() + 1))

    def touch(self, document: int, changed: int) -> None:
        """Note another time of change of a file whose content is the same."""
        self._connection.execute("update documents set changed = ? where id = ?", (changed, document))

    def set_duplicate(self, document: int, original: str, similarity: float) -> None:
        """Note that a document is nearly the same as another."""
        self._connection.execute(
            "update documents set original = ?, similarity = ? where id = ?",
            (encode_source(original), similarity, document),
        )

    def set_unread(self, files: Sequence[tuple[Unread, int | None, int | None]]) -> None:
        """Replace the list of what could not be read: each with its size and time of change."""
        self._connection.execute("delete from unread")
        self._connection.executemany(
            "insert or replace into unread values (?, ?, ?, ?, ?)",
            [
                (encode_source(item.source), size, changed, item.reason, encode_source(item.what))
                for item, size, changed in files
            ],
        )

    def set_fact(self, name: str, value: str) -> None:
        """Store one fact about the index."""
        self._connection.execute("insert or replace into facts values (?, ?)", (name, value))

    def left_over(self) -> list[int]:
        """Return the documents that are pending or gone: an update has still to remove them."""
        return [row[0] for row in self._rows("select id from documents where state != 'live'")]

    def forget(self, documents: Collection[int]) -> None:
        """Remove the rows of documents whose passages are out of the word index."""
        self._connection.executemany("delete from documents where id = ?", [(each,) for each in documents])

    def tidy(self) -> None:
        """Move everything from the journal into the file itself."""
        with self._lock, sqlite_errors(self._file, writing=True):
            self._connection.execute("pragma wal_checkpoint(truncate)")

    # What a search and a summary read ---------------------------------------------------------------------

    def fact(self, name: str) -> str | None:
        """Return one fact about the index, or None."""
        rows = self._rows("select value from facts where name = ?", (name,))
        return str(rows[0][0]) if rows else None

    def version(self) -> int:
        """Return a number that grows whenever other documents are live."""
        return int(self.fact("version") or 0)

    def next_number(self) -> int:
        """Return the number of the next passage; numbers are never used twice."""
        return int(self.fact("next") or 0)

    def counts(self) -> tuple[int, int]:
        """Return the number of live documents and of their passages."""
        return self._rows("select count(*), coalesce(sum(passages), 0) from documents where state = 'live'")[
            0
        ]

    def files(self) -> dict[str, FileState]:
        """Return the file of each live document by its source."""
        rows = self._rows(
            "select id, source, size, changed, digest, passages from documents where state = 'live'"
        )
        states = [
            FileState(
                id=id_, source=decode_source(source), size=size, changed=changed, digest=digest, passages=n
            )
            for id_, source, size, changed, digest, n in rows
        ]
        return {state.source: state for state in states}

    def unread(self) -> dict[str, tuple[Unread, int | None, int | None]]:
        """Return what could not be read, by source, with size and time of change."""
        rows = self._rows("select source, size, changed, reason, what from unread")
        return {
            decode_source(source): (
                Unread(source=decode_source(source), reason=reason, what=decode_source(what)),
                size,
                changed,
            )
            for source, size, changed, reason, what in rows
        }

    def duplicates(self) -> list[tuple[str, str, float]]:
        """Return each near duplicate with its original and their similarity."""
        rows = self._rows(
            "select source, original, similarity from documents "
            "where state = 'live' and original is not null order by source"
        )
        return [(decode_source(source), decode_source(original), share) for source, original, share in rows]

    def sketches(self) -> Iterator[tuple[str, bytes]]:
        """Yield the sketch of each live document that is no duplicate."""
        rows = self._rows(
            "select source, sketch from documents where state = 'live' and original is null order by id"
        )
        for source, sketch in rows:
            yield decode_source(source), sketch

    def live(self, documents: Collection[int]) -> dict[int, DocumentFacts]:
        """Return what is known of these documents, if they are live."""
        wanted = list(set(documents))
        facts: dict[int, DocumentFacts] = {}
        for start in range(0, len(wanted), _PARAMETERS):
            part = wanted[start : start + _PARAMETERS]
            marks = ",".join("?" * len(part))
            for id_, source, language, date in self._rows(
                f"select id, source, language, date from documents where state = 'live' and id in ({marks})",
                part,
            ):
                facts[id_] = DocumentFacts(id=id_, source=decode_source(source), language=language, date=date)
        return facts

    def matching(self, filters: SearchFilters) -> dict[int, tuple[int, int]]:
        """Return the live documents that filters take: id → number of the first passage, count."""
        rows = self._rows(
            "select id, source, date, language, metadata, first, passages from documents where state = 'live'"
        )
        return {
            id_: (first, passages)
            for id_, source, date, language, metadata, first, passages in rows
            if filters.takes(decode_source(source), date, language, json.loads(metadata))
        }

    def languages(self) -> tuple[str, ...]:
        """Return the languages of the live documents."""
        rows = self._rows("select distinct language from documents where state = 'live' order by language")
        return tuple(row[0] for row in rows)

    def document(self, source: str) -> Document | None:
        """Return the live document of a source, as it was read."""
        rows = self._rows(
            "select document from documents where source = ? and state = 'live'", (encode_source(source),)
        )
        if not rows:
            return None
        return Document.model_validate(json.loads(zlib.decompress(rows[0][0])))


def _open_to_read(file: Path) -> sqlite3.Connection:
    """Open a catalog for reading; one on a disk that cannot be written is taken as it is."""
    address = file.absolute().as_uri()
    mode = "?mode=rw" if os.access(file.parent, os.W_OK) and os.access(file, os.W_OK) else "?immutable=1"
    connection = sqlite3.connect(
        address + mode, uri=True, timeout=60, isolation_level=None, check_same_thread=False
    )
    connection.execute("select count(*) from facts")
    return connection


@contextmanager
def sqlite_errors(file: Path, *, writing: bool) -> Iterator[None]:
    """Raise `StoreError` for an error of SQLite."""
    try:
        yield
    except sqlite3.Error as error:
        verb = "written" if writing else "read"
        hint = (
            "free some space; the same command goes on where it stopped"
            if writing
            else "make the index again: probative index FOLDER --rebuild"
        )
        raise StoreError(f"the index {file.parent} cannot be {verb}: {error}", hint=hint) from error


def encode_source(source: str) -> bytes:
    r"""Return a source as it is stored: names that are not valid UTF-8 reach Python as lone surrogates.

    >>> decode_source(encode_source("caf\udce9.txt")) == "caf\udce9.txt"
    True
    """
    return source.encode("utf-8", "surrogatepass")


def decode_source(stored: bytes) -> str:
    """Return the source that was stored."""
    return stored.decode("utf-8", "surrogatepass")
