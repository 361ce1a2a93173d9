"""Open questions read from the graph: the entities that one edge or two connect to those of the question, a
count of them, or the relation itself.
"""

from __future__ import annotations

from collections.abc import Iterator

from probative.give.edge_reader import EdgeReader, FactAnswer, Named
from probative.text.analyzer import analyzer_for
from probative.types import Triple

# Beyond this many answers a list is no answer to a question in the singular.
MAX_ANSWERS = 8

Stated = dict[int, tuple[Triple, ...]]
"""Entities that answer a question, each with the edges that state it."""


def answer_open(reader: EdgeReader) -> FactAnswer | None:
    """Return the entities that the graph states as the answer, or their number if a count is asked."""
    counted = analyzer_for().asks_count(reader.query.text)
    for anchor in sorted(reader.own, key=lambda name: -name.cosine):
        stated = _of_kind(reader, _stated(reader, anchor))
        if stated and counted:
            return _count(reader, stated, anchor)
        if 0 < len(stated) <= MAX_ANSWERS:
            return FactAnswer(_listed(reader, stated), _facts(stated), anchor.cosine)
    return _relation(reader) if analyzer_for().asks_relation(reader.query.text) else None


def one_hop(reader: EdgeReader, anchor: Named) -> Iterator[tuple[int, tuple[Triple, ...]]]:
    """Yield what one edge of the asked relation connects to an entity."""
    role = analyzer_for().role_of(reader.query.text, anchor.words)
    for row in reader.edges_at(anchor.entity):
        relation = reader.graph.relations[row[1]]
        if reader.match(row[1]) != "same" or (anchor.cosine < 1 and analyzer_for().has_one_head(relation)):
            continue
        acts = reader.acting(row) == anchor.entity
        if role is None or reader.is_symmetric(row) or acts == (role == "agent"):
            yield row[2] if row[0] == anchor.entity else row[0], (reader.graph.triple(row),)


def _stated(reader: EdgeReader, anchor: Named) -> Stated:
    names = {name.entity for name in reader.own}
    answers = list(one_hop(reader, anchor)) or list(_two_hops(reader, anchor))
    question = analyzer_for().parse_question(reader.query.text)
    stated: Stated = {}
    for entity, triples in answers:
        # "When was she born?" does not ask for the place.
        dated = question.kind != "date" or analyzer_for().fits_kind(reader.graph.entities[entity], question)
        if entity not in names and dated:
            stated.setdefault(entity, triples)
    return stated


def _two_hops(reader: EdgeReader, anchor: Named) -> Iterator[tuple[int, tuple[Triple, ...]]]:
    """Yield what two edges connect to an entity, if the question names both relations."""
    for first in reader.edges_at(anchor.entity):
        if reader.match(first[1]) != "same":
            continue
        middle = first[2] if first[0] == anchor.entity else first[0]
        for second in reader.edges_at(middle):
            far = second[2] if second[0] == middle else second[0]
            if reader.match(second[1]) == "same" and second[1] != first[1] and far != anchor.entity:
                yield far, (reader.graph.triple(first), reader.graph.triple(second))


def _of_kind(reader: EdgeReader, stated: Stated) -> Stated:
    """Return the answers of the kind that a question names ("Which herb …?"), if the graph has kinds."""
    for name in reader.own:
        rows = reader.graph.in_edges(name.entity).tolist()
        of_kind = {row[0] for row in rows if analyzer_for().is_kind(reader.graph.relations[row[1]])}
        if name.cosine == 1 and of_kind & stated.keys():
            stated = {entity: triples for entity, triples in stated.items() if entity in of_kind}
    return stated


def _count(reader: EdgeReader, stated: Stated, anchor: Named) -> FactAnswer:
    note = f"counted in the graph, which may lack some: {_listed(reader, stated)}"
    return FactAnswer(str(len(stated)), _facts(stated), anchor.cosine, notes=(note,))


def _relation(reader: EdgeReader) -> FactAnswer | None:
    """Return how the graph relates the first two entities of a question that asks for it."""
    if len(reader.own) < 2:
        return None
    first, second = reader.own[0].entity, reader.own[1].entity
    rows = [
        *reader.graph.edges_between([first], [second]).tolist(),
        *reader.graph.edges_between([second], [first]).tolist(),
    ]
    if not rows:
        return None
    facts = tuple(reader.graph.triple(row) for row in rows)
    return FactAnswer(", ".join(dict.fromkeys(fact.relation for fact in facts)), facts)


def _listed(reader: EdgeReader, stated: Stated) -> str:
    return ", ".join(reader.graph.entities[entity] for entity in stated)


def _facts(stated: Stated) -> tuple[Triple, ...]:
    return tuple(dict.fromkeys(triple for triples in stated.values() for triple in triples))
