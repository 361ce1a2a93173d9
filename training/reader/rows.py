"""A question or a claim with its evidence, in one form for all sources."""

from __future__ import annotations

from dataclasses import dataclass

from probative.bench.splits import Part, plain_words
from probative.types import Passage


@dataclass(frozen=True)
class Triple:
    """A fact in the annotators' words, and the place of the sentence that says it (-1: none was found)."""

    head: str
    relation: str
    tail: str
    place: int


@dataclass(frozen=True)
class Row:
    """A question, its answer (None where the sentences do not hold one), and its sentences.

    `gold` are the places of those that carry the answer. `prose` says that the sentences are one text, whose
    order and neighbourhood matter; `needs_all`, that without any one gold page nobody could answer.
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
        return tuple(self.sentences[place] for place in self.gold)

    @property
    def others(self) -> tuple[Passage, ...]:
        """The sentences that are not gold."""
        gold = set(self.gold)
        return tuple(one for place, one in enumerate(self.sentences) if place not in gold)


@dataclass(frozen=True)
class Claim:
    """A statement, whether its evidence bears it out (yes) or speaks against it (no), and that evidence.

    `beside` are sentences of the same page that share no word with the statement but the page's own name.
    """

    text: str
    label: str
    evidence: tuple[Passage, ...]
    topic: str
    source: str
    part: Part
    beside: tuple[Passage, ...] = ()


def stands_in(answer: str, passages: tuple[Passage, ...]) -> bool:
    """Whether the words of an answer stand in a text, one after another, or the answer is yes or no.

    >>> stands_in("the Pier", (Passage(text="It left from the pier."),)), stands_in("yes", ())
    (True, True)
    """
    low = plain_words(answer)
    if low in ("yes", "no"):
        return True
    return bool(low) and any(f" {low} " in f" {plain_words(passage.whole)} " for passage in passages)
