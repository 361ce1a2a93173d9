"""Entity group construction (section 3.2).

    Y_k = the p entities y of the graph with the highest cos(w(e_k), w(y)),    N_k = {e_k} ∪ Y_k

An entity that the graph has by name stands for itself, and its p nearest *others* join it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from probative.engine.search import Search, encode
from probative.give.options import GiveOptions
from probative.give.result import EntityGroup, Member
from probative.graph.graph_with_index import GraphWithIndex

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# Below this cosine the nearest entity of a graph has little to do with the one asked for (MiniLM's vectors of
# unrelated words lie between -0.1 and 0.3).
FAR = 0.3


def build_groups(
    names: Sequence[str], question: str, source: GraphWithIndex, options: GiveOptions, notes: list[str]
) -> Search[tuple[list[EntityGroup], NDArray[np.float32] | None]]:
    """The group of each entity, and the question's vector (None where nothing had to be encoded)."""
    found = [source.graph.find(name) for name in names]
    needs_question = options.intermediate and options.connections != "inner" and len(names) > 1
    if options.entities == 0 and not needs_question:
        alone = [
            _group(_named(name, entity, source), entity, [])
            for name, entity in zip(names, found, strict=True)
        ]
        return alone, None
    import numpy as np

    vectors = yield from encode([question, *names], step="entity groups")
    array = np.asarray(vectors, dtype=np.float32)
    near = source.index.nearest(array[1:], _looked_at(options)) if options.entities else [[] for _ in names]
    groups = [
        _group(_named(name, entity, source), entity, _members(near[place], name, source, options))
        for place, (name, entity) in enumerate(zip(names, found, strict=True))
    ]
    _note_distance(groups, options, notes)
    return groups, array[0]


def group_around(
    entity: int, source: GraphWithIndex, options: GiveOptions, vector: NDArray[np.float32]
) -> EntityGroup:
    """The group of an entity of the graph, built in the same way."""
    near = source.index.nearest(vector[None, :], _looked_at(options))[0] if options.entities else []
    name = source.graph.entities[entity]
    group = _group(name, entity, _members(near, name, source, options))
    return group.model_copy(update={"intermediate": True})


def _looked_at(options: GiveOptions) -> int:
    """How many near entities are looked at: the entity and other spellings of it may be among them."""
    return 2 * options.entities + 2


def _members(
    near: Sequence[tuple[int, float]], name: str, source: GraphWithIndex, options: GiveOptions
) -> list[Member]:
    """The nearest entities with other names than the group's own, each name once whatever its case."""
    distinct: dict[str, Member] = {}
    for entity, cosine in near:
        other = source.graph.entities[entity]
        if _folded(other) != _folded(name) and cosine >= options.nearest_at_least:
            distinct.setdefault(_folded(other), Member(name=other, entity=entity, cosine=round(cosine, 4)))
    return list(distinct.values())[: options.entities]


def _folded(name: str) -> str:
    return " ".join(name.replace("_", " ").casefold().split())


def _named(name: str, entity: int | None, source: GraphWithIndex) -> str:
    """An entity as the graph spells it, where it has it: what is known of it is known by that name."""
    return name if entity is None else source.graph.entities[entity]


def _group(name: str, entity: int | None, members: Sequence[Member]) -> EntityGroup:
    return EntityGroup(members=(Member(name=name, entity=entity), *members))


def _note_distance(groups: Sequence[EntityGroup], options: GiveOptions, notes: list[str]) -> None:
    """Say which entities the graph knows nothing like."""
    if not options.entities:
        return
    alone = [group.name for group in groups if group.members[0].entity is None and len(group.members) == 1]
    far = [
        group.name
        for group in groups
        if group.members[0].entity is None
        and len(group.members) > 1
        and (group.members[1].cosine or 0.0) < FAR
    ]
    if alone:
        notes.append(f"the graph has nothing near enough to: {', '.join(alone)}")
    if far:
        notes.append(f"the graph's nearest entities are far from: {', '.join(far)}")
