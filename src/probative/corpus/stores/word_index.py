"""The word index: tantivy, with one field for each analyzer, so that a passage is stemmed in its language."""

from __future__ import annotations

import json
import os
import shutil
import weakref
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import mkdtemp
from typing import Any, NamedTuple, TypeVar

from probative.corpus.documents.passages import CorpusPassage
from probative.corpus.stores.labels import rebuild_hint
from probative.corpus.stores.records import (
    ANALYZERS,
    LiveDocuments,
    analyzer,
    analyzer_name,
    from_record,
    query_terms,
    searched_words,
    to_record,
)
from probative.errors import StoreError

# How many results beyond the wanted ones are looked at first, and at most, if their scores are equal.
_TIES, _MAX_TIES = 16, 10_000

Result = TypeVar("Result")


def with_ties(
    search: Callable[[int], Sequence[Result]], n: int, score: Callable[[Result], float]
) -> list[Result]:
    """Return the `n` best results of `search`, best first, and those with the score of the last one.

    Which of equals come first depends on what an index had before; so none of them is cut off.

    >>> numbers = [5, 3, 3, 3, 1]
    >>> with_ties(lambda k: numbers[:k], 2, float)
    [5, 3, 3, 3]
    """
    depth = n + _TIES
    while True:
        results = search(depth)
        if len(results) <= n:
            return list(results)
        last = score(results[n - 1])
        if len(results) < depth or score(results[-1]) < last or depth >= _MAX_TIES:
            return [result for result in results if score(result) >= last]
        depth *= 4


HEAP_BYTES = 128_000_000
# Further digits of a score depend on the order in which its parts were added.
_DIGITS = 4
_BLOCK = 1_000
SMALL = 20_000
"""An index of up to this number of passages is written anew after each change: that takes about a second."""
STALE_SHARE = 0.25
"""Passages of a larger one that are gone, as a share of the others, beyond which it is written anew."""


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

        self._folder = folder
        self._links: LinkedFolder | None = None
        try:
            if create:
                folder.mkdir(mode=0o700, parents=True, exist_ok=True)
                self._index = tantivy.Index(_schema(), path=str(folder), reuse=True)
            else:
                self._links = LinkedFolder(folder) if needs_links(folder) else None
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
        """Search what was committed last."""
        with self._reading():
            if self._links is not None:
                self._links.refresh()
            self._index.reload()
            self._searcher = self._index.searcher()

    def close(self) -> None:
        """Nothing to do: the files are mapped, and closed with the object."""

    def __len__(self) -> int:
        return int(self._searcher.num_docs)

    @contextmanager
    def writing(self) -> Iterator[WordWriter]:
        """Yield the writer; there can be one at a time. Raises `StoreError`."""
        with tantivy_errors():
            writer = WordWriter(self._index, self._schema)
        try:
            yield writer
        finally:
            writer.close()

    def search(
        self, query: str, n: int, languages: Iterable[str], documents: Collection[int] | None = None
    ) -> list[WordHit]:
        """Return the passages with the `n` best BM25 scores, of these documents if they are given."""
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

    def compact(self, writer: WordWriter, live: LiveDocuments) -> bool:
        """Write the passages anew if many are gone, and return whether that was done.

        Until then, BM25 counts the words of those that are gone, too.
        """
        self.reload()
        stale = deleted_passages(self._folder)
        if not stale or (len(self) > SMALL and stale <= STALE_SHARE * len(self)):
            return False
        from tantivy import Query

        writer.clear()
        hits = sorted(self._hits(Query.all_query(), len(self)))
        for start in range(0, len(hits), _BLOCK):
            block = hits[start : start + _BLOCK]
            facts = live({hit.document for hit in block})
            for hit in block:
                if hit.document in facts:
                    passage = from_record(self.record(hit), facts[hit.document])
                    writer.add([passage], hit.number, hit.document)
        writer.commit()
        return True

    def record(self, hit: WordHit) -> bytes:
        """Return the stored record of a passage."""
        with self._reading():
            record: bytes = self._searcher.doc(hit.address)["record"][0]
            return record

    def _best(self, query: Any, n: int) -> list[WordHit]:
        """Return the best `n` hits, and those that tie with the last one; of equals, the lowest number first.

        Tantivy orders equal scores by its segments, which are others each time that an index is made.
        """
        hits = with_ties(lambda depth: self._hits(query, depth), n, lambda hit: hit.score)
        return sorted(hits, key=lambda hit: (-hit.score, hit.number))

    def _hits(self, query: Any, n: int) -> list[WordHit]:
        with self._reading():
            found = self._searcher.search(query, n, count=False).hits
            addresses = [address for _, address in found]
            numbers: list[Any] = self._searcher.fast_field_values("number", addresses)
            documents: list[Any] = self._searcher.fast_field_values("document", addresses)
        return [
            WordHit(number, document, round(score, _DIGITS), address)
            for number, document, (score, address) in zip(numbers, documents, found, strict=True)
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


class WordWriter:
    """Adds and removes passages; `commit` makes all of it visible at once."""

    def __init__(self, index: Any, schema: Any) -> None:
        self._schema = schema
        self._writer = index.writer(HEAP_BYTES)

    def add(self, passages: Iterable[CorpusPassage], first: int, document: int) -> None:
        """Add the passages of a document; they are numbered from `first` on."""
        from tantivy import Document

        for number, passage in enumerate(passages, first):
            # Not as keyword arguments: those would be signed numbers, which end the writer's thread.
            entry = Document()
            entry.add_unsigned("number", number)
            entry.add_unsigned("document", document)
            entry.add_bytes("record", to_record(passage))
            entry.add_text(analyzer_name(passage.language), searched_words(passage))
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

    def clear(self) -> None:
        """Remove everything, at the next commit."""
        with tantivy_errors():
            self._writer.delete_all_documents()

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


def deleted_passages(folder: Path) -> int:
    """Return how many passages of a word index were removed and still take space."""
    segments = json.loads((folder / "meta.json").read_bytes())["segments"]
    return sum((segment["deletes"] or {}).get("num_deleted_docs", 0) for segment in segments)


@contextmanager
def tantivy_errors() -> Iterator[None]:
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


def needs_links(folder: Path) -> bool:
    """Return whether a folder is there and may only be read."""
    return folder.is_dir() and not os.access(folder, os.W_OK)
