"""The features of a question (intent, nodes, relations between nodes), and which passage carries which."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal, NamedTuple

from pydantic import model_validator

from probative.types import Value

FeatureKind = Literal["intent", "node", "relation"]
Strengths = list[list[float]]
"""For each passage and feature, from 0 to 1, how surely the passage carries the feature."""


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
    """The features, and how surely each judged passage carries each of them. `relevance` says how well a
    passage fits the whole question, if the judge knows it.
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
