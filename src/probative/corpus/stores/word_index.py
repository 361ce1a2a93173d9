"""The word index: tantivy, with one field for each analyzer, so that a passage is stemmed in its language."""

from __future__ import annotations

import json
import os
import shutil
import weakref
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import mkdtemp
from typing import Any, Self

from probative.corpus.documents.passages import CorpusPassage
from probative.corpus.stores.labels import rebuild_hint
from probative.corpus.stores.records import (
    ANALYZERS,
    LiveDocuments,
    PassageStore,
    WordHit,
    analyzer,
    analyzer_name,
    from_record,
    query_terms,
    searched_words,
    to_record,
    with_ties,
)
from probative.errors import StoreError

HEAP_BYTES = 128_000_000
# Further digits of a score depend on the order in which its parts were added.
_DIGITS = 4
_BLOCK = 1_000
SMALL = 20_000
"""An index of up to this number of passages is written anew after each change: that takes about a second."""
STALE_SHARE = 0.25
"""Passages of a larger one that are gone, as a share of the others, beyond which it is written anew."""


class WordIndex(PassageStore):
    """The passages of a corpus in a folder of tantivy."""

    def __init__(self, folder: Path, *, create: bool = False) -> None:
        import tantivy

        self._folder = folder
        self._links: LinkedFolder | None = None
        self._writer: Any = None
        try:
            if create:
                folder.mkdir(mode=0o700, parents=True, exist_ok=True)
                self._index = tantivy.Index(_schema(), path=str(folder), reuse=True)
            else:
                if folder.is_dir() and not os.access(folder, os.W_OK):
                    self._links = LinkedFolder(folder)
                self._index = tantivy.Index.open(str(folder if self._links is None else self._links.path))
        except (ValueError, OSError) as error:
            raise StoreError(
                f"the word index in {folder} cannot be opened: {error}", hint=rebuild_hint(folder.parent)
            ) from None
        self._schema = self._index.schema
        for name in ANALYZERS:
            self._index.register_tokenizer(name, analyzer(name))
        with self._reading():
            self._index.config_reader("manual")
        self.reload()
        # A file that is missing is noticed when its field is searched, so each is now.
        self.search("a", 1, ANALYZERS, [0])
        self.at([0])

    def reload(self) -> None:
        with self._reading():
            if self._links is not None:
                self._links.refresh()
            self._index.reload()
            self._searcher = self._index.searcher()

    def __len__(self) -> int:
        return int(self._searcher.num_docs)

    @contextmanager
    def writing(self) -> Iterator[Self]:
        with _writing():
            self._writer = self._index.writer(HEAP_BYTES)
        try:
            yield self
        finally:
            # After an error the writer may be dead already; what was committed is safe.
            with suppress(ValueError, OSError):
                self._writer.rollback()
                self._writer.wait_merging_threads()
            self._writer = None

    def add(self, passages: Iterable[CorpusPassage], first: int, document: int) -> None:
        from tantivy import Document

        for number, passage in enumerate(passages, first):
            # Not as keyword arguments: those would be signed numbers, which end the writer's thread.
            entry = Document()
            entry.add_unsigned("number", number)
            entry.add_unsigned("document", document)
            entry.add_bytes("record", to_record(passage))
            entry.add_text(analyzer_name(passage.language), searched_words(passage))
            with _writing():
                self._writer.add_document(entry)

    def remove(self, documents: Collection[int]) -> None:
        from tantivy import Query

        if documents:
            with _writing():
                # By a query: removing by a term takes the number for a signed one and finds nothing.
                named = Query.term_set_query(self._schema, "document", sorted(documents))
                self._writer.delete_documents_by_query(named)

    def commit(self) -> None:
        with _writing():
            self._writer.commit()

    def search(
        self, query: str, n: int, languages: Iterable[str], documents: Collection[int] | None = None
    ) -> list[WordHit]:
        from tantivy import Occur, Query

        clauses = [
            (Occur.Should, Query.term_query(self._schema, name, term, "freq"))
            for name, term in query_terms(query, languages)
        ]
        if not clauses or n < 1:
            return []
        words = Query.boolean_query(clauses)
        if documents is not None:
            allowed = Query.term_set_query(self._schema, "document", sorted(documents))
            words = Query.boolean_query(
                [(Occur.Must, words), (Occur.Must, Query.const_score_query(allowed, 0.0))]
            )
        hits = with_ties(lambda depth: self._hits(words, depth), n, lambda hit: hit.score)
        # Tantivy orders equal scores by its segments, which are others each time that an index is made.
        return sorted(hits, key=lambda hit: (-hit.score, hit.number))

    def at(self, numbers: Sequence[int]) -> list[WordHit]:
        from tantivy import Query

        if not numbers:
            return []
        return self._hits(Query.term_set_query(self._schema, "number", list(numbers)), len(numbers))

    def between(self, first: int, end: int) -> list[WordHit]:
        from tantivy import FieldType, Query

        span = Query.range_query(
            self._schema, "number", FieldType.Unsigned, first, end, include_lower=True, include_upper=False
        )
        return self._hits(span, end - first)

    def compact(self, live: LiveDocuments) -> bool:
        """Write the passages anew if many are gone: BM25 counts the words of those that are gone, too."""
        self.reload()
        stale = deleted_passages(self._folder)
        if not stale or (len(self) > SMALL and stale <= STALE_SHARE * len(self)):
            return False
        from tantivy import Query

        with _writing():
            self._writer.delete_all_documents()
        hits = sorted(self._hits(Query.all_query(), len(self)))
        for start in range(0, len(hits), _BLOCK):
            block = hits[start : start + _BLOCK]
            facts = live({hit.document for hit in block})
            for hit in block:
                if hit.document in facts:
                    passage = from_record(self.record(hit), facts[hit.document])
                    self.add([passage], hit.number, hit.document)
        self.commit()
        return True

    def record(self, hit: WordHit) -> bytes:
        with self._reading():
            record: bytes = self._searcher.doc(hit.address)["record"][0]
            return record

    def _hits(self, query: Any, n: int) -> list[WordHit]:
        with self._reading():
            hits = self._searcher.search(query, n, count=False).hits
            addresses = [address for _, address in hits]
            numbers: list[Any] = self._searcher.fast_field_values("number", addresses)
            documents: list[Any] = self._searcher.fast_field_values("document", addresses)
        return [
            WordHit(number, document, round(score, _DIGITS), address)
            for number, document, (score, address) in zip(numbers, documents, hits, strict=True)
        ]

    @contextmanager
    def _reading(self) -> Iterator[None]:
        """Raise `StoreError` for files that are damaged or missing."""
        try:
            yield
        except BaseException as error:
            # Tantivy panics on some damage, which is no `Exception` in Python.
            if not isinstance(error, ValueError | OSError) and type(error).__name__ != "PanicException":
                raise
            raise StoreError(
                f"the word index in {self._folder} is damaged: {error}",
                hint=rebuild_hint(self._folder.parent),
            ) from error


def deleted_passages(folder: Path) -> int:
    """Return how many passages of a word index were removed and still take space."""
    segments = json.loads((folder / "meta.json").read_bytes())["segments"]
    return sum((segment["deletes"] or {}).get("num_deleted_docs", 0) for segment in segments)


@contextmanager
def _writing() -> Iterator[None]:
    """Raise `StoreError` for an error of tantivy or of the disk."""
    try:
        yield
    except (ValueError, OSError) as error:
        raise StoreError(
            f"the word index cannot be written: {error}",
            hint="free some space; the same command goes on where it stopped. If the index is damaged, add "
            "--rebuild",
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


_LOCKS = ".tantivy-"


class LinkedFolder:
    """A temporary folder with a link to each file of another one, removed with this object.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     _ = Path(folder, "meta.json").write_text("{}")
    ...     links = LinkedFolder(Path(folder))
    ...     Path(links.path, "meta.json").read_text()
    '{}'
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder.absolute()
        self.path = Path(mkdtemp(prefix="probative-"))
        weakref.finalize(self, shutil.rmtree, self.path, ignore_errors=True)
        self.refresh()

    def refresh(self) -> None:
        """Add the files that are new since the last time."""
        for file in self._folder.iterdir():
            target = self.path / file.name
            if not file.name.startswith(_LOCKS) and not target.exists():
                try:
                    target.symlink_to(file)
                except OSError:  # some systems let nobody make links
                    shutil.copyfile(file, target)
