"""The features of a question: its intent, its nodes, and the relations between them."""

from __future__ import annotations

from typing import Literal, NamedTuple

from pydantic import model_validator

from probative.types import Value

FeatureKind = Literal["intent", "node", "relation"]


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
        known = {node.text for node in self.nodes}
        for relation in self.relations:
            if relation.head not in known or relation.tail not in known:
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
