"""Chains of edges for a question that names several relations: every one of them has to lead on.

"Where did the founder of Finch study?" is answered by (Ada, founded, Finch), (Ada, studied at, Molde), and
not by what one of the two relations reaches.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from probative.give.edge_reader import EdgeReader, Named
from probative.give.hops import Hop, HopStep, plan_hops, role_in
from probative.give.relation_words import has_one_head, role_of
from probative.types import Triple

# A hub has thousands of edges: a chain that branches further is no answer.
MAX_BRANCHES = 50

Stated = dict[int, tuple[Triple, ...]]
"""Entities that answer a question, each with the edges that state it."""


def reads_whole(reader: EdgeReader, triples: Iterable[Triple]) -> bool:
    """Return whether every relation that a question names is one of some edges, by its own name or by a
    similar one.
    """
    if len(reader.hops) < 2:
        return all(hop.relations for hop in reader.hops)
    relations = {triple.relation for triple in triples}
    return all(not hop.relations.isdisjoint(relations) for hop in reader.hops)


def follow_chain(reader: EdgeReader, anchor: Named) -> Stated:
    """Return what all relations of a question together lead to from one of its entities."""
    steps = plan_hops(reader.query.text, anchor.words, [hop for hop in reader.hops if not hop.is_asked])
    front: Stated = {anchor.entity: ()}
    for step in steps:
        reached: Stated = {}
        for entity, path in front.items():
            for far, triples in _next(reader, entity, step):
                if far != anchor.entity:
                    reached.setdefault(far, (*path, *triples))
        if len(reached) > MAX_BRANCHES:
            return {}
        front = reached
    return _of_role(reader, front) if steps else {}


def one_hop(reader: EdgeReader, anchor: Named) -> Iterator[tuple[int, tuple[Triple, ...]]]:
    """Yield what one edge of the asked relation connects to an entity."""
    for row in reader.edges_at(anchor.entity):
        relation = reader.graph.relations[row[1]]
        if reader.match(row[1]) != "same" or (anchor.cosine < 1 and has_one_head(relation)):
            continue
        if edge_role(reader, row, anchor):
            yield far_end(row, anchor.entity), (reader.graph.triple(row),)


def edge_role(reader: EdgeReader, row: Sequence[int], anchor: Named) -> bool:
    """Return whether an entity has the part in an edge that it has in the question, or none there."""
    nouns = [hop.role for hop in reader.hops if hop.role is not None and not hop.is_asked]
    role = nouns[0] if nouns else role_of(reader.query.text, anchor.words)
    acts = reader.acting(row) == anchor.entity
    return role is None or reader.is_symmetric(row) or acts == (role == "agent")


def far_end(row: Sequence[int], entity: int) -> int:
    """Return the other entity of an edge."""
    return row[2] if row[0] == entity else row[0]


def shared_answers(reader: EdgeReader, anchors: Sequence[Named]) -> Stated:
    """Return what one edge connects to each of several entities, if these edges are all that is asked."""
    reached = [dict(one_hop(reader, anchor)) for anchor in anchors]
    stated: Stated = {}
    for entity in reached[0]:
        if all(entity in answers for answers in reached[1:]):
            triples = tuple(dict.fromkeys(triple for answers in reached for triple in answers[entity]))
            if reads_whole(reader, triples):
                stated[entity] = triples
    return stated


def _next(reader: EdgeReader, entity: int, step: HopStep) -> Iterator[tuple[int, tuple[Triple, ...]]]:
    """Yield what a hop leads to from an entity, or the place of the named kind around that."""
    for row in reader.edges_at(entity):
        if not _leads_on(reader, row, entity, step):
            continue
        far, triples = far_end(row, entity), (reader.graph.triple(row),)
        if step.noun and reader.kinds.fits(far, step.noun) is False:
            around = reader.kinds.reach(far, step.noun)
            if around is not None:
                yield around[0], (*triples, *around[1])
            continue
        yield far, triples


def _leads_on(reader: EdgeReader, row: Sequence[int], entity: int, step: HopStep) -> bool:
    relation = reader.graph.relations[row[1]]
    if relation not in step.hop.relations or reader.match(row[1]) != "same":
        return False
    role = role_in(relation, step)
    acts = reader.acting(row) == entity
    return role is None or reader.is_symmetric(row) or acts == (role == "agent")


def _of_role(reader: EdgeReader, stated: Stated) -> Stated:
    """Return the answers that have the asked role: "Which inventor …?" asks for who invented something."""
    for hop in reader.hops:
        if hop.is_asked:
            stated = {
                entity: (*triples, *fact)
                for entity, triples in stated.items()
                if (fact := _role_fact(reader, entity, hop))
            }
    return stated


def _role_fact(reader: EdgeReader, entity: int, hop: Hop) -> tuple[Triple, ...]:
    for row in reader.edges_at(entity):
        acts = reader.acting(row) == entity
        if reader.graph.relations[row[1]] in hop.relations and acts == (hop.role == "patient"):
            return (reader.graph.triple(row),)
    return ()
