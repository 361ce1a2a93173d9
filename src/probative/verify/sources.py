"""Where evidence comes from: passages, or any retriever; a corpus is one."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from probative.corpus.documents.document import Document
from probative.corpus.documents.files import SearchFilters
from probative.corpus.documents.passages import passages_of
from probative.corpus.documents.places import Place
from probative.errors import InputError
from probative.scope.inputs import as_passages, as_retriever, unused_notes
from probative.text.words import load_bm25s, words
from probative.types import Passage

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# How many passages of a retriever are looked through for those of one source.
MANY = 60
# Documents of a corpus that are kept in memory: the claims of a text are about few of them.
MAX_OPENED = 64
# The part of a title's words that a citation must have to mean it.
MIN_TITLE = 0.8


class EvidenceSource(Protocol):
    """Finds passages by words, all of them or those of one source."""

    def find(self, query: str, n: int) -> list[Passage]:
        """Return at most n passages."""

    def within(self, source: str, query: str, n: int) -> list[Passage]:
        """Return at most n passages of one source."""

    def named(self, target: str) -> str | None:
        """Return the source that a citation means, None if it cannot be told."""

    def place_at(self, source: str, start: int, end: int) -> Place | None:
        """Return the place of some characters of a source, None if it is not known."""


class PassageSource:
    """Passages that the caller has, found by BM25.

    >>> source = PassageSource([Passage(text="The mill burnt."), Passage(text="Herons eat fish.")])
    >>> [passage.text for passage in source.find("a burnt mill", 1)]
    ['The mill burnt.']
    """

    def __init__(self, passages: Sequence[Passage], notes: Sequence[str] = ()) -> None:
        self.notes = tuple(notes)
        self._passages = [passage for passage in passages if passage.text.strip()]
        self._names = SourceNames(
            (passage.source or passage.id or "", passage.title or "") for passage in self._passages
        )

    def __len__(self) -> int:
        return len(self._passages)

    def find(self, query: str, n: int) -> list[Passage]:
        return [self._passages[index] for index in self._ranked(query)[:n]]

    def within(self, source: str, query: str, n: int) -> list[Passage]:
        ranked = (self._passages[index] for index in self._ranked(query))
        return [passage for passage in ranked if source in (passage.source, passage.id)][:n]

    def named(self, target: str) -> str | None:
        return self._names.find(target)

    def place_at(self, source: str, start: int, end: int) -> Place | None:
        """Return None: passages do not know where pages begin."""
        return None

    def _ranked(self, query: str) -> list[int]:
        terms = [word for word in dict.fromkeys(words(query)) if word in self._vocabulary]
        if not terms:
            return list(range(len(self._passages)))
        scores: NDArray[np.float32] = self._index.get_scores(terms)
        ranked: list[int] = (-scores).argsort(kind="stable").tolist()
        return ranked

    @cached_property
    def _vocabulary(self) -> frozenset[str]:
        return frozenset(word for listed in self._words for word in listed)

    @cached_property
    def _words(self) -> list[list[str]]:
        return [words(passage.whole) for passage in self._passages]

    @cached_property
    def _index(self) -> Any:
        index = load_bm25s().BM25(method="lucene")
        index.index(self._words, show_progress=False)
        return index


class RetrieverSource:
    """A function of a query and a number that returns passages; a corpus also knows documents by name."""

    def __init__(self, retriever: Callable[[str, int], Sequence[Any]]) -> None:
        self._retriever = retriever
        self._seen: dict[str, str] = {}
        document: Callable[[str], Document | None] | None = getattr(retriever, "document", None)
        self._opened = lru_cache(MAX_OPENED)(document or (lambda source: None))
        self._taken = lru_cache(MAX_OPENED)(self._passages_of)
        # A document that the filters of a corpus leave out is not a source, even if the text cites it.
        self._filters: SearchFilters = getattr(retriever, "filters", None) or SearchFilters()
        sources = getattr(retriever, "sources", None)
        self._names = SourceNames((name, "") for name in sources()) if callable(sources) else None

    def find(self, query: str, n: int) -> list[Passage]:
        passages = as_passages(list(self._retriever(query, n)))
        for passage in passages:
            if passage.source:
                self._seen.setdefault(passage.source, (passage.title or "").split(" › ")[0])
        return passages

    def within(self, source: str, query: str, n: int) -> list[Passage]:
        document = self._opened(source)
        if document is not None:
            return self._taken(source).find(query, n)
        passages = self.find(f"{query} {source}", max(n, MANY))
        return [passage for passage in passages if passage.source == source][:n]

    def named(self, target: str) -> str | None:
        """Return the source that a citation means, among those of the corpus or those seen so far."""
        source = self._names.find(target) if self._names is not None else None
        if source is not None and self._filters:
            source = source if len(self._taken(source)) else None
        return source or SourceNames(self._seen.items()).find(target)

    def place_at(self, source: str, start: int, end: int) -> Place | None:
        document = self._opened(source)
        return document.place_at(start, end) if document is not None else None

    def _passages_of(self, source: str) -> PassageSource:
        """Return the passages of a document that the filters take."""
        document, takes = self._opened(source), self._filters.takes
        passages = passages_of(document) if document is not None else ()
        return PassageSource(
            [each for each in passages if takes(source, each.date, each.language, each.metadata)]
        )


class SourceNames:
    """The names and titles of sources, by which citations mean them."""

    def __init__(self, sources: Iterable[tuple[str, str]]) -> None:
        self._titles = {name: frozenset(words(title)) for name, title in sources if name}

    def find(self, target: str) -> str | None:
        """Return the source whose path, file name or title a citation has; None if it is not certain.

        >>> names = SourceNames([("minutes/march.md", "Minutes of March"), ("log.txt", "Log of the Lark")])
        >>> [names.find(text) for text in ("../minutes/march.md", "See log.txt", "Minutes of March", "?")]
        ['minutes/march.md', 'log.txt', 'minutes/march.md', None]
        """
        plain = target.replace("%20", " ").replace("\\", "/")
        whole = [name for name in self._titles if _mentions(plain, name)]
        if whole:
            return max(whole, key=len)
        by_file = [name for name in self._titles if _mentions(plain, name.rsplit("/", 1)[-1])]
        if by_file:
            return by_file[0] if len(by_file) == 1 else None
        target_words = frozenset(words(target))
        titled = [
            name
            for name, title in self._titles.items()
            if len(title) > 1 and len(title & target_words) >= MIN_TITLE * len(title)
        ]
        return titled[0] if len(titled) == 1 else None


def _mentions(text: str, name: str) -> bool:
    if name.casefold() not in text.casefold():  # a corpus may have a million names
        return False
    return re.search(rf"(?<![\w.-]){re.escape(name)}(?![\w-])", text, re.IGNORECASE) is not None


def shared_source(given: Any) -> Any:
    """Return sources for many texts: passages are indexed once, a retriever stays as it is.

    What a retriever has shown for one text must not decide what the citations of another one mean.
    """
    source = evidence_source(given)
    return source if isinstance(source, PassageSource) else given


def evidence_source(given: Any) -> EvidenceSource:
    """Return passages, a text or a retriever as a source of evidence; raises `InputError`."""
    if isinstance(given, PassageSource):
        return given
    if isinstance(given, str):
        _check_no_path(given)
        return PassageSource([Passage(text=part) for part in re.split(r"\n\s*\n", given) if part.strip()])
    retriever = as_retriever(given)  # those of LangChain and LlamaIndex are no functions
    if callable(retriever):
        return RetrieverSource(retriever)
    if isinstance(given, Sequence):
        return PassageSource(as_passages(given), unused_notes(given))
    raise InputError(
        f"verify needs passages or a corpus, got {type(given).__name__}",
        hint="give a list of passages, a retriever, or probative.Corpus.open(FOLDER)",
    )


def _check_no_path(text: str) -> None:
    """Raise `InputError` for a text that is the name of a folder or a file: its words are no source."""
    try:
        path = Path(text).expanduser()
        is_path = bool(text.strip()) and path.exists()
    except (OSError, ValueError, RuntimeError):  # too long, or with characters that no name has
        return
    if is_path:
        raise InputError(
            f"the sources are a text, got the name of a {'folder' if path.is_dir() else 'file'}: {text}",
            hint="give pathlib.Path(…) or probative.Corpus.open(…) of a folder, or the text of a file",
        )
