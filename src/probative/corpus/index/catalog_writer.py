"""What an update writes into the documents of an index."""

from __future__ import annotations

import json
import zlib
from collections.abc import Collection, Sequence
from contextlib import AbstractContextManager
from pathlib import Path

from probative.corpus.document import Document
from probative.corpus.folder import Unread
from probative.corpus.index.catalog import Catalog, FileState
from probative.corpus.index.catalog_file import decode_source, encode_source
from probative.corpus.index.parts import DocumentPart, number_of_part


class WritableCatalog(Catalog):
    """A catalog that is open for writing; it is made if there is none. One process has it at a time."""

    def __init__(self, file: Path) -> None:
        super().__init__(file, writable=True)

    def transaction(self) -> AbstractContextManager[None]:
        """Write all or nothing; raises `StoreError` if the disk is full."""
        return self._file.transaction()

    def add(self, document: Document, file: FileState, first: int, sketch: bytes) -> int:
        """Store a pending document; return its id. `first` is the number of its first passage."""
        # With `json`, which can write names that are not valid Unicode.
        blob = zlib.compress(json.dumps(document.model_dump()).encode(), 1)
        number = self._file.execute(
            "insert into documents (source, state, size, changed, digest, first, passages, language, date, "
            "date_source, metadata, sketch, document) values (?, 'pending', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                encode_source(document.source),
                file.size,
                file.changed,
                file.digest,
                first,
                file.passages,
                document.language,
                document.date,
                document.date_source,
                json.dumps(document.metadata),
                sketch,
                blob,
            ),
        )
        assert number is not None
        return number

    def add_parts(self, document: int, parts: Sequence[DocumentPart]) -> None:
        """Store the parts of a pending document that has records with facts of their own."""
        self._file.execute_each(
            "insert into parts values (?, ?, ?, ?, ?, ?, ?, ?)",
            [
                (
                    document,
                    part.number,
                    part.first,
                    part.passages,
                    part.language,
                    part.date,
                    part.date_source,
                    json.dumps(part.metadata),
                )
                for part in parts
            ],
        )

    def switch(self, new: Collection[int], sources: Collection[str]) -> None:
        """Make pending documents live; what was live of their sources, and of `sources`, is gone."""
        for source in sources:
            self._file.execute(
                "update documents set state = 'gone' where source = ? and state = 'live'",
                (encode_source(source),),
            )
        for number in new:
            self._file.execute(
                "update documents set state = 'gone' where state = 'live' and source = "
                "(select source from documents where id = ?)",
                (number,),
            )
            self._file.execute("update documents set state = 'live' where id = ?", (number,))
        self.set_fact("version", str(self.version() + 1))

    def touch(self, document: int, changed: int) -> None:
        """Note another time of change of a file whose content is the same."""
        self._file.execute("update documents set changed = ? where id = ?", (changed, document))

    def set_duplicate(self, document: int, original: str | None, similarity: float | None) -> None:
        """Note that a document is nearly the same as another, or as none."""
        self._file.execute(
            "update documents set original = ?, similarity = ? where id = ?",
            (None if original is None else encode_source(original), similarity, document),
        )

    def orphans(self, changed: Collection[str]) -> list[tuple[int, str, bytes]]:
        """Return the live duplicates of what is gone or one of `changed`: id, source and sketch."""
        live = {source for (source,) in self._file.rows("select source from documents where state = 'live'")}
        live -= {encode_source(source) for source in changed}
        rows = self._file.rows(
            "select id, source, sketch, original from documents "
            "where state = 'live' and original is not null order by id"
        )
        return [
            (number, decode_source(source), sketch)
            for number, source, sketch, original in rows
            if original not in live
        ]

    def set_unread(self, files: Sequence[tuple[Unread, int | None, int | None]]) -> None:
        """Replace the list of what could not be read: each with its size and time of change."""
        self._file.execute("delete from unread")
        self._file.execute_each(
            "insert or replace into unread values (?, ?, ?, ?, ?)",
            [
                (encode_source(item.source), size, changed, item.reason, encode_source(item.what))
                for item, size, changed in files
            ],
        )

    def set_fact(self, name: str, value: str) -> None:
        """Store one fact about the index."""
        self._file.execute("insert or replace into facts values (?, ?)", (name, value))

    def left_over(self) -> list[int]:
        """Return the documents that are pending or gone: an update has still to remove them."""
        return [row[0] for row in self._file.rows("select id from documents where state != 'live'")]

    def stored_numbers(self, documents: Collection[int]) -> list[int]:
        """Return the numbers under which the passages of documents are stored: theirs, and of their parts."""
        numbers = list(documents)
        for document in documents:
            rows = self._file.rows("select part from parts where document = ?", (document,))
            numbers += [number_of_part(document, part) for (part,) in rows]
        return numbers

    def forget(self, documents: Collection[int]) -> None:
        """Remove the rows of documents whose passages are out of the word index."""
        keys = [(each,) for each in documents]
        self._file.execute_each("delete from parts where document = ?", keys)
        self._file.execute_each("delete from documents where id = ?", keys)

    def tidy(self) -> None:
        """Move everything from the journal into the file itself."""
        self._file.tidy()
