"""Questions with true and false passages: RGB (`rgb/en_fact.json`) and PoisonedRAG (`poisonedrag/*.json`)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice, product
from pathlib import Path
from typing import NamedTuple

from probative.bench.data.files import read_json, read_lines

POISONED = ("nq", "msmarco")
# Of an answer with several parts, each with several spellings, as many combinations are accepted.
MAX_SPELLINGS = 64


class ConflictCase(NamedTuple):
    """A question with true passages, followed by false ones."""

    question: str
    true: tuple[str, ...]
    false: tuple[str, ...]


def accepted_answers(answer: str | Sequence[str | Sequence[str]]) -> tuple[str, ...]:
    """Return the accepted spellings of an answer of RGB: a text; or the parts of the answer, each a text or a
    list of spellings. Several parts are joined with commas.

    >>> accepted_answers("Molde"), accepted_answers([["3 May", "May 3"]])
    (('Molde',), ('3 May', 'May 3'))
    >>> accepted_answers(["Ada", ["Bo", "Bob"]])
    ('Ada, Bo', 'Ada, Bob')
    """
    if isinstance(answer, str):
        return (answer,)
    parts = [[part] if isinstance(part, str) else part for part in answer]
    return tuple(", ".join(spelled) for spelled in islice(product(*parts), MAX_SPELLINGS))


def read_rgb(file: Path) -> list[ConflictCase]:
    """Return RGB's questions. A false passage that repeats a true one is left out."""
    return [
        ConflictCase(
            question=row["query"],
            true=tuple(row["positive"]),
            false=tuple(text for text in row["positive_wrong"] if text not in row["positive"]),
        )
        for row in read_lines(file)
    ]


def read_poisoned(file: Path) -> list[ConflictCase]:
    """Return PoisonedRAG's questions, which have only false passages."""
    return [
        ConflictCase(question=row["question"], true=(), false=tuple(row["adv_texts"]))
        for row in read_json(file).values()
    ]
