"""What the rules of a language return: spans, dates, topics and hops, and what a claim compares."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple

from probative.text.quantities import Quantity
from probative.text.words import words

AnswerKind = Literal["person", "place", "date", "number", "yes-no", "choice", "name", "any"]
"""What sort of answer a question asks for."""
RelationMatch = Literal["same", "denied"]
"""Whether a relation of a graph is the asked one, or its denial ("does not ease")."""
EqualNames = Sequence[Sequence[str]]
"""Groups of relations that the user declared equal."""
Role = Literal["agent", "patient"]
"""Whether an entity acts in a question, or is acted on."""
PlaceKind = Literal["town", "region", "country", "continent", "place"]
"""Kinds of places; "place" for all others, such as rivers."""
ImpliedKind = Literal["person", "place"]
"""What a relation can show its head or tail to be."""
Polarity = Literal["yes", "no", "maybe"]
ANSWER = "{answer}"
"""Stands in a part of a question for the answer of the part before it."""


class ClaimPart(NamedTuple):
    """A part of a sentence that claims something by itself: its characters, and it as a sentence."""

    start: int
    end: int
    text: str


class Span(NamedTuple):
    """A piece of a text with the characters that it covers."""

    text: str
    start: int
    end: int


class QuantitySpan(NamedTuple):
    """A quantity in a text: its characters, and the up to four words that follow it ("seats for guests")."""

    quantity: Quantity
    text: str
    start: int
    end: int
    counted: str = ""


class Hop(NamedTuple):
    """Words of a question that name a relation, and the graph's relations that they name; none if the graph
    has no such relation.

    `role` says which part the entity plays that the hop starts from, where the words tell it: in "the
    employer of Ole", Ole is the one who is employed.
    `is_asked`: the words only say what the answer is ("Which inventor …?").
    """

    text: str
    start: int
    end: int
    relations: frozenset[str]
    is_noun: bool = False
    role: Role | None = None
    is_asked: bool = False


class HopStep(NamedTuple):
    """A hop on the way from an entity to the answer: the role of what it starts from, whether its verb is
    passive, and the noun for what it leads to ("the town where …").
    """

    hop: Hop
    role: Role | None
    is_passive: bool = False
    noun: str = ""

    @property
    def is_noun(self) -> bool:
        """Whether the hop is a noun."""
        return self.hop.is_noun


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
