"""`Corpus`: a folder of documents, indexed and searched; every passage leads back to its place."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Self

from probative.corpus.documents.document import CONTEXT, Citation, Document, Surroundings, surroundings
from probative.corpus.documents.files import (
    SearchFilters,
    Unread,
    is_index,
    local_path,
    near_source,
    unread_note,
)
from probative.corpus.documents.passages import CorpusPassage
from probative.corpus.index.embed import BackgroundVectors, missing_vectors
from probative.corpus.index.index_folder import CorpusState, IndexFolder, IndexSummary, Progress
from probative.corpus.index.listing import DocumentSummary, summaries
from probative.corpus.index.searcher import Hit, IndexSearcher, Weights, fuse, vector_notes
from probative.corpus.indexing import cached_index, static_encoder, update_cached
from probative.errors import InputError
from probative.models.encoder import Encoder
from probative.models.loading import load_encoder
from probative.settings import Settings, load_settings

# Of up to this number of passages, opening a folder waits for the vectors: some seconds.
_AWAITED_VECTORS = 2_000


class Corpus:
    """An index that is open for searching. It may be shared between threads.

    `summary` is what an update did when the corpus was opened, if there was one. Calling a corpus with a
    query and a number returns passages, so it is a retriever.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     _ = Path(folder, "log.txt").write_text("The ferry left at six. It rained all day in Molde.")
    ...     with Corpus.open(folder) as corpus:
    ...         [passage.id for passage in corpus("When did the ferry leave?", 3)]
    ['log.txt#char=0,50']
    """

    def __init__(
        self,
        index: Path,
        *,
        filters: SearchFilters | None = None,
        encoder: Encoder | None = None,
        store: str | None = None,
        rerank: int = 0,
        reranker: Encoder | None = None,
    ) -> None:
        if rerank < 0:
            raise InputError(f"rerank must be 0 or more, got {rerank}")
        folder = IndexFolder(index)
        self.path = index
        self.label = folder.label()
        self.filters = filters or SearchFilters()
        self.rerank, self._reranker = rerank, reranker
        self.summary: IndexSummary | None = None
        self._folder, self._encoder = folder, encoder
        self._catalog = folder.open_catalog()
        self._searcher = IndexSearcher(folder, self._catalog, encoder, store)
        self._background: BackgroundVectors | None = None
        self._opening_notes: tuple[str, ...] = ()

    @classmethod
    def open(
        cls,
        path: str | Path,
        *,
        filters: SearchFilters | None = None,
        update: bool = True,
        vectors: bool = True,
        background: bool = True,
        store: str | None = None,
        rerank: int = 0,
        settings: Settings | None = None,
        progress: Progress | None = None,
    ) -> Self:
        """Open an index, or a folder of documents, which is indexed into the cache first.

        A folder that was indexed before is only updated; with `update` false, not even that. With `vectors`
        false, only words are searched. The words of a folder answer at once; the vectors of more than 2,000
        new passages are written in the background while the corpus is open, and the next one goes on. With
        `background` false, they are complete when this returns. `store` is "milvus:URI" if the passages of a
        folder are in Milvus; an index knows its store itself. With `rerank`, the embedded encoder (MiniLM)
        ranks that many of the best passages of each search again: better at the top, and much slower.
        """
        folder = local_path(path)
        settings = settings or load_settings()
        if is_index(folder):
            encoder = static_encoder(settings) if vectors else None
            return cls(folder, filters=filters, encoder=encoder, store=store, rerank=rerank)
        index = cached_index(folder, settings, store)
        is_new = not is_index(index)
        encoder = static_encoder(settings, fetch=is_new) if vectors else None
        updated = update_cached(folder, index, store, progress) if update or is_new else None
        corpus = cls(index, filters=filters, encoder=encoder, rerank=rerank)
        if updated is not None:
            corpus.summary, corpus._opening_notes = updated
        if corpus.summary is not None:
            corpus._write_vectors(progress, background=background)
        return corpus

    def _write_vectors(self, progress: Progress | None, *, background: bool) -> None:
        """Write the vectors that are missing: in the background, or before this returns."""
        missing = 0 if self._encoder is None else missing_vectors(self._folder, self._catalog, self._encoder)
        if self._encoder is None or not missing:
            return
        waits = not background or missing <= _AWAITED_VECTORS
        self._background = BackgroundVectors(self._folder, self._encoder, progress if waits else None)
        if waits:
            self.wait_for_vectors()

    def wait_for_vectors(self, seconds: float | None = None) -> bool:
        """Wait until the vectors are written, or at most `seconds`; return whether all passages have one.

        They are written in the background after a folder was opened; see `open`.
        """
        if self._background is not None:
            try:
                self._background.wait(seconds)
            except BaseException:
                self._background.close()
                raise
        state = self.describe()
        return state.with_vectors == state.passages

    def describe(self) -> CorpusState:
        """Return how many documents and passages the index has now, and how many of them have vectors."""
        return CorpusState.of(self.path).model_copy(update={"vectors_growing": self._is_growing})

    @property
    def _is_growing(self) -> bool:
        return self._background is not None and self._background.is_running

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader of the results must know, such as that vectors are still missing."""
        notes = self._opening_notes
        if unread := self.unread:
            notes += (unread_note(unread),)
        if self.takes_nothing:
            notes += (f"the filters take none of the {self.documents:,} documents",)
        if self._encoder is not None:
            fingerprint, growing = self._encoder.fingerprint, self._is_growing
            notes += vector_notes(self._folder, self._catalog, fingerprint, growing=growing)
        if (damage := self._searcher.damage) is not None:
            notes += (f"{damage.what}: only words are searched; {damage.hint}",)
        if self._background is not None and self._background.error is not None:
            notes += (f"the vectors could not be completed: {self._background.error}",)
        return notes

    @property
    def unread(self) -> tuple[Unread, ...]:
        """The files that could not be read, in the order of their names, with the reasons."""
        unread = self._catalog.unread()
        return tuple(unread[source][0] for source in sorted(unread))

    @property
    def takes_nothing(self) -> bool:
        """Whether the filters leave no document."""
        return self._searcher.takes_nothing(self.filters)

    def __len__(self) -> int:
        return self._catalog.counts()[1]

    @property
    def documents(self) -> int:
        """The number of documents."""
        return self._catalog.counts()[0]

    def documents_by_language(self) -> dict[str, int]:
        """Return the number of documents in each language that the filters allow, by its code."""
        allowed = self.filters.languages
        counts = {} if self.takes_nothing else self._catalog.documents_by_language()
        return {code: count for code, count in counts.items() if not allowed or code in allowed}

    def sources(self) -> list[str]:
        """Return the source of each document."""
        return sorted(self._catalog.files())

    def dates(self) -> dict[str, str | None]:
        """Return the date of each document by its source; None if it has none."""
        return self._catalog.dates()

    def summaries(self, offset: int = 0, limit: int = 100) -> list[DocumentSummary]:
        """Return what a list shows of some documents, in the order of their names."""
        return summaries(self._catalog, self.sources()[offset : offset + limit])

    @property
    def fingerprint(self) -> str:
        """Identifies what is searched, and how: the index, its state, the filters and `rerank`."""
        again = f":rerank={self.rerank}" if self.rerank else ""
        return f"{self.path}:{self._catalog.version()}:{self.filters.to_json()}{again}"

    @property
    def version(self) -> int:
        """A number that grows whenever the documents of this index change."""
        return self._catalog.version()

    def passages_by_source(self) -> dict[str, int]:
        """Return the number of passages of each document."""
        return {source: file.passages for source, file in self._catalog.files().items()}

    @property
    def contents(self) -> str:
        """A hash of the names and contents of all documents, which another index of them has too."""
        files = self._catalog.files().values()
        listed = sorted((file.source, file.digest) for file in files)
        return hashlib.sha256(repr(listed).encode()).hexdigest()[:16]

    def close(self) -> None:
        """Close the files of the index, or the connection to its store.

        Vectors that are being written stop; what was written stays.
        """
        if self._background is not None:
            self._background.close()
        self._searcher.close()
        self._catalog.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __call__(self, query: str, n: int) -> list[CorpusPassage]:
        """Return the `n` best passages."""
        return [hit.passage for hit in self.search(query, n)]

    def search(
        self, query: str, n: int = 10, filters: SearchFilters | None = None, *, rerank: int | None = None
    ) -> list[Hit]:
        """Return the `n` best passages with their scores, best first; a text that repeats comes once.

        `filters` and `rerank` take the place of those that the corpus was opened with.
        """
        filters = self.filters if filters is None else filters
        depth = self.rerank if rerank is None else rerank
        if depth < 1:
            return self._search(query, n, filters, Weights())
        hits = self._search(query, max(n, depth), filters, Weights())
        if self._reranker is None:
            self._reranker = load_encoder("embedded")
        return (rerank_hits(query, hits[:depth], self._reranker) + hits[depth:])[:n]

    def by_words(self, query: str, n: int) -> list[CorpusPassage]:
        """Return the `n` best passages by words alone: quicker, and enough to look up a name."""
        return [hit.passage for hit in self._search(query, n, self.filters, Weights(vectors=0.0))]

    def by_vectors(self, query: str, n: int) -> list[CorpusPassage]:
        """Return the `n` nearest passages by vectors alone; an empty list if the index has no vectors."""
        return [hit.passage for hit in self._search(query, n, self.filters, Weights(words=0.0))]

    def _search(self, query: str, n: int, filters: SearchFilters, weights: Weights) -> list[Hit]:
        if n < 1:
            raise InputError(f"n must be at least 1, got {n}")
        return self._searcher.search(query, n, filters, weights)

    def document(self, source: str) -> Document:
        """Return a document as it was indexed; raises `InputError` if there is none of this source."""
        document = self._catalog.document(source)
        if document is None and "%" in source:  # a name as citations write it
            document = self._catalog.document(Citation.parse(f"{source}#char=0,0").source)
        if document is None:
            raise InputError(
                f"there is no document {source!r} in the index {self.path}",
                hint=near_source(source, self.sources())
                or "the index names a document by its path below the folder that was indexed",
            )
        return document

    def show(self, citation: Citation | str, context: int = CONTEXT) -> Surroundings:
        """Return the cited text in its surroundings; the original file is not needed."""
        cited = Citation.parse(citation) if isinstance(citation, str) else citation
        return surroundings(self.document(cited.source), cited, context)


# The weight of the encoder's order. Chosen on the tuned questions of HotpotQA and 2WikiMultihopQA, with the
# best 20, 30 and 60 passages; the encoder's order alone is worse than the order before it.
RERANK_WEIGHT = 0.5


def rerank_hits(query: str, hits: Sequence[Hit], encoder: Encoder) -> list[Hit]:
    """Return the hits in the fusion of their order and that of the encoder, with the scores of the fusion."""
    if len(hits) < 2:
        return list(hits)
    vectors = encoder.encode([query, *(hit.passage.whole for hit in hits)])
    cosines = vectors[1:] @ vectors[0]
    near = sorted(range(len(hits)), key=lambda index: -float(cosines[index]))
    return [
        Hit(hits[index].passage, score)
        for index, score in fuse([(1.0, range(len(hits))), (RERANK_WEIGHT, near)])
    ]
