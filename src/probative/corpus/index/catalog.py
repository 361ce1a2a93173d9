"""The documents of an index, in SQLite: their text, their files, and which passages are theirs.

A document is `pending` until its passages are in the word index, then `live`; when its file has changed or is
gone, it is `gone` until its passages are out of the word index. Only live documents answer. One transaction
makes new documents live and old ones gone, so a process that is killed at any moment leaves the old state or
the new one; what is pending or gone is removed by the next update.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Collection, Iterator, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING

from probative.corpus.documents.document import DateSource, Document
from probative.corpus.documents.files import Unread
from probative.corpus.documents.filters import SearchFilters
from probative.corpus.index.catalog_file import (
    DOCUMENT,
    CatalogFile,
    DocumentPart,
    decode_source,
    encode_source,
    number_of_part,
    part_of,
)
from probative.corpus.stores.records import DocumentFacts
from probative.types import Value

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# SQLite takes up to 32,766 parameters in a statement; this stays far below.
_PARAMETERS = 5_000


class FileState(Value):
    """The file of a live document as it was read, and the date that the user set for it."""

    id: int
    source: str
    size: int
    changed: int
    digest: str
    passages: int
    set_date: str | None = None


class Catalog:
    """What a search and a summary read of an index. A catalog may be shared between threads."""

    def __init__(self, file: Path, *, writable: bool = False) -> None:
        self._file = CatalogFile(file, writable=writable)

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def fact(self, name: str) -> str | None:
        """Return one fact about the index, or None."""
        rows = self._file.rows("select value from facts where name = ?", (name,))
        return str(rows[0][0]) if rows else None

    def version(self) -> int:
        """Return a number that grows whenever other documents are live."""
        return self._number("version")

    def next_number(self) -> int:
        """Return the number of the next passage; numbers are never used twice."""
        return self._number("next")

    def _number(self, name: str) -> int:
        with self._file.decoding():
            return int(self.fact(name) or 0)

    def has_read_all(self) -> bool:
        """Return whether an update has read all documents of the folder at least once."""
        return self.fact("read all") is not None

    def end_of_written(self) -> int:
        """Return the number up to which all passages are in the word index, or were and are gone."""
        ((end,),) = self._file.rows(
            "select coalesce((select min(first) from documents where state = 'pending'), "
            "(select cast(value as integer) from facts where name = 'next'), 0)"
        )
        return int(end)

    def passages_before(self, number: int) -> int:
        """Return how many passages of live documents have a lower number."""
        ((count,),) = self._file.rows(
            "select coalesce(sum(max(0, min(passages, ? - first))), 0) from documents where state = 'live'",
            (number,),
        )
        return int(count)

    def live_ranges(self) -> NDArray[np.int64]:
        """Return for each live document the number of its first passage, and how many there are."""
        import numpy as np

        rows = self._file.rows("select first, passages from documents where state = 'live'")
        return np.array(rows, dtype=np.int64).reshape(-1, 2)

    def counts(self) -> tuple[int, int]:
        """Return the number of live documents and of their passages."""
        (counts,) = self._file.rows(
            "select count(*), coalesce(sum(passages), 0) from documents where state = 'live'"
        )
        documents, passages = counts
        return documents, passages

    def files(self) -> dict[str, FileState]:
        """Return the file of each live document by its source."""
        rows = self._file.rows(
            "select id, source, size, changed, digest, passages, iif(date_source = '--date', date, null) "
            "from documents where state = 'live'"
        )
        states = [
            FileState(
                id=id_,
                source=decode_source(source),
                size=size,
                changed=changed,
                digest=digest,
                passages=passages,
                set_date=date,
            )
            for id_, source, size, changed, digest, passages, date in rows
        ]
        return {state.source: state for state in states}

    def unread(self) -> dict[str, tuple[Unread, int | None, int | None]]:
        """Return what could not be read, by source, with size and time of change."""
        rows = self._file.rows("select source, size, changed, reason, what from unread")
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
        rows = self._file.rows(
            "select source, original, similarity from documents "
            "where state = 'live' and original is not null order by source"
        )
        return [(decode_source(source), decode_source(original), share) for source, original, share in rows]

    def sketches(self) -> Iterator[tuple[str, bytes]]:
        """Yield the sketch of each live document that is no duplicate."""
        rows = self._file.rows(
            "select source, sketch from documents where state = 'live' and original is null order by id"
        )
        for source, sketch in rows:
            yield decode_source(source), sketch

    def live(self, numbers: Collection[int]) -> dict[int, DocumentFacts]:
        """Return what is known of documents, and of parts of documents, if they are live."""
        facts: dict[int, DocumentFacts] = {}
        wanted = sorted({number & DOCUMENT for number in numbers})
        for start in range(0, len(wanted), _PARAMETERS):
            some = wanted[start : start + _PARAMETERS]
            marks = ",".join("?" * len(some))
            for id_, source, *own in self._file.rows(
                "select id, source, language, date, date_source, metadata from documents "
                f"where state = 'live' and id in ({marks})",
                some,
            ):
                facts[id_] = _facts(id_, decode_source(source), *own)
        for number in set(numbers):
            document = facts.get(number & DOCUMENT)
            if number > DOCUMENT and document is not None:
                (part,) = self._file.rows(
                    "select language, date, date_source, metadata from parts where document = ? and part = ?",
                    (document.id, part_of(number)),
                )
                facts[number] = _facts(number, document.source, *part)
        return facts

    def matching(self, filters: SearchFilters) -> dict[int, tuple[int, int]]:
        """Return the live documents, and parts of documents, that filters take.

        Each has the number of its first passage, and how many there are.
        """
        rows = self._file.rows(
            "select id, 0, source, date, language, metadata, first, passages from documents "
            "where state = 'live' and id not in (select document from parts) union all "
            "select id, part, source, parts.date, parts.language, parts.metadata, parts.first, "
            "parts.passages from parts join documents on id = parts.document where state = 'live'"
        )
        return {
            number_of_part(id_, part): (first, passages)
            for id_, part, source, date, language, metadata, first, passages in rows
            if filters.takes(decode_source(source), date, language, json.loads(metadata))
        }

    def languages(self) -> tuple[str, ...]:
        """Return the languages of the live documents and of their parts."""
        rows = self._file.rows(
            "select language from documents where state = 'live' union select parts.language from parts "
            "join documents on id = parts.document where state = 'live' order by 1"
        )
        return tuple(row[0] for row in rows)

    def document(self, source: str) -> Document | None:
        """Return the live document of a source, as it was read."""
        rows = self._file.rows(
            "select document from documents where source = ? and state = 'live'", (encode_source(source),)
        )
        if not rows:
            return None
        with self._file.decoding():
            return Document.model_validate(json.loads(zlib.decompress(rows[0][0])))


def _facts(
    number: int, source: str, language: str, date: str | None, date_source: DateSource | None, metadata: str
) -> DocumentFacts:
    return DocumentFacts(
        id=number,
        source=source,
        language=language,
        date=date,
        date_source=date_source,
        metadata=json.loads(metadata),
    )


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
