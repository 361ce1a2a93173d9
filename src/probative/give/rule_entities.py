"""Entities and relations of a question by rules, for a model that cannot be trusted to name them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from probative.give.query import Query
from probative.graph.graph import Graph
from probative.text import english
from probative.text.names import distinct
from probative.text.words import words


class Vocabulary(NamedTuple):
    """The names of a graph: whether it has an entity of a name, and its relations by the stems of their
    words.
    """

    has: Callable[[str], bool]
    relations: Mapping[tuple[str, ...], str]

    def spelled(self, relation: str) -> str:
        """Return a relation in the case that the graph uses, if it has it."""
        spelling = self.relations.get(tuple(words(relation)), relation)
        return spelling if spelling.casefold() == relation.casefold() else relation

    @classmethod
    def of(cls, graph: Graph) -> Vocabulary:
        """Return the vocabulary of a graph."""
        return cls(
            lambda name: graph.find(name) is not None,
            {tuple(words(name)): name for name in graph.relations if words(name)},
        )


def rule_entities(query: Query, vocabulary: Vocabulary) -> list[str]:
    """Return the entities of a question, those with the most words first, and its choices, those that the
    graph has first. Two of the question's own come before the choices.

    >>> from probative.give.query import make_query
    >>> empty = Vocabulary(lambda name: False, {})
    >>> rule_entities(make_query("Does the harbour wall influence storm damage?"), empty)
    ['harbour wall', 'storm damage']
    """
    named = english.find_entities(query.text, vocabulary.has, vocabulary.relations)
    choices = sorted(query.choices, key=lambda name: not vocabulary.has(name))
    return distinct([*named[:2], *choices, *named[2:]])


def rule_relations(question: str, vocabulary: Vocabulary) -> list[str]:
    """Return the relations of a question, by the graph's name for them where it has one.

    >>> graph = Vocabulary(lambda name: False, {("eas",): "eases"})
    >>> rule_relations("Is melatonin effective for insomnia?", graph)
    ['effective for']
    >>> rule_relations("Does tea ease a cough?", graph)
    ['eases']
    """
    return english.find_relations(question, vocabulary.relations)
