"""Potential relations between groups (section 3.4.1), and the connections they suggest.

    R_ij = R_x ∪ {r : (u, r, v) in the graph, u in N_i, v in N_j}

An edge that the graph has is expert knowledge; every other (u, r, v) is a candidate.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import permutations
from typing import NamedTuple

from probative.give.result import EntityGroup, Member
from probative.graph.graph import Graph
from probative.types import Triple


class Potential(NamedTuple):
    """What is known between the groups, and what might be."""

    expert: list[Triple]
    candidates: list[Triple]


def potential_connections(groups: Sequence[EntityGroup], relations: Sequence[str], graph: Graph) -> Potential:
    """The expert edges and the candidates between all ordered pairs of groups, each once; of a single group
    the edges within it.
    """
    expert: dict[Triple, None] = {}
    candidates: dict[Triple, None] = {}
    if len(groups) == 1:
        inside = known(groups[0])
        edges = [graph.triple(row) for row in graph.edges_between(inside, inside)]
        return Potential([edge for edge in edges if edge.head != edge.tail], [])
    for group, other in permutations(groups, 2):
        rows = graph.edges_between(known(group), known(other)).tolist()
        edges = [graph.triple(row) for row in rows]
        # By number: a question may spell a name otherwise than the graph does ("Gulls", "gulls").
        there = {(head, graph.relations[relation], tail) for head, relation, tail in rows}
        expert.update(dict.fromkeys(edge for edge in edges if edge.head != edge.tail))
        between = list(dict.fromkeys([*relations, *(edge.relation for edge in edges)]))
        candidates.update(
            dict.fromkeys(
                Triple(head=one.name, relation=relation, tail=two.name)
                for one, two in entity_pairs(group, other)
                for relation in between
                if (one.entity, relation, two.entity) not in there
            )
        )
    return Potential(list(expert), [triple for triple in candidates if triple not in expert])


def known(group: EntityGroup) -> list[int]:
    """The members that the graph has."""
    return [member.entity for member in group.members if member.entity is not None]


def entity_pairs(group: EntityGroup, other: EntityGroup) -> Iterator[tuple[Member, Member]]:
    """Every two members of two groups that are not the same entity."""
    for one in group.members:
        for two in other.members:
            if one.name.casefold() != two.name.casefold():
                yield one, two
