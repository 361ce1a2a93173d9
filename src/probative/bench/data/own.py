"""Our own documents with questions and claims about them, which nothing is trained on.

They were written by hand for this purpose. `bench/own/*.jsonl` has documents in six genres; the example
corpus has documents in nine formats about one invented place. A question without answers is one that no
document answers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from probative.bench.data.files import as_records, read_lines, read_records
from probative.corpus.corpus import Corpus
from probative.corpus.documents.document import Citation
from probative.corpus.documents.passages import find_quote
from probative.errors import InputError
from probative.types import Passage

FOLDER = Path(__file__).parent.parent / "own"
HOSTILE = FOLDER / "hostile.jsonl"
"""A hundred and twenty hostile computations that were blind once, and shaped what came after."""
BLIND = FOLDER / "blind.jsonl"
"""Sixty more, and forty questions whose answers a passage states, by an author who knew nothing of the code.

Their ids begin with C."""
CHUNK = 3
CORPUS_FOLDER = "corpus"
"""The folder of the example corpus in the data folder."""


@dataclass(frozen=True)
class OwnDocument:
    """A text of 15 to 30 sentences."""

    id: str
    genre: str
    title: str
    sentences: tuple[str, ...]

    @property
    def text(self) -> str:
        """The sentences as one text."""
        return " ".join(self.sentences)


@dataclass(frozen=True)
class OwnQuestion:
    """A question about a document, every accepted answer (none: unanswerable), and the gold sentences.

    `kind` is one (sentence), two (sentences), compare, count, yes-no or none. `wrong` is a wrong answer of
    the same type (empty: unanswerable).
    """

    id: str
    document: str
    question: str
    answers: tuple[str, ...]
    gold: tuple[int, ...]
    kind: str
    wrong: str = ""


@dataclass(frozen=True)
class OwnClaim:
    """A claim about a document, its verdict, and the sentences that decide it."""

    id: str
    document: str
    claim: str
    verdict: str
    gold: tuple[int, ...]


@dataclass(frozen=True)
class ComputedQuestion:
    """A question whose answer is computed from stated values, and every accepted answer (none: not settled).

    `hostile`: a tempting wrong value stands beside the right one; `trap` says how.
    """

    id: str
    form: str
    hostile: bool
    question: str
    passages: tuple[Passage, ...]
    accept: tuple[str, ...]
    trap: str = ""


@dataclass(frozen=True)
class LanguageRow:
    """A question or a claim in another language, with its passages.

    Of a question, `answer` and `accept` are the accepted answers (none: unanswerable); `translated`: it is
    asked in English, and the passages are in `language`. Of a claim, `verdict` is the right one.
    """

    id: str
    language: str
    task: Literal["question", "claim"]
    passages: tuple[Passage, ...]
    question: str = ""
    claim: str = ""
    answer: str | None = None
    accept: tuple[str, ...] = ()
    translated: bool = False
    verdict: str = ""

    @property
    def answers(self) -> tuple[str, ...]:
        """Every accepted answer."""
        return () if self.answer is None else (self.answer, *self.accept)


def read_languages() -> list[LanguageRow]:
    """Return the questions and claims in other languages."""
    return read_records(FOLDER / "languages.jsonl", LanguageRow)


def read_computed(file: Path = FOLDER / "computed.jsonl") -> list[ComputedQuestion]:
    """Return the questions whose answers are computed.

    >>> len(read_computed()) >= 100
    True
    """
    return read_records(file, ComputedQuestion)


def read_documents() -> dict[str, OwnDocument]:
    """Return the documents by id.

    >>> len(read_documents())
    12
    """
    return {document.id: document for document in read_records(FOLDER / "documents.jsonl", OwnDocument)}


def read_own_questions() -> list[OwnQuestion]:
    """Return the questions."""
    return read_records(FOLDER / "questions.jsonl", OwnQuestion)


def read_own_claims() -> list[OwnClaim]:
    """Return the claims."""
    return read_records(FOLDER / "claims.jsonl", OwnClaim)


def whole(document: OwnDocument) -> tuple[Passage, ...]:
    """Return a document as a single passage."""
    return (Passage(text=document.text, title=document.title, source=document.id),)


def chunks(documents: dict[str, OwnDocument], genre: str) -> tuple[Passage, ...]:
    """Return all documents of a genre in chunks of three sentences."""
    return tuple(
        piece for document in documents.values() if document.genre == genre for piece in _cut(document)
    )


def _cut(document: OwnDocument) -> Iterator[Passage]:
    for first in range(0, len(document.sentences), CHUNK):
        text = " ".join(document.sentences[first : first + CHUNK])
        yield Passage(text=text, title=document.title, source=document.id)


@dataclass(frozen=True)
class Quote:
    """Words of a document."""

    source: str
    quote: str


@dataclass(frozen=True)
class CorpusQuestion:
    """A question over the example corpus, every accepted answer (none: unanswerable), and the quotes that
    answer it; where the documents disagree, `other_gold` are those of the other side.
    """

    id: str
    kind: str
    question: str
    answers: tuple[str, ...]
    gold: tuple[Quote, ...]
    other_gold: tuple[Quote, ...] = ()


def read_corpus_questions(data: Path) -> list[CorpusQuestion]:
    """Return the questions over the example corpus."""
    rows = list(read_lines(data / "corpus-questions.jsonl"))
    for row in rows:
        row["answers"] = [] if row["answer"] is None else [row["answer"], *row["aliases"]]
    return as_records(rows, CorpusQuestion)


def places(corpus: Corpus, quotes: Iterable[Quote]) -> list[Citation]:
    """Return the place of each quote; raises `InputError` if its document does not have it."""
    cited = []
    for quote in quotes:
        document = corpus.document(quote.source)
        span = find_quote(document, quote.quote)
        if span is None:
            raise InputError(f"{quote.source} does not say {quote.quote!r}")
        cited.append(Citation.of(document, *span))
    return cited


def is_within(citation: Citation, citations: Iterable[str]) -> bool:
    """Return whether a citation overlaps one of these citations: a long quote may have two sentences.

    >>> is_within(Citation(source="a.txt", start=20, end=40), ["a.txt#char=30,90"])
    True
    """
    return any(
        cited.source == citation.source and cited.start < citation.end and citation.start < cited.end
        for cited in map(Citation.parse, citations)
    )
