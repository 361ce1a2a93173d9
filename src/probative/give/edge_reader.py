"""Edges and paths of the graph that bear on a question, and what they state about the asked relation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from probative.give.hops import Hop, find_hops
from probative.give.kinds import KindReader
from probative.give.query import Query
from probative.give.question_words import (
    asked_nouns,
    is_possessive,
    is_proper_name,
    names_literally,
    stems_of,
)
from probative.give.relation_words import (
    RelationMatch,
    is_passive,
    is_symmetric,
    match_relation,
    number_forms,
    passes_on,
    role_of,
    widens,
)
from probative.graph.graph import Graph
from probative.types import Triple

# A hub has thousands of paths; the least connected middles come first.
MAX_PATHS = 200


@dataclass(frozen=True)
class Named:
    """An entity of the question: its words there, its number in the graph, and how near the two are.

    `cosine` is 1 if the graph has the entity itself, and below if another one stands for it.
    """

    words: str
    entity: int
    cosine: float = 1.0


@dataclass(frozen=True)
class Evidence:
    """An edge that states the asked relation or denies it, or a path of two from which that is `inferred`,
    and how near their entities are to those asked about.
    """

    triples: tuple[Triple, ...]
    match: RelationMatch
    nearness: float = 1.0
    inferred: bool = False


@dataclass(frozen=True)
class FactAnswer:
    """An answer and the triples behind it. `strength` is 1 if the graph states it about the asked entities
    themselves, and None if nothing measures it. The answer is `inferred` if no edge states it: it follows
    from a path or by elimination.
    """

    answer: str
    facts: tuple[Triple, ...]
    strength: float | None = 1.0
    inferred: bool = False
    notes: tuple[str, ...] = ()


class EdgeReader:
    """Reads the edges at the entities of one question.

    `asked` are the entities of the question itself, in its order, and `offered` those of its choices. What
    the graph states about one named person or place tells nothing about another: no entity stands for a name.
    """

    def __init__(self, query: Query, graph: Graph, named: Sequence[Named]) -> None:
        self.query, self.graph = query, graph
        named = [name for name in named if name.cosine == 1 or not is_proper_name(query.text, name.words)]
        choices = {choice.casefold() for choice in query.choices}
        self.offered = [name for name in named if name.words.casefold() in choices]
        asked = [name for name in named if name.words.casefold() not in choices]
        position = query.text.casefold().find
        self.asked = sorted(asked, key=lambda name: position(name.words.casefold()))
        self.kinds = KindReader(graph)
        self._words = [name.words for name in asked]
        self._matches: dict[int, RelationMatch | None] = {}

    def match(self, relation: int) -> RelationMatch | None:
        """Return what a relation of the graph says about the asked one; None if it is another.

        "Which river does it lie on?" asks for "lies on", and not for "lies in", if the graph has both.
        """
        if relation not in self._matches:
            name = self.graph.relations[relation]
            match = self._match(name)
            if match == "same" and any(self._is_rival(name, literal) for literal in self._literal):
                match = None
            self._matches[relation] = match
        return self._matches[relation]

    def _match(self, name: str) -> RelationMatch | None:
        return match_relation(self.query.text, self._words, name, self.query.equal)

    @cached_property
    def hops(self) -> list[Hop]:
        """The words of the question that name relations, in its order."""
        return find_hops(self.query.text, self._words, self.graph.relations, self.query.equal)

    @cached_property
    def anchors(self) -> list[Named]:
        """The entities of the question from which its answer is looked for: all but the kinds of it."""
        nouns = asked_nouns(self.query.text)
        kinds = {form for noun in nouns for form in (noun, *number_forms(noun))}
        return [name for name in self.asked if name.words.casefold() not in kinds]

    @cached_property
    def _literal(self) -> list[str]:
        """The relations of the graph of which the question contains every word."""
        names = self.graph.relations
        return [name for name in names if names_literally(self.query.text, name)]

    def _is_rival(self, relation: str, literal: str) -> bool:
        """Return whether two relations have the same verb, and the question has all words of the other."""
        shared = stems_of(relation) & stems_of(literal)
        same = any(len(word) > 2 for word in shared) and match_relation(literal, [], relation)
        return relation not in self._literal and same == "same"

    def agent(self, first: Named, second: Named) -> Named:
        """Return which of two entities acts in a question: the first one, unless "by" precedes the other or
        the first is a possessive ("Is Nordland's capital Bodin?").
        """
        if is_possessive(self.query.text, first.words):
            return second
        return second if role_of(self.query.text, second.words) == "agent" else first

    def acting(self, row: Sequence[int]) -> int:
        """Return the entity of an edge that acts: its head, or its tail in "was built by"."""
        return row[2] if is_passive(self.graph.relations[row[1]]) else row[0]

    def is_symmetric(self, row: Sequence[int]) -> bool:
        """Return whether an edge says the same about its entities in both directions."""
        return is_symmetric(self.graph.relations[row[1]])

    def between(self, first: Named, second: Named, agent: Named | None) -> Iterator[Evidence]:
        """Yield the edges and the licensed paths between two entities that bear on the asked relation."""
        nearness = first.cosine * second.cosine
        for row in self.edges_of(first, second, agent):
            if (match := self.match(row[1])) is not None:
                yield Evidence((self.graph.triple(row),), match, nearness)
        for head, tail in ((first, second), (second, first)):
            for row in self.graph.paths_between([head.entity], [tail.entity], MAX_PATHS).rows.tolist():
                match = self._path_match(row)
                if match is not None and (agent is None or self._path_acts(row, agent)):
                    path = (self.graph.triple(row[:3]), self.graph.triple(row[2:]))
                    yield Evidence(path, match, nearness, inferred=True)

    def edges_of(self, first: Named, second: Named, agent: Named | None = None) -> Iterator[list[int]]:
        """Yield the edges between two entities; with `agent`, those in which it acts and symmetric ones."""
        for head, tail in ((first, second), (second, first)):
            for row in self.graph.edges_between([head.entity], [tail.entity]).tolist():
                if agent is None or self.is_symmetric(row) or self.acting(row) == agent.entity:
                    yield row

    def reversed_edges(self, first: Named, second: Named) -> Iterator[Sequence[int]]:
        """Yield the edges that state the asked relation in the other direction only."""
        agent = self.agent(first, second)
        for row in self.edges_of(first, second):
            if (
                self.match(row[1]) == "same"
                and not self.is_symmetric(row)
                and self.acting(row) != agent.entity
            ):
                yield row

    def edges_at(self, entity: int) -> list[list[int]]:
        """Return the edges out of and into an entity, without those to itself."""
        rows = [*self.graph.out_edges(entity).tolist(), *self.graph.in_edges(entity).tolist()]
        return [row for row in rows if row[0] != row[2]]

    def _path_match(self, row: Sequence[int]) -> RelationMatch | None:
        """Return what a path states about the asked relation; None if no edge passes the other on."""
        first, second = self.graph.relations[row[1]], self.graph.relations[row[3]]
        if passes_on(first) and (match := self.match(row[3])) is not None:
            return match
        # "born in m" and "m lies on b" make "born on b".
        widened = f"{first.rpartition(' ')[0]} {second.rpartition(' ')[2]}"
        if widens(second) and "same" in (self.match(row[1]), self._match(widened)):
            return "same"
        return None

    def _path_acts(self, row: Sequence[int], agent: Named) -> bool:
        """Return whether an entity acts in the edge of a path that states the relation."""
        stating = row[3] if passes_on(self.graph.relations[row[1]]) else row[1]
        acting = row[4] if is_passive(self.graph.relations[stating]) else row[0]
        return acting == agent.entity
