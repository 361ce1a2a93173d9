"""Open questions read from the graph: the entities that one edge or two connect to those of the question, a
count of them, or the relation itself.
"""

from __future__ import annotations

from collections.abc import Iterator

from probative.give.chains import Stated, follow_chain, one_hop, shared_answers
from probative.give.edge_reader import EdgeReader, FactAnswer
from probative.give.question_words import asked_nouns, asks_count, is_proper_name
from probative.give.relation_words import asks_relation
from probative.text import english
from probative.types import Triple

# Beyond this many answers a list is no answer to a question in the singular.
MAX_ANSWERS = 8


def answer_open(reader: EdgeReader) -> FactAnswer | None:
    """Return the entities that the graph states as the answer, or their number if a count is asked."""
    counted = asks_count(reader.query.text)
    for cosine, answers in _answers(reader):
        stated = of_asked_kind(reader, answers)
        if stated and counted:
            return _count(reader, stated, cosine)
        if 0 < len(stated) <= MAX_ANSWERS:
            return FactAnswer(_listed(reader, stated), _facts(stated), cosine)
    return _relation(reader) if asks_relation(reader.query.text) else None


def _answers(reader: EdgeReader) -> Iterator[tuple[float, Stated]]:
    """Yield what the graph states from each entity of a question, with the nearness of that entity. All
    relations that the question names are followed.
    """
    if not all(hop.relations for hop in reader.hops):
        return
    anchors = sorted(reader.anchors or reader.asked, key=lambda name: -name.cosine)
    if len(reader.hops) < 2:
        for anchor in anchors:
            yield anchor.cosine, _asked(reader, dict(one_hop(reader, anchor)))
        return
    if len(anchors) > 1:
        yield min(anchor.cosine for anchor in anchors), _asked(reader, shared_answers(reader, anchors))
    for anchor in anchors:
        yield anchor.cosine, _asked(reader, _through_all(reader, follow_chain(reader, anchor)))


def _through_all(reader: EdgeReader, stated: Stated) -> Stated:
    """Return the answers whose edges have every name of the question."""
    names = {
        reader.graph.entities[name.entity]
        for name in reader.anchors
        if is_proper_name(reader.query.text, name.words)
    }
    return {
        entity: triples
        for entity, triples in stated.items()
        if names <= {name for triple in triples for name in (triple.head, triple.tail)}
    }


def _asked(reader: EdgeReader, answers: Stated) -> Stated:
    """Return the answers that the question does not name itself, and dates only if it asks for one."""
    names = {name.entity for name in reader.asked}
    question = english.parse_question(reader.query.text)
    stated: Stated = {}
    for entity, triples in answers.items():
        # "When was she born?" does not ask for the place.
        dated = question.kind != "date" or english.dates_in(reader.graph.entities[entity])
        if entity not in names and dated:
            stated.setdefault(entity, triples)
    return stated


def of_asked_kind(reader: EdgeReader, stated: Stated) -> Stated:
    """Return the answers of the kind that a question names ("Which herb …?"): those that the graph calls so,
    otherwise the places of that kind around them, otherwise those whose kind it does not tell.
    """
    for noun in asked_nouns(reader.query.text):
        fits = {entity: reader.kinds.fits(entity, noun) for entity in stated}
        fitting = {entity: triples for entity, triples in stated.items() if fits[entity]}
        for entity, triples in stated.items():
            around = None if fits[entity] or fitting else reader.kinds.reach(entity, noun)
            if around is not None:
                fitting.setdefault(around[0], (*triples, *around[1]))
        open_kind = {entity: triples for entity, triples in stated.items() if fits[entity] is None}
        stated = fitting or open_kind
    return stated


def _count(reader: EdgeReader, stated: Stated, cosine: float) -> FactAnswer:
    note = f"counted in the graph, which may lack some: {_listed(reader, stated)}"
    return FactAnswer(str(len(stated)), _facts(stated), cosine, notes=(note,))


def _relation(reader: EdgeReader) -> FactAnswer | None:
    """Return how the graph relates the first two entities of a question that asks for it."""
    if len(reader.asked) < 2:
        return None
    first, second = reader.asked[0].entity, reader.asked[1].entity
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
