"""The connections that a drawing shows: the knowledge behind an answer over a graph."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal, NamedTuple

from probative.give.reasoning import Reasoning
from probative.give.result import GraphVerdict, Knowledge
from probative.types import Triple

Kind = Literal["expert", "affirmative", "similar", "counterfactual", "uncertain"]
KINDS: tuple[Kind, ...] = ("expert", "affirmative", "similar", "counterfactual", "uncertain")
SETS: tuple[Kind, ...] = ("expert", "affirmative", "counterfactual")
"""The kinds that are sets of knowledge; `similar` links an entity to the one that stands for it."""


class Connection(NamedTuple):
    """A triple of one kind. `id` is what the page calls it, and `deciding` one that decided the answer."""

    kind: Kind
    triple: Triple
    id: str = ""
    deciding: bool = False


def plain(name: str) -> str:
    """Return a name in the form in which names are compared.

    >>> plain("Aortic_Arch ") == plain("aortic arch")
    True
    """
    return " ".join(name.replace("_", " ").split()).casefold()


def knowledge_connections(knowledge: Knowledge) -> list[Connection]:
    """Return the connections of the three sets of knowledge."""
    return [Connection(kind, triple) for kind in SETS for triple in getattr(knowledge, kind)]


def all_connections(reasoning: Reasoning) -> list[Connection]:
    """Return the connections of an answer as the page lists them, with their ids: also the facts, those that
    are undecided, and the similar entities that stand for entities of the question.
    """
    facts = {_key(fact) for fact in reasoning.facts}
    expert = {_key(triple) for triple in reasoning.knowledge.expert}
    # An answer that is read from the graph may have its facts only.
    unknown = tuple(fact for fact in reasoning.facts if _key(fact) not in expert)
    sets: dict[Kind, Iterable[Triple]] = {
        "expert": (*unknown, *reasoning.knowledge.expert),
        "affirmative": reasoning.knowledge.affirmative,
        "counterfactual": reasoning.knowledge.counterfactual,
        "uncertain": reasoning.uncertain,
    }
    connections = [
        Connection(kind, triple, f"{kind}-{index}", kind == "expert" and _key(triple) in facts)
        for kind, triples in sets.items()
        for index, triple in enumerate(triples)
    ]
    return [*connections, *_stand_ins(reasoning)]


def _stand_ins(reasoning: Reasoning) -> Iterator[Connection]:
    """Yield the links of an answer by analogy: where its facts do not name an entity of the question, but one
    that is similar to it.
    """
    if reasoning.verdict is not GraphVerdict.EXTRAPOLATED:
        return
    used = {plain(name) for fact in reasoning.facts for name in (fact.head, fact.tail)}
    groups = [group.members for group in reasoning.groups if group.members and not group.intermediate]
    for index, (entity, *others) in enumerate(groups):
        neighbour = next((member for member in others if plain(member.name) in used), None)
        if neighbour is None or plain(entity.name) in used:
            continue
        relation = "similar" if neighbour.cosine is None else f"similar {neighbour.cosine:.2f}"
        similar = Triple(head=entity.name, relation=relation, tail=neighbour.name)
        yield Connection("similar", similar, f"similar-{index}", deciding=True)


def _key(triple: Triple) -> tuple[str, ...]:
    return tuple(map(plain, (triple.head, triple.relation, triple.tail)))
