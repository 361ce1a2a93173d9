"""GIVE as its paper writes it, and nothing saved: the reference for the knowledge that Probative must find.

One call of the model for every step and every candidate, one after the other; the graph is a set of triples
that is searched from end to end. Nothing is taken from Probative's own method. Where the paper leaves
something open: an entity is not connected with itself, names that differ in case alone are one entity,
known as the graph spells it, an edge of the graph is not judged again (section 3.4.3), an open relation is
asked for once for two entities, and of a single group the edges within it are known.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field

Ask = Callable[[str], str]
"""One call of the model: a prompt, and what it writes."""
Nearest = Callable[[str, int], list[str]]
"""The entities of the graph that are nearest to a name, itself left out; best first."""
Edge = tuple[str, str, str]

# Our words for the prompts of the paper's appendix D.6.
ENTITIES = "Name the top entities of the question, separated by semicolons.\nQuestion: {question}\nEntities:"
RELATIONS = (
    "Name the relations that connect the entities in the question, separated by semicolons.\n"
    "Question: {question}\nEntities: {entities}\nRelations:"
)
RELATE = (
    "Say in a few words how the first entity is related to the second.\nEntities: {head}; {tail}\nRelation:"
)
JUDGE = "Say yes, no or maybe.\n{statement}. Is it true?"
PATH = (
    "Select the fact (entity, relation, entity, relation, entity) that matters most to the question.\n"
    "Question: {question}\nFacts:\n{paths}\nSelected:"
)
ANSWER = "Answer the question from the knowledge.\nQuestion: {question}\n{knowledge}\nAnswer:"


@dataclass
class Literal:
    """The three sets of knowledge, and the answers with one, two and all of them."""

    affirmative: set[Edge] = field(default_factory=set)
    counterfactual: set[Edge] = field(default_factory=set)
    expert: set[Edge] = field(default_factory=set)
    maybe: set[Edge] = field(default_factory=set)
    groups: list[list[str]] = field(default_factory=list)
    answers: list[str] = field(default_factory=list)


def literal_give(question: str, graph: Collection[Edge], nearest: Nearest, p: int, ask: Ask) -> Literal:
    """Sections 3.1 to 3.5."""
    found = Literal()
    entities = _several(ask(ENTITIES.format(question=question)))
    relations = _several(ask(RELATIONS.format(question=question, entities="; ".join(entities))))
    spelled = {name.casefold(): name for head, _, tail in graph for name in (tail, head)}
    entities = [spelled.get(entity.casefold(), entity) for entity in entities]
    found.groups = [[entity, *nearest(entity, p)] for entity in entities]
    paths = _two_hops(found.groups, graph)
    if paths:
        selected = ask(PATH.format(question=question, paths="\n".join(_fact(path) for path in paths)))
        middle = next(path for path in paths if _fact(path) == selected.strip())[2]
        found.groups.append([middle, *nearest(middle, p)])
    _algorithm_1(found, relations, graph, ask)
    _open_relations(found, ask)
    knowledge = ""
    for part in (found.affirmative, found.counterfactual, found.expert):
        knowledge += "\n" + ", ".join(
            f"({head}, {relation}, {tail})" for head, relation, tail in sorted(part)
        )
        found.answers.append(ask(ANSWER.format(question=question, knowledge=knowledge)))
        knowledge += f"\nAnswer: {found.answers[-1]}"
    return found


def _algorithm_1(found: Literal, relations: Sequence[str], graph: Collection[Edge], ask: Ask) -> None:
    """Inner-group connections; then for each two groups the graph's edges, and every candidate judged."""
    known = {(head.casefold(), relation, tail.casefold()) for head, relation, tail in graph}
    for entity, *concepts in found.groups:
        for concept in concepts:
            if not _same(entity, concept):
                _relate(found, entity, concept, ask)
    if len(found.groups) == 1:
        only = found.groups[0]
        found.expert |= {
            edge
            for edge in graph
            if _among(edge[0], only) and _among(edge[2], only) and not _same(edge[0], edge[2])
        }
    for group, other in _pairs(found.groups):
        edges = {
            (head, relation, tail)
            for head, relation, tail in graph
            if _among(head, group) and _among(tail, other)
        }
        found.expert |= {edge for edge in edges if not _same(edge[0], edge[2])}
        possible = {*relations, *(relation for _, relation, _ in edges)}
        for one in group:
            for two in other:
                for relation in sorted(possible):
                    if _same(one, two) or (one.casefold(), relation, two.casefold()) in known:
                        continue
                    said = ask(JUDGE.format(statement=f"{one} {relation} {two}"))
                    if said == "yes":
                        found.affirmative.add((one, relation, two))
                    elif said == "no":
                        found.counterfactual.add((one, f"not {relation}", two))
                    else:
                        found.maybe.add((one, relation, two))


def _open_relations(found: Literal, ask: Ask) -> None:
    """A relation in the model's own words for each two entities of different groups."""
    asked: set[frozenset[str]] = set()
    for place, group in enumerate(found.groups):
        for other in found.groups[place + 1 :]:
            for one in group:
                for two in other:
                    if not _same(one, two) and frozenset((one, two)) not in asked:
                        asked.add(frozenset((one, two)))
                        _relate(found, one, two, ask)


def _relate(found: Literal, one: str, two: str, ask: Ask) -> None:
    relation = ask(RELATE.format(head=one, tail=two))
    if relation != "none":
        found.affirmative.add((one, relation, two))


def _two_hops(groups: Sequence[Sequence[str]], graph: Collection[Edge]) -> list[tuple[str, ...]]:
    """Every path of two edges and three entities from one group to another."""
    inside = [name for group in groups for name in group]
    outward = [edge for edge in graph if _among(edge[0], inside)]
    inward: dict[str, list[Edge]] = {}
    for edge in graph:
        if _among(edge[2], inside):
            inward.setdefault(edge[0], []).append(edge)
    paths = {
        (head, first, middle, second, tail)
        for group, other in _pairs(groups)
        for head, first, middle in outward
        if _among(head, group)
        for _, second, tail in inward.get(middle, ())
        if _among(tail, other) and not (_same(head, tail) or _same(head, middle) or _same(middle, tail))
    }
    return sorted(paths)


def _pairs(groups: Sequence[Sequence[str]]) -> Iterator[tuple[Sequence[str], Sequence[str]]]:
    for place, group in enumerate(groups):
        for at, other in enumerate(groups):
            if at != place:
                yield group, other


def _several(text: str) -> list[str]:
    return [name.strip() for name in text.split(";") if name.strip()]


def _fact(path: Sequence[str]) -> str:
    return f"({', '.join(path)})"


def _same(one: str, two: str) -> bool:
    return one.casefold() == two.casefold()


def _among(name: str, names: Sequence[str]) -> bool:
    return any(_same(name, other) for other in names)
