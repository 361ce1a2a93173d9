"""A passage as a store has it: all but what its document has, and the terms of its text by language."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import AbstractContextManager
from functools import cache
from typing import Any, NamedTuple, Protocol, Self, TypeVar

from probative.corpus.documents.document import Citation, Facts
from probative.corpus.documents.passages import CorpusPassage
from probative.corpus.documents.places import Place

# How Python shows a byte of a name that is not valid UTF-8.
_UNDECODED = re.compile("[\udc80-\udcff]")


class DocumentFacts(NamedTuple):
    """What the passages of a document, or of a part of one, share."""

    id: int
    source: str
    facts: Facts


Result = TypeVar("Result")
LiveDocuments = Callable[[Collection[int]], dict[int, DocumentFacts]]
"""Returns what is known of the live ones among some documents, by number."""


def to_record(passage: CorpusPassage) -> bytes:
    """Return a passage as bytes. Sentences are stored as offsets from the start of the passage."""
    start = passage.start or 0
    spans = [offset - start for span in passage.sentences for offset in span]
    title = None if passage.title is None else encodable(passage.title)
    place = passage.page if passage.id is None else Citation.parse(passage.id).locator
    record: list[Any] = [title, passage.text, start, place, spans]
    if passage.definitions:
        record.append(passage.definitions)
    return json.dumps(record, ensure_ascii=False, separators=(",", ":")).encode()


def from_record(record: bytes, document: DocumentFacts) -> CorpusPassage:
    """Return the passage that `to_record` stored.

    >>> passage = CorpusPassage(text="It rained.", source="a.txt", start=5, end=15, sentences=((5, 15),))
    >>> stored = from_record(to_record(passage), DocumentFacts(1, "a.txt", Facts("en", None, None, {})))
    >>> stored.id, stored.sentences
    ('a.txt#char=5,15', ((5, 15),))
    """
    title, text, start, place, spans, *more = json.loads(record)
    # Before there were slides and sheets, records had the page alone.
    located = Place.parse(place) if isinstance(place, str) and place else Place(page=place or None)
    end = start + len(text)
    offsets = [offset + start for offset in spans]
    # Everything was checked when it was written: validating it again would take most of a query's time.
    return CorpusPassage.model_construct(
        text=text,
        id=str(Citation.at(located, document.source, start, end)),
        title=title,
        source=encodable(document.source),
        start=start,
        end=end,
        page=located.page,
        **document.facts._asdict(),
        sentences=tuple(zip(offsets[::2], offsets[1::2], strict=True)),
        definitions=tuple(more[0]) if more else (),
    )


def encodable(name: str) -> str:
    r"""Return a name as citations write it: bytes that are not valid UTF-8 as %XX, everything else as it is.

    >>> encodable("caf\udce9.txt")
    'caf%E9.txt'
    """
    return _UNDECODED.sub(lambda match: f"%{ord(match.group()) - 0xDC00:02X}", name)


OTHER = "other"
"""The analyzer of languages without a stemmer."""
UNSPACED = "unspaced"
"""The analyzer of languages that put no spaces between words: single characters and pairs of them."""
_STEMMERS = {
    "ar": "arabic", "da": "danish", "de": "german", "el": "greek", "en": "english", "es": "spanish",
    "fi": "finnish", "fr": "french", "hu": "hungarian", "it": "italian", "nl": "dutch", "no": "norwegian",
    "pt": "portuguese", "ro": "romanian", "ru": "russian", "sv": "swedish", "ta": "tamil", "tr": "turkish",
}  # fmt: skip
_SAME = {"nb": "no", "nn": "no"}
_UNSPACED = frozenset(("zh", "ja", "th", "lo", "km", "my"))
# Longer runs of letters are no words; they would fill the dictionary.
_MAX_LETTERS = 60
# More different words than this in a query do not change the order of the best passages.
_MAX_TERMS = 64
# How many results beyond the wanted ones are looked at first, and at most, if their scores are equal.
_TIES, _MAX_TIES = 16, 10_000

ANALYZERS = (*_STEMMERS, OTHER, UNSPACED)
"""The names of all analyzers; the word index has a field for each."""


def analyzer_name(language: str) -> str:
    """Return the name of the analyzer for a language.

    >>> [analyzer_name(language) for language in ("en", "nb", "pl", "ja")]
    ['en', 'no', 'other', 'unspaced']
    """
    language = _SAME.get(language, language)
    if language in _UNSPACED:
        return UNSPACED
    return language if language in _STEMMERS else OTHER


@cache
def analyzer(name: str) -> Any:
    """Return the analyzer of this name: it has `analyze(text)`, and the word index takes it.

    >>> analyzer("en").analyze("Ferries to Ålesund")
    ['ferri', 'to', 'alesund']
    """
    from tantivy import Filter, TextAnalyzerBuilder, Tokenizer

    if name == UNSPACED:
        return TextAnalyzerBuilder(Tokenizer.ngram(1, 2)).filter(Filter.lowercase()).build()
    builder = TextAnalyzerBuilder(Tokenizer.simple()).filter(Filter.remove_long(_MAX_LETTERS))
    builder = builder.filter(Filter.lowercase())
    if name in _STEMMERS:
        builder = builder.filter(Filter.stemmer(_STEMMERS[name]))
    return builder.filter(Filter.ascii_fold()).build()


def query_terms(query: str, languages: Iterable[str]) -> list[tuple[str, str]]:
    """Return the terms of a query, each once with the name of its analyzer.

    >>> query_terms("Ferries to Ålesund", ["en", "pl"])[1:4]
    [('en', 'to'), ('en', 'alesund'), ('other', 'ferries')]
    """
    return [
        (name, term)
        for name in dict.fromkeys(analyzer_name(language) for language in languages)
        for term in list(dict.fromkeys(analyzer(name).analyze(query)))[:_MAX_TERMS]
    ]


def searched_words(passage: CorpusPassage) -> str:
    """Return the words by which a passage is found: its title and its text."""
    return f"{encodable(passage.title)}\n{passage.text}" if passage.title else passage.text


class WordHit(NamedTuple):
    """A passage that was found: its number, its document, its score and its address in the index."""

    number: int
    document: int
    score: float
    address: Any


class PassageStore(Protocol):
    """Finds passages by their words. `number` identifies a passage, `document` its document.

    The documents stay in the catalog of the index, which decides what is live. So a store needs no
    transactions: passages whose document is not live are never shown, and the next update removes them. All
    methods raise `StoreError` if the store cannot be reached, read or written.
    """

    def __len__(self) -> int: ...

    def reload(self) -> None:
        """Search what was committed last."""
        return

    def search(
        self, query: str, n: int, languages: Iterable[str], documents: Collection[int] | None = None
    ) -> list[WordHit]:
        """Return the passages with the `n` best BM25 scores, of these documents if they are given."""

    def at(self, numbers: Sequence[int]) -> list[WordHit]:
        """Return the passages with these numbers that are still there, in any order."""

    def between(self, first: int, end: int) -> list[WordHit]:
        """Return the passages with numbers from `first` up to, but without, `end`."""

    def record(self, hit: WordHit) -> bytes:
        """Return the stored record of a passage."""

    def writing(self) -> AbstractContextManager[Self]:
        """Open the store for the methods below; only one process can at a time."""

    def add(self, passages: Iterable[CorpusPassage], first: int, document: int) -> None:
        """Add the passages of a document; they are numbered from `first` on."""

    def remove(self, documents: Collection[int]) -> None:
        """Remove the passages of these documents."""

    def commit(self) -> None:
        """Return when everything since the last commit is stored, and visible at once."""

    def compact(self, live: LiveDocuments) -> bool:
        """Remove what stays of passages that are gone, if it is much; return whether that was done."""
        return False

    def close(self) -> None:
        """Close the connection; files are closed with the object."""
        return


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
