"""The corpus of `ask`: opened for a call, the question in the language of its documents, and the places of
what the answer rests on.

The embedded models translate too weakly and are not asked.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from probative.corpus.documents.document import Citation, reader_of
from probative.corpus.documents.passages import CorpusPassage, locate
from probative.corpus.documents.places import Place
from probative.engine.methods import Tools
from probative.engine.search import Search, generate_or_empty
from probative.errors import EmptyError, InputError
from probative.models.contract import Capability
from probative.models.types import Request
from probative.scope.result import ChainPassage, CitedSentence, Conflict
from probative.scope.run import fill_prompt
from probative.text.sentences import detect_language
from probative.types import Passage
from probative.verbs.spec import Host
from probative.verdict.languages import NAMES

if TYPE_CHECKING:
    from probative.corpus.corpus import Corpus
    from probative.corpus.documents.document import Document


@contextmanager
def opened_corpus(
    corpus: Corpus | str | Path | None, host: Host, *, background: bool = False
) -> Iterator[Corpus | None]:
    """Yield the corpus; one that is given as a path is opened, brought up to date, and closed at the end.

    With `background`, the vectors of a large folder need not be complete; several cases are searched alike.
    A dry run searches words alone, so that no encoder is opened.
    """
    if corpus is None:
        yield None
        return
    from probative.corpus.corpus import Corpus

    if isinstance(corpus, Corpus):
        yield corpus
    elif isinstance(corpus, str | Path):
        vectors, settings = not host.dry_run, host.settings
        with Corpus.open(corpus, background=background, vectors=vectors, settings=settings) as opened:
            yield opened
    else:
        raise InputError(
            f"a corpus must be a folder, an index or a Corpus, got {type(corpus).__name__}",
            hint="give any other retriever as retriever=…",
        )


class Places:
    """Finds the place of each piece of a chain in its document.

    `passages` are those of the run, by index. Without a corpus, only what the passages say is known.
    """

    def __init__(self, passages: Sequence[Passage], corpus: Corpus | None) -> None:
        self._passages = passages
        self._corpus = corpus
        self._document = cache(self._read)

    def chain(self, pieces: Sequence[ChainPassage]) -> tuple[ChainPassage, ...]:
        """Return the pieces of a chain with page and citation, where these are known."""
        return tuple(self._with_citation(piece) for piece in pieces)

    def cited(
        self, sentences: Sequence[CitedSentence], chain: Sequence[ChainPassage]
    ) -> tuple[CitedSentence, ...]:
        """Return the cited sentences with their citations, where these are known."""
        return tuple(self._cited(sentence, chain) for sentence in sentences)

    def conflicts(self, conflicts: Sequence[Conflict]) -> tuple[Conflict, ...]:
        """Return the conflicts with the citations of both sentences, where these are known."""
        return tuple(
            conflict.model_copy(
                update={
                    "citation": self._place(conflict.index, conflict.text),
                    "other_citation": self._place(conflict.other, conflict.other_text),
                }
            )
            for conflict in conflicts
        )

    def retrieved(self) -> tuple[str, ...]:
        """Return the citations of all passages of the corpus, in their order."""
        return tuple(
            passage.id
            for passage in self._passages
            if isinstance(passage, CorpusPassage) and passage.id is not None
        )

    def _with_citation(self, piece: ChainPassage) -> ChainPassage:
        passage = self._passages[piece.index]
        if not isinstance(passage, CorpusPassage) or piece.start is None or piece.end is None:
            return piece
        assert passage.source is not None
        document = self._document(passage.source)
        if document is None:
            citation = Citation.at(Place(page=passage.page), passage.source, piece.start, piece.end)
        else:
            citation = Citation.of(document, piece.start, piece.end)
        place = {"page": citation.page, "citation": str(citation), "read_by": reader_of(passage.metadata)}
        return piece.model_copy(update=place)

    def _cited(self, sentence: CitedSentence, chain: Sequence[ChainPassage]) -> CitedSentence:
        for piece in chain:
            if piece.index != sentence.index or piece.citation is None or piece.source is None:
                continue
            citation = self._find(piece.source, sentence.text, piece.start, piece.end)
            if citation is not None:
                return sentence.model_copy(update={"citation": citation})
        return sentence

    def _place(self, index: int, text: str) -> str | None:
        """Return the citation of a sentence of a passage; None if it is not of a corpus."""
        passage = self._passages[index]
        if not isinstance(passage, CorpusPassage) or passage.source is None:
            return None
        return self._find(passage.source, text, passage.start, passage.end)

    def _find(self, source: str, text: str, start: int | None, end: int | None) -> str | None:
        document = self._document(source)
        span = document and locate(text, document.text, start or 0, end)
        return None if document is None or span is None else str(Citation.of(document, *span))

    def _read(self, source: str) -> Document | None:
        if self._corpus is None:
            return None
        try:
            return self._corpus.document(source)
        except InputError:  # removed by an update in the meantime
            return None


MIN_SHARE = 0.1
"""The least share of documents in another language for which a question is translated."""
TOKENS = 120


def language_to_search(question: str, languages: Mapping[str, int]) -> str | None:
    """Return the most frequent language of the documents, counted by language, other than the question's.

    >>> language_to_search("Who built the bridge?", {"en": 80, "de": 20})
    'de'
    >>> language_to_search("Who built the bridge?", {"en": 99, "de": 1}) is None
    True
    """
    asked = detect_language(question)
    others = {code: count for code, count in languages.items() if code != asked}
    most = max(others, key=others.__getitem__, default="")
    return most if most and others[most] >= MIN_SHARE * sum(languages.values()) else None


def translate(question: str, language: str, tools: Tools) -> Search[str | None]:
    """Return the question in another language, written by the model; None if it cannot write that."""
    model = tools.model
    if Capability.GENERATE not in model.capabilities or model.name.startswith("embedded"):
        return None
    prompt = fill_prompt("translate", language=NAMES.get(language, language), question=question)
    (reply,) = yield from generate_or_empty([Request.user(prompt, max_tokens=TOKENS)], step="translate")
    return None if isinstance(reply, EmptyError) else reply.text.strip() or None
