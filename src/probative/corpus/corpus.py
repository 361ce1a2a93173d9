"""`Corpus`: a folder of documents, indexed and searched; every passage leads back to its place."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Self

from probative.corpus.citation import Citation
from probative.corpus.document import Document
from probative.corpus.filters import SearchFilters
from probative.corpus.folder import local_path
from probative.corpus.index.index_folder import IndexFolder
from probative.corpus.index.searcher import Hit, IndexSearcher, Weights
from probative.corpus.index.summary import IndexSummary
from probative.corpus.index.update import Progress, update_index
from probative.corpus.indexing import cached_index, is_unusable, static_encoder
from probative.corpus.passages import CorpusPassage
from probative.corpus.surroundings import CONTEXT, Surroundings, surroundings
from probative.errors import InputError, InUseError
from probative.models.encoder import Encoder
from probative.settings import Settings, load_settings

# How long a process waits for another one that makes the first index of the same folder.
_WAIT_SECONDS = 600.0


class Corpus:
    """An index that is open for searching. It may be shared between threads.

    `notes` say what a reader of the results must know; `summary` is what an update did when the corpus was
    opened, if there was one. Calling a corpus with a query and a number returns passages, so it is a
    retriever.

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
    ) -> None:
        folder = IndexFolder(index)
        self.path = index
        self.label = folder.label()
        self.filters = filters or SearchFilters()
        self.summary: IndexSummary | None = None
        self._catalog = folder.open_catalog()
        self._searcher = IndexSearcher(folder, self._catalog, encoder, store)
        self.notes = self._searcher.notes()

    @classmethod
    def open(
        cls,
        path: str | Path,
        *,
        filters: SearchFilters | None = None,
        update: bool = True,
        vectors: bool = True,
        store: str | None = None,
        settings: Settings | None = None,
        progress: Progress | None = None,
    ) -> Self:
        """Open an index, or a folder of documents, which is indexed into the cache first.

        A folder that was indexed before is only updated; with `update` false, not even that. With `vectors`
        false, only words are searched. `store` is "milvus:URI" if the passages of a folder are in Milvus; an
        index knows its store itself.
        """
        place = local_path(path)
        settings = settings or load_settings()
        if IndexFolder.is_index(place):
            encoder = static_encoder(settings) if vectors else None
            return cls(place, filters=filters, encoder=encoder, store=store)
        index = cached_index(place, settings, store)
        is_new = not IndexFolder.is_index(index)
        encoder = static_encoder(settings, fetch=is_new) if vectors else None
        notes: tuple[str, ...] = ()
        summary = None
        if update or is_new:
            make = partial(update_index, place, index, store=store, encoder=encoder, progress=progress)
            try:
                # Nobody keeps anything in the cache: what is damaged there is made again.
                summary = make(rebuild=is_unusable(index))
            except InUseError:
                if not IndexFolder.is_index(index):
                    summary = make(wait=_WAIT_SECONDS)
                else:
                    notes = (f"another process is updating the index of {place}: its last state was used",)
        corpus = cls(index, filters=filters, encoder=encoder)
        corpus.summary, corpus.notes = summary, (*corpus.notes, *notes)
        return corpus

    def __len__(self) -> int:
        return self._catalog.counts()[1]

    @property
    def documents(self) -> int:
        """The number of documents."""
        return self._catalog.counts()[0]

    def sources(self) -> list[str]:
        """Return the source of each document."""
        return sorted(self._catalog.files())

    @property
    def fingerprint(self) -> str:
        """Identifies what is searched: the index, its state and the filters."""
        return f"{self.path}:{self._catalog.version()}:{self.filters.to_json()}"

    def close(self) -> None:
        """Close the files of the index, or the connection to its store."""
        self._searcher.close()
        self._catalog.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __call__(self, query: str, n: int) -> list[CorpusPassage]:
        """Return the `n` best passages."""
        return [hit.passage for hit in self.search(query, n)]

    def search(self, query: str, n: int = 10, filters: SearchFilters | None = None) -> list[Hit]:
        """Return the `n` best passages with their scores, best first; a text that repeats comes once.

        `filters` take the place of those that the corpus was opened with.
        """
        return self._search(query, n, self.filters if filters is None else filters, Weights())

    def by_words(self, query: str, n: int) -> list[CorpusPassage]:
        """Return the `n` best passages by words alone: quicker, and enough to look up a name."""
        return [hit.passage for hit in self._search(query, n, self.filters, Weights(vectors=0.0))]

    def by_vectors(self, query: str, n: int) -> list[CorpusPassage]:
        """Return the `n` nearest passages by vectors alone; none if the index has no vectors."""
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
                hint="the index has it under the path below the folder that was indexed",
            )
        return document

    def show(self, citation: Citation | str, context: int = CONTEXT) -> Surroundings:
        """Return the cited text in its surroundings; the original file is not needed."""
        place = Citation.parse(citation) if isinstance(citation, str) else citation
        return surroundings(self.document(place.source), place, context)
