"""`Corpus`: a folder of documents, indexed and searched; every passage leads back to its place."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

from probative.corpus.citation import Citation
from probative.corpus.document import Document
from probative.corpus.filters import SearchFilters
from probative.corpus.folder import Filters, local_path
from probative.corpus.fusion import fuse
from probative.corpus.index.index_folder import FORMAT, IndexFolder
from probative.corpus.index.record import from_record
from probative.corpus.index.summary import IndexSummary
from probative.corpus.index.update import Progress, update_index
from probative.corpus.index.word_index import WordHit, WordIndex
from probative.corpus.passages import CorpusPassage
from probative.corpus.surroundings import CONTEXT, Surroundings, surroundings
from probative.errors import InputError, InUseError
from probative.settings import Settings, load_settings

# How many passages each ranking gives to the fusion.
DEPTH = 60
# How long a process waits for another one that makes the first index of the same folder.
_WAIT_SECONDS = 600.0


@dataclass(frozen=True)
class Hit:
    """A passage that was found, and its score: higher is better, comparable within one search only."""

    passage: CorpusPassage
    score: float


class Corpus:
    """An index that is open for searching. It may be shared between threads.

    `notes` say what a reader of the results must know. Calling a corpus with a query and a number returns
    passages, so it is a retriever.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     _ = Path(folder, "log.txt").write_text("The ferry left at six. It rained all day in Molde.")
    ...     with Corpus.open(folder) as corpus:
    ...         [passage.id for passage in corpus("When did the ferry leave?", 3)]
    ['log.txt#char=0,50']
    """

    def __init__(self, index: Path, *, filters: SearchFilters | None = None) -> None:
        folder = IndexFolder(index)
        self.path = index
        self.label = folder.label()
        self.filters = filters or SearchFilters()
        self.notes: tuple[str, ...] = ()
        self.summary: IndexSummary | None = None
        self._catalog = folder.open_catalog()
        self._words = WordIndex(folder.words)
        self._lock = threading.RLock()
        self._version = self._catalog.version()
        self._languages = self._catalog.languages()
        self._matching: dict[str, dict[int, tuple[int, int]]] = {}

    @classmethod
    def open(
        cls,
        path: str | Path,
        *,
        filters: SearchFilters | None = None,
        update: bool = True,
        settings: Settings | None = None,
        progress: Progress | None = None,
    ) -> Self:
        """Open an index, or a folder of documents, which is indexed into the cache first.

        A folder that was indexed before is only updated; with `update` false, not even that.
        """
        place = local_path(path)
        if IndexFolder.is_index(place):
            return cls(place, filters=filters)
        index = cached_index(place, settings or load_settings())
        notes: tuple[str, ...] = ()
        summary = None
        if update or not IndexFolder.is_index(index):
            try:
                summary = update_index(place, index, rebuild=_is_unusable(index), progress=progress)
            except InUseError:
                if not IndexFolder.is_index(index):
                    summary = update_index(place, index, wait=_WAIT_SECONDS, progress=progress)
                else:
                    notes = (f"another process is updating the index of {place}: its last state was used",)
        corpus = cls(index, filters=filters)
        corpus.summary, corpus.notes = summary, notes
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
        """Close the files of the index."""
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
        if n < 1:
            raise InputError(f"n must be at least 1, got {n}")
        with self._lock:
            self._refresh()
            chosen = self.filters if filters is None else filters
            allowed = self._allowed(chosen) if chosen else None
            if allowed is not None and not allowed:
                return []
            return self._best(query, n, allowed)

    def document(self, source: str) -> Document:
        """Return a document as it was indexed; raises `InputError` if there is none of this source."""
        document = self._catalog.document(source)
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

    def _refresh(self) -> None:
        """Search the new state if an update has ended since the last search."""
        version = self._catalog.version()
        if version != self._version:
            self._words.reload()
            self._languages = self._catalog.languages()
            self._matching.clear()
            self._version = version

    def _allowed(self, filters: SearchFilters) -> dict[int, tuple[int, int]]:
        key = filters.to_json()
        if key not in self._matching:
            self._matching[key] = self._catalog.matching(filters)
        return self._matching[key]

    def _best(self, query: str, n: int, allowed: Collection[int] | None) -> list[Hit]:
        """Return the best passages of live documents, each text once."""
        depth = max(DEPTH, n)
        while True:
            hits = self._words.search(query, depth, self._languages, allowed)
            found = self._distinct(hits, n)
            # Repeated texts, and documents that an update has just replaced, leave room for more.
            if len(found) == n or len(hits) < depth:
                return found
            depth *= 4

    def _distinct(self, hits: Sequence[WordHit], n: int) -> list[Hit]:
        live = self._catalog.live([hit.document for hit in hits])
        by_number = {hit.number: hit for hit in hits if hit.document in live}
        ranked = fuse([(1.0, list(by_number))])
        found: dict[str, Hit] = {}
        for number, score in ranked:
            hit = by_number[number]
            passage = from_record(self._words.record(hit), live[hit.document])
            found.setdefault(" ".join(passage.text.split()).lower(), Hit(passage, score))
            if len(found) == n:
                break
        return list(found.values())


def cached_index(folder: Path, settings: Settings) -> Path:
    """Return where the index of a folder is kept: in the cache, by the path of the folder."""
    name = hashlib.sha256(str(folder.resolve()).encode("utf-8", "surrogateescape")).hexdigest()[:16]
    return settings.home_folder / "corpora" / f"{folder.resolve().name[:40]}-{name}-{FORMAT}"


def index_folder(
    folder: str | Path,
    out: str | Path | None = None,
    *,
    filters: Filters | None = None,
    rebuild: bool = False,
    settings: Settings | None = None,
    progress: Progress | None = None,
) -> IndexSummary:
    """Index the documents below a folder into `out`, or into the cache; see `update_index`."""
    place = local_path(folder)
    target = cached_index(place, settings or load_settings()) if out is None else local_path(out)
    return update_index(place, target, filters=filters, rebuild=rebuild, progress=progress)


def _is_unusable(index: Path) -> bool:
    """Return whether the index in the cache is damaged: nobody keeps anything there, so it is made again."""
    from probative.errors import StoreError

    if not IndexFolder.is_index(index):
        return False
    try:
        folder = IndexFolder(index)
        folder.label()
        folder.open_catalog().close()
        WordIndex(folder.words)
    except StoreError:
        return True
    return False
