"""The question, checked and parsed once, with its features (intent, nodes, relations between nodes) and which
passage carries which; every later step takes what it needs from here.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal, NamedTuple

from pydantic import model_validator

from probative.errors import InputError
from probative.text import english
from probative.text.analysis import AnswerKind, ParsedQuestion
from probative.text.words import clean, words
from probative.types import Value

FeatureKind = Literal["intent", "node", "relation"]
Strengths = list[list[float]]
"""For each passage and feature, from 0 to 1, how well the passage fits the feature."""
CARRIED, NOT_CARRIED = math.inf, -math.inf
"""The strengths of what was only said or concluded and not measured: above and below every threshold."""


class Node(Value):
    """An entity or detail that the evidence must mention. An `inferred` node is not in the question."""

    text: str
    inferred: bool = False


class Relation(Value):
    """How two nodes are connected: a predicate between them, or a whole sentence about both."""

    head: str
    tail: str
    predicate: str = ""
    description: str = ""

    @property
    def sentence(self) -> str:
        """The relation in words.

        >>> Relation(head="the ferry", predicate="is owned by", tail="Ole Brandt").sentence
        'the ferry is owned by Ole Brandt'
        """
        return self.description or " ".join(
            part for part in (self.head, self.predicate, self.tail) if part.strip()
        )


class Feature(NamedTuple):
    """One thing that evidence may carry: its kind and its text."""

    kind: FeatureKind
    text: str

    @property
    def name(self) -> str:
        """The name of the feature in results.

        >>> Feature("node", "Ole Brandt").name
        'node: Ole Brandt'
        """
        return f"{self.kind}: {self.text}"


class Features(Value):
    """The intent, nodes and relations of a question; every relation joins two of the nodes."""

    intent: str
    nodes: tuple[Node, ...] = ()
    relations: tuple[Relation, ...] = ()

    @model_validator(mode="after")
    def _check(self) -> Features:
        nodes = {node.text for node in self.nodes}
        for relation in self.relations:
            if relation.head not in nodes or relation.tail not in nodes:
                raise ValueError(f"the relation {relation.sentence!r} joins something that is not a node")
        if not self.intent.strip():
            raise ValueError("the intent is empty")
        return self

    def listed(self) -> list[Feature]:
        """Return every feature: the intent, then the nodes, then the relations.

        >>> Features(intent="year", nodes=(Node(text="ferry"),)).listed()
        [Feature(kind='intent', text='year'), Feature(kind='node', text='ferry')]
        """
        return [
            Feature("intent", self.intent),
            *(Feature("node", node.text) for node in self.nodes),
            *(Feature("relation", relation.sentence) for relation in self.relations),
        ]


@dataclass(frozen=True)
class Judgements:
    """The features, and how well each judged passage fits each of them: a share of words, a probability, or
    `CARRIED` and `NOT_CARRIED`. `relevance` says how well it fits the whole question, if the judge knows it.
    """

    features: Features
    strengths: Strengths
    threshold: float = 0.5
    relevance: list[float] = field(default_factory=list)

    @cached_property
    def listed(self) -> list[Feature]:
        """The features in the order of the columns of `strengths`."""
        return self.features.listed()

    @cached_property
    def carried(self) -> list[frozenset[int]]:
        """For each passage the columns of the features that it carries."""
        return [
            frozenset(column for column, value in enumerate(strengths) if value >= self.threshold)
            for strengths in self.strengths
        ]

    def names(self, *rows: int) -> tuple[str, ...]:
        """Return the names of the features that one of these passages carries."""
        covered = frozenset().union(*(self.carried[row] for row in rows))
        return tuple(feature.name for column, feature in enumerate(self.listed) if column in covered)

    def missing(self, rows: Sequence[int]) -> tuple[str, ...]:
        """Return the names of the features that none of these passages carries."""
        covered = frozenset().union(*(self.carried[row] for row in rows))
        return tuple(feature.name for column, feature in enumerate(self.listed) if column not in covered)


@dataclass(frozen=True)
class Question:
    """A question with everything that the rules of its language say about it.

    `parsed` has the kind of answer, the spans of the nodes and what the question compares; `features` are the
    features by rules, even if a model extracts those of the run; `words` are its content words in order.
    """

    text: str
    parsed: ParsedQuestion
    features: Features
    words: tuple[str, ...]

    @property
    def kind(self) -> AnswerKind:
        """The kind of answer that is asked for."""
        return self.parsed.kind

    @property
    def names(self) -> list[str]:
        """The names of the question, without its first word and without lower-case words behind a name."""
        names = []
        for name in self.parsed.names:
            parts = name.split()
            while parts and parts[-1][:1].islower():
                parts.pop()
            if parts and not self.text.startswith(name):
                names.append(" ".join(parts))
        return names


def read_question(text: Any = None) -> Question:
    """Check and parse a question; raises InputError.

    >>> question = read_question("In which harbour was the ferry built that Ole Brandt bought?")
    >>> question.kind, question.features.intent, [node.text for node in question.features.nodes]
    ('place', 'harbour', ['ferry', 'Ole Brandt'])
    """
    if not isinstance(text, str):
        raise InputError(f"a question must be a string, got {type(text).__name__}")
    cleaned = clean(text)
    if not cleaned:
        raise InputError("the question is empty", hint="give a question with at least one content word")
    if not words(cleaned):
        raise InputError(
            "the question names nothing that a passage could contain", hint="name what you ask about"
        )
    parsed = english.parse_question(cleaned)
    return Question(cleaned, parsed, rule_features(parsed), tuple(words(cleaned)))


def rule_features(parsed: ParsedQuestion) -> Features:
    """Return the features of a parsed question.

    >>> parsed = english.parse_question("In which harbour was the ferry built that Ole Brandt bought?")
    >>> [relation.sentence for relation in rule_features(parsed).relations]
    ['ferry built that Ole Brandt']
    """
    return Features(
        intent=parsed.intent,
        nodes=tuple(Node(text=node.text) for node in parsed.nodes),
        relations=tuple(
            Relation(head=head, predicate=predicate, tail=tail) for head, predicate, tail in parsed.relations
        ),
    )
