"""What the rules of a language return: spans, values, and the features of a question."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple

from probative.text.words import words

AnswerKind = Literal["person", "place", "date", "number", "yes-no", "choice", "name", "any"]
"""What sort of answer a question asks for."""


class Span(NamedTuple):
    """A piece of a text with the characters that it covers."""

    text: str
    start: int
    end: int


class SpanRelation(NamedTuple):
    """The words of a question that connect two of its nodes."""

    head: str
    predicate: str
    tail: str


@dataclass(frozen=True)
class ParsedQuestion:
    """A question as the rules of its language read it."""

    text: str
    intent: str
    kind: AnswerKind
    nodes: tuple[Span, ...] = ()
    relations: tuple[SpanRelation, ...] = ()

    @cached_property
    def words(self) -> frozenset[str]:
        """The content words of the question."""
        return frozenset(words(self.text))

    @property
    def names(self) -> list[str]:
        """The nodes that are names."""
        return [node.text for node in self.nodes if node.text[:1].isupper()]


class Values(NamedTuple):
    """The dates, numbers and names in a sentence."""

    dates: frozenset[str]
    numbers: frozenset[str]
    names: tuple[str, ...]
