"""An answer with the passages that it rests on, and how both are found in a text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from probative.scope.run import Run
from probative.text import english
from probative.text.words import words
from probative.types import Passage

# The largest number of spans to pick from, those of the first passages first: each costs a small model a
# reading of the chain.
MAX_CANDIDATES = 12


class ParsedAnswer(NamedTuple):
    """An answer, or None if there is none, and the indexes of the passages that it rests on."""

    text: str | None
    citations: tuple[int, ...]


NO_ANSWER = ParsedAnswer(None, ())


class Candidate(NamedTuple):
    """An answer that the reader may give, and its probability."""

    text: str
    probability: float


@dataclass(frozen=True)
class Reading:
    """An answer, and how surely the passages contain one: 1 − P(unknown), if the model can say it.

    A `forced` answer was not found there by the reader. `declined`: the reader said that there is none.
    `candidates` are the answers that the reader may give, the most probable first, if it tells them.
    """

    answer: ParsedAnswer
    answerable: float | None = None
    forced: bool = False
    declined: bool = False
    candidates: tuple[Candidate, ...] = ()

    @property
    def best(self) -> str | None:
        """The answer, or what would be the answer if the reader had not declined."""
        if self.answer.text is not None:
            return self.answer.text
        return self.candidates[0].text if self.candidates else None


def answer_candidates(run: Run, chain: Sequence[int]) -> list[str]:
    """Return the spans of the chain, its titles included, that could answer the question."""
    passages = run.passages_at(chain)
    question = run.question.parsed
    candidates = english.answer_candidates([passage.text for passage in passages], question)
    if question.kind in ("person", "place", "name"):
        titles = dict.fromkeys(passage.title for passage in passages if passage.title)
        candidates += [
            title for title in titles if title not in candidates and not set(words(title)) <= question.words
        ]
    return candidates[:MAX_CANDIDATES]


def first_of(options: Sequence[str], text: str) -> str | None:
    """Return the option that comes first in a text; of several at one position the longest.

    >>> first_of(["Berg", "Ada Berg", "Molde"], "It was Ada Berg, of Molde.")
    'Ada Berg'
    """
    plain = f" {_plain(text)} "
    positions = [(plain.find(f" {_plain(option)} "), -len(option), option) for option in options]
    present = [entry for entry in positions if entry[0] >= 0]
    return min(present)[2] if present else None


def holding(run: Run, answer: str, chain: Sequence[int]) -> list[int]:
    """Return the passages of the chain that contain the words of an answer; all of them for yes and no."""
    return [chain[row] for row in rows_holding(answer, run.passages_at(chain))]


def rows_holding(answer: str, passages: Sequence[Passage]) -> list[int]:
    """Return the rows of the passages that contain the words of an answer; all rows for yes and no.

    >>> rows_holding("Molde", [Passage(text="Gulls nest."), Passage(text="Built in Molde.")])
    [1]
    """
    wanted = set(words(answer))
    if not wanted or answer.lower() in ("yes", "no"):
        return list(range(len(passages)))
    return [row for row, passage in enumerate(passages) if wanted <= set(words(passage.whole))]


def cited(run: Run, answer: str, chain: Sequence[int]) -> ParsedAnswer:
    """Return an answer that rests on the passages that contain it, or on the whole chain."""
    return ParsedAnswer(answer, tuple(holding(run, answer, chain)) or tuple(chain))


def _plain(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.lower()))
