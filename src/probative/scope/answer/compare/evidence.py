"""The sentences of a chain that are about one thing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from probative.scope.run import Run, sentences_of
from probative.text.analyzer import TextAnalyzer
from probative.text.names import mentions, without_brackets
from probative.text.words import words
from probative.types import Passage

# How many sentences behind a mention of a name still count as being about it.
MAX_BEHIND = 2


@dataclass(frozen=True)
class ChainSentence:
    """A sentence of the chain, the title of its passage, and the index of the passage in the pool."""

    text: str
    title: str | None
    index: int

    def as_passage(self) -> Passage:
        """Return the sentence as the reader sees it."""
        return Passage(text=self.text, title=self.title)


@dataclass(frozen=True)
class ChainEvidence:
    """The chain, sentence by sentence."""

    passages: tuple[tuple[int, Passage], ...]
    analyzer: TextAnalyzer

    @cached_property
    def sentences(self) -> tuple[ChainSentence, ...]:
        """Every sentence of the chain."""
        return tuple(
            ChainSentence(text, passage.title, index)
            for index, passage in self.passages
            for text in sentences_of(self.analyzer.plain_eras(passage.text))
        )

    @property
    def titles(self) -> list[str]:
        """The titles of the chain."""
        return [passage.title for _, passage in self.passages if passage.title]

    def about(self, name: str, others: Sequence[str] = ()) -> list[ChainSentence]:
        """Return the sentences about a name: those of its page, or those that mention it and the
        `MAX_BEHIND` sentences behind each, up to one that mentions one of the `others`. None if two pages
        have this name.
        """
        low = plain_name(name)
        own = [entry for entry in self.sentences if entry.title and plain_name(entry.title) == low]
        if own:
            return own if len({entry.title for entry in own}) == 1 else []
        about: list[ChainSentence] = []
        within: int | None = None
        behind = 0
        for entry in self.sentences:
            behind += 1
            if _names(entry.text, low) or (entry.title and mentions(entry.title, low)):
                within, behind = entry.index, 0
            elif (
                within != entry.index
                or behind > MAX_BEHIND
                or any(_names(entry.text, plain_name(other)) for other in others)
            ):
                within = None
            if within is not None:
                about.append(entry)
        return about


def chain_evidence(run: Run, chain: Sequence[int]) -> ChainEvidence:
    """Return the sentences of a chain."""
    return ChainEvidence(tuple(zip(chain, run.passages_at(chain), strict=True)), run.analyzer)


def plain_name(name: str) -> str:
    """Return a name in lower case, without brackets at its end and without an article.

    >>> plain_name("The Sea Lark (ketch)")
    'sea lark'
    """
    low = without_brackets(name).lower().strip()
    return low.removeprefix("the ").removeprefix("a ").removeprefix("an ")


def _names(text: str, low: str) -> bool:
    """Return whether a sentence names something: by its name or, for a name of several words, by all."""
    if mentions(text, low):
        return True
    parts = words(low)
    return len(parts) > 1 and set(parts) <= set(words(text))
