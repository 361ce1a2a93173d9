"""Documents in many genres, written by hand to fit the certainty on, with answerable and other questions.

A file in `documents/` has its genre and title, one sentence on each line, questions with their accepted
answers ("? question = answer | answer"), and questions that the document does not answer ("! question").
Neither the reader nor the verdict model was trained on them, and no figure is reported on them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Literal

from probative.bench.data.questions import Question
from probative.types import Passage
from training.certainty.paragraphs import NO_ANSWER

Shape = Literal["documents", "chunks"]
CHUNK = 3


@dataclass(frozen=True)
class Document:
    """A text with questions about it; a question without answers is one that it does not answer."""

    name: str
    genre: str
    title: str
    sentences: tuple[str, ...]
    questions: tuple[tuple[str, tuple[str, ...]], ...]

    def whole(self) -> tuple[Passage, ...]:
        """Return the document as one passage."""
        return (Passage(text=" ".join(self.sentences), title=self.title),)

    def chunks(self) -> tuple[Passage, ...]:
        """Return the document in chunks of three sentences."""
        return tuple(
            Passage(text=" ".join(self.sentences[first : first + CHUNK]), title=self.title)
            for first in range(0, len(self.sentences), CHUNK)
        )


@cache
def read_documents() -> tuple[Document, ...]:
    """Return all documents, ordered by name."""
    folder = files("training.certainty") / "documents"
    entries = sorted(folder.iterdir(), key=lambda entry: entry.name)
    return tuple(parse(entry.name, entry.read_text(encoding="utf-8")) for entry in entries)


def parse(name: str, text: str) -> Document:
    r"""Return the document that a file describes.

    >>> parse("pier", "genre news\ntitle Pier\nIt burned.\n? What burned? = pier | it\n! Why?\n").questions
    (('What burned?', ('pier', 'it')), ('Why?', ()))
    """
    genre, title, *lines = text.splitlines()
    questions: list[tuple[str, tuple[str, ...]]] = []
    for line in lines:
        if line.startswith("? "):
            question, _, answers = line[2:].partition(" = ")
            questions.append((question, tuple(answer.strip() for answer in answers.split(" | "))))
        elif line.startswith("! "):
            questions.append((line[2:], ()))
    sentences = tuple(line for line in lines if line and line[:2] not in ("? ", "! "))
    return Document(
        name, genre.removeprefix("genre "), title.removeprefix("title "), sentences, tuple(questions)
    )


def document_questions(shape: Shape) -> list[Question]:
    """Return the questions over their whole document, or over the chunks of all documents of its genre."""
    return list(_questions(read_documents(), shape))


def accepted_answers() -> dict[str, tuple[str, ...]]:
    """Return the accepted answers of each question by its id."""
    return {
        f"{document.name}-{number}": answers
        for document in read_documents()
        for number, (_, answers) in enumerate(document.questions)
    }


def _questions(documents: Sequence[Document], shape: Shape) -> Iterator[Question]:
    for document in documents:
        alike = [other for other in documents if other.genre == document.genre]
        chunks = tuple(piece for other in alike for piece in other.chunks())
        for number, (text, answers) in enumerate(document.questions):
            yield Question(
                id=f"{document.name}-{number}",
                text=text,
                answer=answers[0] if answers else NO_ANSWER,
                kind="span" if answers else "none",
                passages=document.whole() if shape == "documents" else chunks,
                gold=frozenset(),
            )
