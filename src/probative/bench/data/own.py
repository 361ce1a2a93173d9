"""Our own documents in six genres, with questions and claims about them, which nothing is trained on.

They were written by hand for this purpose (`bench/own/*.jsonl`). A question without answers is one that its
document, and the other document of the genre, do not answer.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from probative.bench.data.files import read_lines
from probative.bench.metrics import answer_f1, normalise_answer
from probative.types import Passage

FOLDER = Path(__file__).parent.parent / "own"
CHUNK = 3
_NUMBER = re.compile(
    r"\d+|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|half|no|not|yes)\b"
)


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


def read_computed(file: Path = FOLDER / "computed.jsonl") -> list[ComputedQuestion]:
    """Return the questions whose answers are computed.

    >>> len(read_computed()) >= 100
    True
    """
    return [
        ComputedQuestion(
            row["id"],
            row["form"],
            row["hostile"],
            row["question"],
            tuple(Passage(**passage) for passage in row["passages"]),
            tuple(row["accept"]),
            row["trap"],
        )
        for row in read_lines(file)
    ]


def read_documents() -> dict[str, OwnDocument]:
    """Return the documents by id.

    >>> len(read_documents())
    12
    """
    rows = (_tuples(row) for row in read_lines(FOLDER / "documents.jsonl"))
    return {row["id"]: OwnDocument(**row) for row in rows}


def read_questions() -> list[OwnQuestion]:
    """Return the questions."""
    return [OwnQuestion(**_tuples(row)) for row in read_lines(FOLDER / "questions.jsonl")]


def read_claims() -> list[OwnClaim]:
    """Return the claims."""
    return [OwnClaim(**_tuples(row)) for row in read_lines(FOLDER / "claims.jsonl")]


def whole(document: OwnDocument) -> tuple[Passage, ...]:
    """Return a document as a single passage."""
    return (Passage(text=document.text, title=document.title, source=document.id),)


def chunks(documents: dict[str, OwnDocument], genre: str) -> tuple[Passage, ...]:
    """Return all documents of a genre in chunks of three sentences."""
    return tuple(
        piece for document in documents.values() if document.genre == genre for piece in _cut(document)
    )


def is_accepted(answer: str, accepted: Sequence[str]) -> bool:
    """Return whether an answer equals an accepted one (case, articles and punctuation aside), contains one,
    or shares most of its words and all its numbers.

    >>> is_accepted("about 90 puffs", ["90"]), is_accepted("18 years old", ["16 years old"])
    (True, False)
    """
    return any(_matches(normalise_answer(answer), normalise_answer(gold)) for gold in accepted)


def _matches(answer: str, gold: str) -> bool:
    if f" {gold} " in f" {answer} ":
        return True
    same_numbers = _NUMBER.findall(answer) == _NUMBER.findall(gold)
    return same_numbers and answer_f1(answer, gold) >= 0.6


def _cut(document: OwnDocument) -> Iterator[Passage]:
    for first in range(0, len(document.sentences), CHUNK):
        text = " ".join(document.sentences[first : first + CHUNK])
        yield Passage(text=text, title=document.title, source=document.id)


def _tuples(row: dict[str, Any]) -> dict[str, Any]:
    return {name: tuple(value) if isinstance(value, list) else value for name, value in row.items()}
