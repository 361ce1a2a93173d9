"""A question with its evidence, or a claim, in one form for all sources."""

from __future__ import annotations

from dataclasses import dataclass

from probative.bench.data.splits import plain_words
from probative.types import Passage
from training.splits import Part


@dataclass(frozen=True)
class Triple:
    """A fact in the annotators' words, and the index of the sentence that states it (-1: unknown)."""

    head: str
    relation: str
    tail: str
    index: int


@dataclass(frozen=True)
class Row:
    """A question, its answer (None where the sentences do not contain one), and its sentences.

    `gold` are the indexes of the sentences that carry the answer. `prose` says that the sentences are one
    text, whose order matters; `needs_all`, that the question cannot be answered without any one of the gold
    pages.
    """

    question: str
    answer: str | None
    sentences: tuple[Passage, ...]
    gold: tuple[int, ...]
    source: str
    part: Part
    kind: str = ""
    prose: bool = False
    needs_all: bool = False
    triples: tuple[Triple, ...] = ()

    @property
    def evidence(self) -> tuple[Passage, ...]:
        """The gold sentences."""
        return tuple(self.sentences[index] for index in self.gold)

    @property
    def others(self) -> tuple[Passage, ...]:
        """The sentences that are not gold."""
        gold = set(self.gold)
        return tuple(sentence for index, sentence in enumerate(self.sentences) if index not in gold)


@dataclass(frozen=True)
class Claim:
    """A statement that some sentences prove or refute."""

    text: str
    source: str
    part: Part


def stands_in(answer: str, passages: tuple[Passage, ...]) -> bool:
    """Return whether a text contains the words of an answer in order, or the answer is yes or no.

    >>> stands_in("the Pier", (Passage(text="It left from the pier."),)), stands_in("yes", ())
    (True, True)
    """
    low = plain_words(answer)
    if low in ("yes", "no"):
        return True
    return bool(low) and any(f" {low} " in f" {plain_words(passage.whole)} " for passage in passages)
