"""Questions with true and false passages: RGB (`rgb/en_fact.json`) and PoisonedRAG (`poisonedrag/*.json`)."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from probative.bench.data.files import read_json, read_lines

POISONED = ("nq", "msmarco")


class ConflictCase(NamedTuple):
    """A question with true passages, followed by false ones."""

    question: str
    true: tuple[str, ...]
    false: tuple[str, ...]


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
