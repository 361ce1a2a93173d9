"""Potential relations induction (section 3.4.1, equation 6), and the connections that they suggest.

    R_ij = R_x ∪ {r : (u, r, v) in the graph, u in N_i, v in N_j}

An edge of the graph is expert knowledge; every other (u, r, v) with r in R_ij is a candidate.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import permutations
from typing import NamedTuple

from probative.engine.search import Search, encode
from probative.give.options import GiveOptions
from probative.give.result import EntityGroup, Member
from probative.give.run import Run
from probative.graph.graph import Graph
from probative.types import Triple

# The edges at the entities of an open question that the model reads, and those that are compared with the
# question: a hub has thousands.
MAX_EDGES = 20
MAX_COMPARED = 500


class PotentialConnections(NamedTuple):
    """The edges of the graph between groups, and the connections that might hold."""

    expert: list[Triple]
    candidates: list[Triple]


def potential_connections(
    groups: Sequence[EntityGroup], relations: Sequence[str], graph: Graph
) -> PotentialConnections:
    """Return the distinct expert edges and candidates between all ordered pairs of groups. For a single
    group, return the edges within it.
    """
    if len(groups) == 1:
        members = known_members(groups[0])
        edges = [graph.triple(row) for row in graph.edges_between(members, members)]
        return PotentialConnections([edge for edge in edges if edge.head != edge.tail], [])
    expert: dict[Triple, None] = {}
    candidates: dict[Triple, None] = {}
    for group, other in permutations(groups, 2):
        rows = graph.edges_between(known_members(group), known_members(other)).tolist()
        edges = [graph.triple(row) for row in rows]
        # By number, because a question may spell a name differently from the graph ("Gulls", "gulls").
        in_graph = {(head, graph.relations[relation], tail) for head, relation, tail in rows}
        expert.update(dict.fromkeys(edge for edge in edges if edge.head != edge.tail))
        potential = list(dict.fromkeys([*relations, *(edge.relation for edge in edges)]))
        candidates.update(
            dict.fromkeys(
                Triple(head=head.name, relation=relation, tail=tail.name)
                for head, tail in entity_pairs(group, other)
                for relation in potential
                if (head.entity, relation, tail.entity) not in in_graph
            )
        )
    return PotentialConnections(list(expert), [triple for triple in candidates if triple not in expert])


def edges_at_entities(run: Run[GiveOptions], groups: Sequence[EntityGroup]) -> Search[list[Triple]]:
    """Return the edges at the entities of an open question, those nearest to it: its answer is an entity that
    it does not name (not in the paper).
    """
    graph = run.graph
    entities = [group.members[0].entity for group in groups if not group.intermediate]
    rows = [
        row
        for entity in entities
        if entity is not None
        for row in (*graph.out_edges(entity).tolist(), *graph.in_edges(entity).tolist())
        if row[0] != row[2]
    ]
    edges = list(dict.fromkeys(graph.triple(row) for row in rows[:MAX_COMPARED]))
    if len(rows) > MAX_COMPARED:
        run.note(
            f"edges at the entities of the question: {len(rows):,}, of which {MAX_COMPARED} were compared"
        )
    if len(edges) <= MAX_EDGES:
        return edges
    texts = [run.query.text, *(edge.sentence for edge in edges)]
    question, *vectors = yield from encode(texts, step="edges of the entities")
    order = sorted(range(len(edges)), key=lambda index: -float(vectors[index] @ question))
    return [edges[index] for index in order[:MAX_EDGES]]


def known_members(group: EntityGroup) -> list[int]:
    """Return the numbers of the members that the graph contains."""
    return [member.entity for member in group.members if member.entity is not None]


def entity_pairs(group: EntityGroup, other: EntityGroup) -> Iterator[tuple[Member, Member]]:
    """Yield every member of `group` with every member of `other` that is not the same entity."""
    for head in group.members:
        for tail in other.members:
            if head.name.casefold() != tail.name.casefold():
                yield head, tail
