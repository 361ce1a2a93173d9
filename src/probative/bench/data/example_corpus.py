"""The example corpus: documents in nine formats about one invented place, and questions about them.

A question has the quotes that answer it; where the documents disagree, also those of the other side. A
question without answers is one that no document answers.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from probative.bench.data.files import read_lines
from probative.corpus.corpus import Corpus
from probative.corpus.documents.citation import Citation
from probative.corpus.documents.passages import find_quote
from probative.errors import InputError

QUESTIONS = "corpus-questions.jsonl"
FOLDER = "corpus"


@dataclass(frozen=True)
class Quote:
    """Words of a document."""

    source: str
    quote: str


@dataclass(frozen=True)
class CorpusQuestion:
    """A question over the corpus, every accepted answer (none: unanswerable), and what answers it."""

    id: str
    kind: str
    question: str
    answers: tuple[str, ...]
    gold: tuple[Quote, ...]
    other_gold: tuple[Quote, ...] = ()


def read_corpus_questions(data: Path) -> list[CorpusQuestion]:
    """Return the questions."""
    return [_question(row) for row in read_lines(data / QUESTIONS)]


def _question(row: dict[str, Any]) -> CorpusQuestion:
    answers = () if row["answer"] is None else (row["answer"], *row["aliases"])
    return CorpusQuestion(
        id=row["id"],
        kind=row["kind"],
        question=row["question"],
        answers=answers,
        gold=tuple(Quote(**quote) for quote in row["gold"]),
        other_gold=tuple(Quote(**quote) for quote in row.get("other_gold", ())),
    )


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


def is_within(place: Citation, citations: Iterable[str]) -> bool:
    """Return whether a place overlaps one of these citations: a long quote may have two sentences.

    >>> is_within(Citation(source="a.txt", start=20, end=40), ["a.txt#char=30,90"])
    True
    """
    return any(
        cited.source == place.source and cited.start < place.end and place.start < cited.end
        for cited in map(Citation.parse, citations)
    )
