"""Facts first: what the graph itself says about a question, read before anything is extrapolated.

A question is read from the graph if an edge between its entities, or a path of two edges, states the asked
relation. A path counts only if one of its edges passes the other on: "a contains m, m eases b" says that a
eases b, and "a was born in m, m lies on b" says where a was born.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from probative.give.query import Query
from probative.graph.graph import Graph
from probative.text.analyzer import RelationMatch, analyzer_for
from probative.types import Triple

# Beyond this many answers a list is no answer to a question in the singular.
MAX_ANSWERS = 8
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
    """Edges that state the asked relation, or its opposite, and how near their entities are to those asked
    about.
    """

    triples: tuple[Triple, ...]
    match: RelationMatch
    nearness: float = 1.0


@dataclass(frozen=True)
class FactAnswer:
    """An answer and the triples that state it. `strength` is 1 if the graph has the asked entities."""

    answer: str
    facts: tuple[Triple, ...]
    strength: float = 1.0
    conflict: bool = False


def answer_from_facts(query: Query, graph: Graph, named: Sequence[Named]) -> FactAnswer | None:
    """Return the answer that the graph states, or None if it is silent.

    A negated question ("Which does not …?") is never read: what a graph lacks is not false.
    """
    # "Doesn't tea help?" asks whether it does.
    if analyzer_for().is_negated(query.text.partition(" ")[2]):
        return None
    reader = _Reader(query, graph, named)
    if query.form == "yes-no":
        return reader.yes_or_no()
    return reader.choice() if query.form == "choice" else reader.open()


class _Reader:
    """Reads the answer to one question from the edges at its entities."""

    def __init__(self, query: Query, graph: Graph, named: Sequence[Named]) -> None:
        self._query, self._graph = query, graph
        choices = {choice.casefold() for choice in query.choices}
        self._choices = [name for name in named if name.words.casefold() in choices]
        own = [name for name in named if name.words.casefold() not in choices]
        position = query.text.casefold().find
        self._own = sorted(own, key=lambda name: position(name.words.casefold()))
        self._words = [name.words for name in own]
        self._matches: dict[int, RelationMatch | None] = {}

    def yes_or_no(self) -> FactAnswer | None:
        """Return yes or no if the graph states the relation between two entities, or its opposite."""
        evidence: list[Evidence] = []
        for number, first in enumerate(self._own):
            for second in self._own[number + 1 :]:
                if first.words == second.words or first.entity == second.entity:
                    continue
                evidence += self._between(first, second, self._agent(first, second))
        best = _best(evidence)
        if not best:
            return None
        polar = {item.match for item in best}
        if len(polar) == 2:
            facts = tuple(dict.fromkeys(triple for item in best for triple in item.triples))
            return FactAnswer("maybe", facts, best[0].nearness, conflict=True)
        answer = "yes" if polar == {"same"} else "no"
        return FactAnswer(answer, best[0].triples, best[0].nearness)

    def choice(self) -> FactAnswer | None:
        """Return the choice for which the graph states the relation, if it is the only one."""
        stated: dict[str, Evidence] = {}
        for choice in self._choices:
            evidence: list[Evidence] = []
            for anchor in self._own:
                if anchor.entity != choice.entity:
                    acts = analyzer_for().role_of(self._query.text, anchor.words)
                    agent = {"agent": anchor, "patient": choice}.get(acts or "")
                    evidence += self._between(choice, anchor, agent)
            best = [item for item in _best(evidence) if item.match == "same"]
            if best and _key(best[0]) > _key(stated.get(choice.words)):
                stated[choice.words] = best[0]
        if not stated:
            return None
        top = max(_key(item) for item in stated.values())
        winners = [words for words, item in stated.items() if _key(item) == top]
        if len(winners) != 1:
            return None
        item = stated[winners[0]]
        answer = next(choice for choice in self._query.choices if choice.casefold() == winners[0].casefold())
        return FactAnswer(answer, item.triples, item.nearness)

    def open(self) -> FactAnswer | None:
        """Return the entities that the graph states as the answer, by one edge or by two."""
        for anchor in sorted(self._own, key=lambda name: -name.cosine):
            answers = list(self._one_hop(anchor)) or list(self._two_hops(anchor))
            names = {name.entity for name in self._own}
            answers = [(entity, triples) for entity, triples in answers if entity not in names]
            distinct = dict(reversed(answers))
            if 0 < len(distinct) <= MAX_ANSWERS:
                entities = dict.fromkeys(entity for entity, _ in answers)
                facts = dict.fromkeys(triple for _, triples in answers for triple in triples)
                answer = ", ".join(self._graph.entities[entity] for entity in entities)
                return FactAnswer(answer, tuple(facts), anchor.cosine)
        return self._relation() if analyzer_for().asks_relation(self._query.text) else None

    def _relation(self) -> FactAnswer | None:
        """Return how the graph relates the first two entities of a question that asks for it."""
        if len(self._own) < 2:
            return None
        first, second = self._own[0].entity, self._own[1].entity
        rows = [
            *self._graph.edges_between([first], [second]).tolist(),
            *self._graph.edges_between([second], [first]).tolist(),
        ]
        if not rows:
            return None
        facts = tuple(self._graph.triple(row) for row in rows)
        return FactAnswer(", ".join(dict.fromkeys(fact.relation for fact in facts)), facts)

    def _agent(self, first: Named, second: Named) -> Named:
        """Return which of two entities acts in a question: the first one, unless "by" precedes the other."""
        return second if analyzer_for().role_of(self._query.text, second.words) == "agent" else first

    def _match(self, relation: int) -> RelationMatch | None:
        if relation not in self._matches:
            name = self._graph.relations[relation]
            self._matches[relation] = analyzer_for().match_relation(self._query.text, self._words, name)
        return self._matches[relation]

    def _acts(self, row: Sequence[int]) -> int:
        """Return the entity of an edge that acts: its head, or its tail in "was built by"."""
        return row[2] if analyzer_for().is_passive(self._graph.relations[row[1]]) else row[0]

    def _between(self, first: Named, second: Named, agent: Named | None) -> Iterator[Evidence]:
        """Yield the edges and the licensed paths between two entities that state the asked relation."""
        nearness = first.cosine * second.cosine
        for head, tail in ((first, second), (second, first)):
            for row in self._graph.edges_between([head.entity], [tail.entity]).tolist():
                match = self._match(row[1])
                if match is not None and (agent is None or self._acts(row) == agent.entity):
                    yield Evidence((self._graph.triple(row),), match, nearness)
            for row in self._graph.paths_between([head.entity], [tail.entity], MAX_PATHS).rows.tolist():
                match = self._path_match(row)
                if match is not None and (agent is None or self._path_acts(row, agent)):
                    path = (self._graph.triple(row[:3]), self._graph.triple(row[2:]))
                    yield Evidence(path, match, nearness)

    def _path_match(self, row: Sequence[int]) -> RelationMatch | None:
        """Return what a path states about the asked relation; None if no edge passes the other on."""
        first, second = self._graph.relations[row[1]], self._graph.relations[row[3]]
        if analyzer_for().passes_on(first) and (match := self._match(row[3])) is not None:
            return match
        if analyzer_for().widens(second) and self._match(row[1]) == "same":
            return "same"
        return None

    def _path_acts(self, row: Sequence[int], agent: Named) -> bool:
        """Return whether an entity acts in the edge of a path that states the relation."""
        stating = row[1] if self._match(row[1]) == "same" else row[3]
        acting = row[4] if analyzer_for().is_passive(self._graph.relations[stating]) else row[0]
        return acting == agent.entity

    def _one_hop(self, anchor: Named) -> Iterator[tuple[int, tuple[Triple, ...]]]:
        """Yield what one edge of the asked relation connects to an entity."""
        role = analyzer_for().role_of(self._query.text, anchor.words)
        for row in self._edges_at(anchor.entity):
            acts = self._acts(row) == anchor.entity
            if self._match(row[1]) == "same" and (role is None or acts == (role == "agent")):
                yield row[2] if row[0] == anchor.entity else row[0], (self._graph.triple(row),)

    def _two_hops(self, anchor: Named) -> Iterator[tuple[int, tuple[Triple, ...]]]:
        """Yield what two edges connect to an entity, if the question names both relations."""
        for first in self._edges_at(anchor.entity):
            if self._match(first[1]) != "same":
                continue
            middle = first[2] if first[0] == anchor.entity else first[0]
            for second in self._edges_at(middle):
                far = second[2] if second[0] == middle else second[0]
                if self._match(second[1]) == "same" and second[1] != first[1] and far != anchor.entity:
                    yield far, (self._graph.triple(first), self._graph.triple(second))

    def _edges_at(self, entity: int) -> list[list[int]]:
        rows = [*self._graph.out_edges(entity).tolist(), *self._graph.in_edges(entity).tolist()]
        return [row for row in rows if row[0] != row[2]]


def _best(evidence: Iterable[Evidence]) -> list[Evidence]:
    """Return the evidence with the nearest entities, and of that the shortest."""
    items = list(evidence)
    top = max((_key(item) for item in items), default=None)
    return [item for item in items if _key(item) == top]


def _key(item: Evidence | None) -> tuple[float, int]:
    return (0.0, 0) if item is None else (item.nearness, -len(item.triples))
