"""The word index: tantivy, with one field for each analyzer, so that a passage is stemmed in its language."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

from probative.corpus.index.analyzers import ANALYZERS, analyzer, analyzer_name
from probative.corpus.index.linked_folder import LinkedFolder, needs_links
from probative.corpus.index.record import encodable, to_record
from probative.corpus.passages import CorpusPassage
from probative.errors import StoreError

HEAP_BYTES = 128_000_000
# More different words than this in a query do not change the order of the best passages.
_MAX_TERMS = 64
# How many hits beyond the wanted ones are looked at first, and at most, if their scores are equal.
_TIES, _MAX_TIES = 16, 10_000


class WordHit(NamedTuple):
    """A passage that was found: its number, its document, its score and its address in the index."""

    number: int
    document: int
    score: float
    address: Any


class WordIndex:
    """The passages of a corpus by their words. `number` identifies a passage, `document` its document."""

    def __init__(self, folder: Path, *, create: bool = False) -> None:
        import tantivy

        self._links: LinkedFolder | None = None
        try:
            if create:
                folder.mkdir(parents=True, exist_ok=True)
                self._index = tantivy.Index(_schema(), path=str(folder), reuse=True)
            else:
                self._links = LinkedFolder(folder) if needs_links(folder) else None
                self._index = tantivy.Index.open(str(folder if self._links is None else self._links.path))
        except (ValueError, OSError) as error:
            raise StoreError(
                f"the word index in {folder} cannot be opened: {error}",
                hint="make the index again: probative index FOLDER --rebuild",
            ) from None
        self._schema = self._index.schema
        for name in ANALYZERS:
            self._index.register_tokenizer(name, analyzer(name))
        self._index.config_reader("manual")
        self.reload()

    def reload(self) -> None:
        """Search what was committed last."""
        if self._links is not None:
            self._links.refresh()
        self._index.reload()
        self._searcher = self._index.searcher()

    def close(self) -> None:
        """Nothing to do: the files are mapped, and closed with the object."""

    def __len__(self) -> int:
        return int(self._searcher.num_docs)

    @contextmanager
    def writing(self, heap_bytes: int = HEAP_BYTES) -> Iterator[WordWriter]:
        """Yield the writer; there can be one at a time. Raises `StoreError`."""
        with tantivy_errors():
            writer = WordWriter(self._index, self._schema, heap_bytes)
        try:
            yield writer
        finally:
            writer.close()

    def search(
        self, query: str, n: int, languages: Iterable[str], documents: Collection[int] | None = None
    ) -> list[WordHit]:
        """Return the `n` passages with the best BM25 score, of these documents if they are given."""
        from tantivy import Occur, Query

        clauses = [
            (Occur.Should, Query.term_query(self._schema, name, term, "freq"))
            for name in dict.fromkeys(analyzer_name(language) for language in languages)
            for term in list(dict.fromkeys(analyzer(name).analyze(query)))[:_MAX_TERMS]
        ]
        if not clauses or n < 1:
            return []
        words = Query.boolean_query(clauses)
        if documents is not None:
            allowed = Query.term_set_query(self._schema, "document", sorted(documents))
            words = Query.boolean_query(
                [(Occur.Must, words), (Occur.Must, Query.const_score_query(allowed, 0.0))]
            )
        return self._best(words, n)

    def at(self, numbers: Sequence[int]) -> list[WordHit]:
        """Return the passages with these numbers that are still there, in any order."""
        from tantivy import Query

        if not numbers:
            return []
        return self._hits(Query.term_set_query(self._schema, "number", list(numbers)), len(numbers))

    def between(self, first: int, end: int) -> list[WordHit]:
        """Return the passages with numbers from `first` up to, but without, `end`."""
        from tantivy import FieldType, Query

        span = Query.range_query(
            self._schema, "number", FieldType.Unsigned, first, end, include_lower=True, include_upper=False
        )
        return self._hits(span, end - first)

    def record(self, hit: WordHit) -> bytes:
        """Return the stored record of a passage."""
        record: bytes = self._searcher.doc(hit.address)["record"][0]
        return record

    def _best(self, query: Any, n: int) -> list[WordHit]:
        """Return the best `n` hits; of equal scores, those with the lowest numbers.

        Tantivy orders equal scores by its segments, which are others each time that an index is made.
        """
        depth = n + _TIES
        while True:
            hits = self._hits(query, depth)
            if len(hits) < depth or hits[-1].score < hits[n - 1].score or depth >= _MAX_TIES:
                return sorted(hits, key=lambda hit: (-hit.score, hit.number))[:n]
            depth *= 4

    def _hits(self, query: Any, n: int) -> list[WordHit]:
        found = self._searcher.search(query, n, count=False).hits
        addresses = [address for _, address in found]
        numbers: list[Any] = self._searcher.fast_field_values("number", addresses)
        documents: list[Any] = self._searcher.fast_field_values("document", addresses)
        return [
            WordHit(number, document, score, address)
            for number, document, (score, address) in zip(numbers, documents, found, strict=True)
        ]


class WordWriter:
    """Adds and removes passages; `commit` makes all of it visible at once."""

    def __init__(self, index: Any, schema: Any, heap_bytes: int) -> None:
        self._schema = schema
        self._writer = index.writer(heap_bytes)

    def add(self, passages: Iterable[CorpusPassage], first: int, document: int) -> None:
        """Add the passages of a document; they are numbered from `first` on."""
        from tantivy import Document

        for number, passage in enumerate(passages, first):
            # Not as keyword arguments: those would be signed numbers, which end the writer's thread.
            entry = Document()
            entry.add_unsigned("number", number)
            entry.add_unsigned("document", document)
            entry.add_bytes("record", to_record(passage))
            words = f"{encodable(passage.title)}\n{passage.text}" if passage.title else passage.text
            entry.add_text(analyzer_name(passage.language), words)
            with tantivy_errors():
                self._writer.add_document(entry)

    def remove(self, documents: Collection[int]) -> None:
        """Remove the passages of these documents."""
        from tantivy import Query

        if not documents:
            return
        with tantivy_errors():
            # By a query: removing by a term takes the number for a signed one and finds nothing.
            self._writer.delete_documents_by_query(
                Query.term_set_query(self._schema, "document", sorted(documents))
            )

    def commit(self) -> None:
        """Write everything since the last commit."""
        with tantivy_errors():
            self._writer.commit()

    def close(self) -> None:
        """Forget what was not committed, and wait for the merging of segments."""
        if self._writer is not None:
            writer, self._writer = self._writer, None
            # After an error the writer may be dead already; what was committed is safe.
            with suppress(ValueError, OSError):
                writer.rollback()
                writer.wait_merging_threads()


@contextmanager
def tantivy_errors() -> Iterator[None]:
    """Raise `StoreError` for an error of tantivy or of the disk."""
    try:
        yield
    except (ValueError, OSError) as error:
        raise StoreError(
            f"the word index cannot be written: {error}",
            hint="free some space; the same command goes on where it stopped",
        ) from error


def _schema() -> Any:
    from tantivy import SchemaBuilder

    builder = SchemaBuilder()
    builder.add_unsigned_field("number", indexed=True, fast=True)
    builder.add_unsigned_field("document", indexed=True, fast=True)
    builder.add_bytes_field("record", stored=True)
    for name in ANALYZERS:
        # Phrases are not searched, so positions would only take space.
        builder.add_text_field(name, tokenizer_name=name, index_option="freq")
    return builder.build()
