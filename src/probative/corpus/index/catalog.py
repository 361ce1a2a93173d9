"""The documents of an index, in SQLite: their text, their files, and which passages are theirs.

A document is `pending` until its passages are in the word index, then `live`; when its file has changed or is
gone, it is `gone` until its passages are out of the word index. Only live documents answer. One transaction
makes new documents live and old ones gone, so a process that is killed at any moment leaves the old state or
the new one; what is pending or gone is removed by the next update.

A document of records (JSON lines, a table) may have parts that filters tell apart: consecutive passages with
the same date, language and metadata. A part is stored like a document of its own, under a number that is made
of those of the document and the part.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Collection, Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from probative.corpus.documents.document import Document, Facts
from probative.corpus.documents.duplicates import Duplicate
from probative.corpus.documents.files import FoundFile, SearchFilters, Unread
from probative.corpus.documents.passages import CorpusPassage
from probative.corpus.documents.threads import MESSAGE_ID, QUOTED_FROM
from probative.corpus.index.catalog_file import CatalogFile, decode_source, encode_source
from probative.corpus.stores.records import DocumentFacts

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# The bits of a number that are the document; those above them are the part, from 1.
_DOCUMENT = 2**32 - 1
# SQLite takes up to 32,766 parameters in a statement; this stays far below.
_PARAMETERS = 5_000

# Each live document without parts, and each part of the others.
_LIVE_PARTS = (
    "select id, 0 as part, source, date, language, metadata, first, passages from documents "
    "where state = 'live' and id not in (select document from parts) union all "
    "select id, part, source, parts.date, parts.language, parts.metadata, parts.first, "
    "parts.passages from parts join documents on id = parts.document where state = 'live'"
)

UnreadFile = tuple[Unread, int | None, int | None]
"""What could not be read, with the size and the time of change of its file."""


class FileState(NamedTuple):
    """The file of a live document as it was read, and the date that the user set for it."""

    id: int
    source: str
    size: int
    changed: int
    digest: str
    passages: int
    set_date: str | None = None


class LiveMail(NamedTuple):
    """An e-mail, or a part of one: the number of its first passage, and how many it has."""

    source: str
    date: str | None
    metadata: dict[str, str]
    first: int
    passages: int


class DocumentPart(NamedTuple):
    """The passages of a part, from number `first` on, and what is known of them."""

    number: int
    first: int
    passages: int
    facts: Facts


def number_of_part(document: int, part: int) -> int:
    """Return the number under which a part is stored; part 0 is the document itself.

    >>> number_of_part(7, 0), number_of_part(7, 2) & _DOCUMENT
    (7, 7)
    """
    return part * (_DOCUMENT + 1) + document


def parts_of(document: Document, passages: Sequence[CorpusPassage], first: int) -> Iterator[DocumentPart]:
    """Yield the parts of a document whose passages are numbered from `first` on; nothing without records."""
    if not document.records:
        return
    for part, (facts, group) in enumerate(groupby(passages, key=_facts), start=1):
        count = len(list(group))
        yield DocumentPart(part, first, count, facts)
        first += count


def _facts(given: CorpusPassage | Document) -> Facts:
    return Facts(given.language, given.date, given.date_source, given.metadata)


def _columns(facts: Facts) -> tuple[Any, ...]:
    return *facts[:-1], json.dumps(facts.metadata)


def _document_facts(number: int, source: str, *columns: Any) -> DocumentFacts:
    return DocumentFacts(number, source, Facts._make((*columns[:-1], json.loads(columns[-1]))))


class Catalog(CatalogFile):
    """What a search and a summary read of an index. A catalog may be shared between threads."""

    def version(self) -> int:
        """Return a number that grows whenever other documents are live."""
        return self._number("version")

    def next_number(self) -> int:
        """Return the number of the next passage; numbers are never used twice."""
        return self._number("next")

    def has_read_all(self) -> bool:
        """Return whether an update has read all documents of the folder at least once."""
        return self._number("read all") > 0

    def _number(self, fact: str) -> int:
        rows = self._rows("select value from facts where name = ?", (fact,))
        with self._errors():
            return int(rows[0][0]) if rows else 0

    def end_of_written(self) -> int:
        """Return the number up to which all passages are in the word index, or were and are gone."""
        ((end,),) = self._rows(
            "select coalesce((select min(first) from documents where state = 'pending'), "
            "(select cast(value as integer) from facts where name = 'next'), 0)"
        )
        return int(end)

    def passages_before(self, number: int) -> int:
        """Return how many passages of live documents have a lower number."""
        ((count,),) = self._rows(
            "select coalesce(sum(max(0, min(passages, ? - first))), 0) from documents where state = 'live'",
            (number,),
        )
        return int(count)

    def live_ranges(self) -> NDArray[np.int64]:
        """Return for each live document the number of its first passage, and how many there are."""
        import numpy as np

        rows = self._rows("select first, passages from documents where state = 'live'")
        return np.array(rows, dtype=np.int64).reshape(-1, 2)

    def counts(self) -> tuple[int, int]:
        """Return the number of live documents and of their passages."""
        ((documents, passages),) = self._rows(
            "select count(*), coalesce(sum(passages), 0) from documents where state = 'live'"
        )
        return documents, passages

    def files(self) -> dict[str, FileState]:
        """Return the file of each live document by its source."""
        rows = self._rows(
            "select id, source, size, changed, digest, passages, iif(date_source = '--date', date, null) "
            "from documents where state = 'live'"
        )
        states = [FileState(id_, decode_source(source), *others) for id_, source, *others in rows]
        return {state.source: state for state in states}

    def unread(self) -> dict[str, UnreadFile]:
        """Return what could not be read, by source, with size and time of change."""
        files = [
            (Unread(source=decode_source(source), reason=reason, what=decode_source(what)), size, changed)
            for source, size, changed, reason, what in self._rows("select * from unread")
        ]
        return {file[0].source: file for file in files}

    def duplicates(self) -> list[Duplicate]:
        """Return each near duplicate with its original and their similarity."""
        rows = self._rows(
            "select source, original, similarity from documents "
            "where state = 'live' and original is not null order by source"
        )
        return [
            Duplicate(source=decode_source(source), original=decode_source(original), similarity=share)
            for source, original, share in rows
        ]

    def sketches(self) -> Iterator[tuple[str, bytes]]:
        """Yield the sketch of each live document that is no duplicate."""
        rows = self._rows(
            "select source, sketch from documents where state = 'live' and original is null order by id"
        )
        for source, sketch in rows:
            yield decode_source(source), sketch

    def live(self, numbers: Collection[int]) -> dict[int, DocumentFacts]:
        """Return what is known of documents, and of parts of documents, if they are live."""
        facts: dict[int, DocumentFacts] = {}
        documents = sorted({number & _DOCUMENT for number in numbers})
        for start in range(0, len(documents), _PARAMETERS):
            some = documents[start : start + _PARAMETERS]
            for id_, source, *columns in self._rows(
                "select id, source, language, date, date_source, metadata from documents "
                f"where state = 'live' and id in ({','.join('?' * len(some))})",
                some,
            ):
                facts[id_] = _document_facts(id_, decode_source(source), *columns)
        for number in set(numbers):
            document = facts.get(number & _DOCUMENT)
            if number > _DOCUMENT and document is not None:
                (part,) = self._rows(
                    "select language, date, date_source, metadata from parts where document = ? and part = ?",
                    (document.id, number // (_DOCUMENT + 1)),
                )
                facts[number] = _document_facts(number, document.source, *part)
        return facts

    def matching(self, filters: SearchFilters) -> dict[int, tuple[int, int]]:
        """Return the live documents, and parts of documents, that filters take.

        Each has the number of its first passage, and how many there are.
        """
        return {
            number_of_part(id_, part): (first, passages)
            for id_, part, source, date, language, metadata, first, passages in self._rows(_LIVE_PARTS)
            if filters.takes(decode_source(source), date, language, json.loads(metadata))
        }

    def mails(self) -> list[LiveMail]:
        """Return the live e-mails that have an id, without what they quote."""
        rows = self._rows(f"select * from ({_LIVE_PARTS}) where instr(metadata, '\"{MESSAGE_ID}\": ')")
        mails = [
            LiveMail(decode_source(source), date, json.loads(metadata), first, passages)
            for _, _, source, date, _, metadata, first, passages in rows
        ]
        return [each for each in mails if MESSAGE_ID in each.metadata and QUOTED_FROM not in each.metadata]

    def dates(self) -> dict[str, str | None]:
        """Return the date of each live document by its source; None if it has none."""
        rows = self._rows("select source, date from documents where state = 'live'")
        return {decode_source(source): date for source, date in rows}

    def documents_by_language(self) -> dict[str, int]:
        """Return the number of live documents in each language."""
        rows = self._rows("select language, count(*) from documents where state = 'live' group by language")
        return {row[0]: row[1] for row in rows}

    def languages(self) -> tuple[str, ...]:
        rows = self._rows(
            "select language from documents where state = 'live' union select parts.language from parts "
            "join documents on id = parts.document where state = 'live' order by 1"
        )
        return tuple(row[0] for row in rows)

    def document(self, source: str) -> Document | None:
        """Return the live document of a source, as it was read."""
        rows = self._rows(
            "select document from documents where source = ? and state = 'live'", (encode_source(source),)
        )
        if not rows:
            return None
        with self._errors():
            return Document.model_validate(json.loads(zlib.decompress(rows[0][0])))


class WritableCatalog(Catalog):
    """A catalog that is open for writing; it is made if there is none. One process has it at a time.

    All methods but `left_over` and `orphans` write, within a transaction.
    """

    def __init__(self, file: Path) -> None:
        super().__init__(file, writable=True)

    def add(self, document: Document, file: FoundFile, digest: str, passages: range, sketch: bytes) -> int:
        """Store a pending document; return its id. `passages` are the numbers of its passages."""
        # With `json`, which can write names that are not valid Unicode.
        blob = zlib.compress(json.dumps(document.model_dump()).encode(), 1)
        state = (encode_source(document.source), file.size, file.changed, digest)
        number = self._execute(
            "insert into documents (state, source, size, changed, digest, first, passages, language, date, "
            "date_source, metadata, sketch, document) values ('pending', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            *state, passages.start, len(passages), *_columns(_facts(document)), sketch, blob,
        )  # fmt: skip
        assert number is not None
        return number

    def add_parts(self, document: int, parts: Sequence[DocumentPart]) -> None:
        """Store the parts of a pending document that has records with facts of their own."""
        rows = [(document, *part[:-1], *_columns(part.facts)) for part in parts]
        self._execute_each("insert into parts values (?, ?, ?, ?, ?, ?, ?, ?)", rows)

    def switch(self, new: Collection[int], sources: Collection[str]) -> None:
        """Make pending documents live; what was live of their sources, and of `sources`, is gone."""
        ids = [(number,) for number in new]
        replaced = "update documents set state = 'gone' where state = 'live' and source = "
        self._execute_each(f"{replaced}?", [(encode_source(source),) for source in sources])
        self._execute_each(f"{replaced}(select source from documents where id = ?)", ids)
        self._execute_each("update documents set state = 'live' where id = ?", ids)
        self.set_fact("version", self.version() + 1)

    def touch(self, document: int, changed: int) -> None:
        """Note another time of change of a file whose content is the same."""
        self._execute("update documents set changed = ? where id = ?", changed, document)

    def set_duplicate(self, document: int, same: Duplicate | None) -> None:
        """Note that a document is nearly the same as another, or as none."""
        values = (None, None) if same is None else (encode_source(same.original), same.similarity)
        self._execute("update documents set original = ?, similarity = ? where id = ?", *values, document)

    def orphans(self, changed: Collection[str]) -> list[tuple[int, str, bytes]]:
        """Return the live duplicates of what is gone or one of `changed`: id, source and sketch."""
        live = {source for (source,) in self._rows("select source from documents where state = 'live'")}
        live -= {encode_source(source) for source in changed}
        rows = self._rows(
            "select original, id, source, sketch from documents "
            "where state = 'live' and original is not null order by id"
        )
        return [(id_, decode_source(source), sketch) for of, id_, source, sketch in rows if of not in live]

    def set_unread(self, files: Sequence[UnreadFile]) -> None:
        """Replace the list of what could not be read: each with its size and time of change."""
        self._execute("delete from unread")
        rows = [
            (encode_source(item.source), size, changed, item.reason, encode_source(item.what))
            for item, size, changed in files
        ]
        self._execute_each("insert or replace into unread values (?, ?, ?, ?, ?)", rows)

    def set_fact(self, name: str, value: int) -> None:
        self._execute("insert or replace into facts values (?, ?)", name, str(value))

    def left_over(self) -> list[int]:
        """Return the documents that are pending or gone: an update has still to remove them."""
        return [row[0] for row in self._rows("select id from documents where state != 'live'")]

    def stored_numbers(self, documents: Collection[int]) -> list[int]:
        """Return the numbers under which the passages of documents are stored: theirs, and of their parts."""
        numbers = list(documents)
        for document in documents:
            rows = self._rows("select part from parts where document = ?", (document,))
            numbers += [number_of_part(document, part) for (part,) in rows]
        return numbers

    def forget(self, documents: Collection[int]) -> None:
        """Remove the rows of documents whose passages are out of the word index."""
        ids = [(each,) for each in documents]
        self._execute_each("delete from parts where document = ?", ids)
        self._execute_each("delete from documents where id = ?", ids)
