"""Entity group construction (section 3.2).

    Y_k = the p entities y of the graph with the highest cos(w(e_k), w(y)),    N_k = {e_k} ∪ Y_k

An entity that the graph has by name stands for itself, and its p nearest *others* join it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from probative.give.found import EntityGroup, Member
from probative.give.options import GiveOptions
from probative.graph.indexed import IndexedGraph
from probative.models.together import Ask, Search

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# Below this cosine the nearest entity of a graph has little to do with the one asked for (MiniLM's vectors of
# unrelated words lie between -0.1 and 0.3).
FAR = 0.3


def build_groups(
    names: Sequence[str], question: str, source: IndexedGraph, options: GiveOptions, notes: list[str]
) -> Search[tuple[list[EntityGroup], NDArray[np.float32] | None]]:
    """The group of each entity, and the question's vector (None where nothing had to be encoded)."""
    found = [source.graph.find(name) for name in names]
    needs_question = options.intermediate and options.connections != "inner" and len(names) > 1
    if options.entities == 0 and not needs_question:
        return [_group(name, entity, []) for name, entity in zip(names, found, strict=True)], None
    import numpy as np

    vectors = yield Ask("encode", [question, *names], "entity groups")
    array = np.asarray(vectors, dtype=np.float32)
    near = source.index.nearest(array[1:], options.entities + 1) if options.entities else [[] for _ in names]
    groups = [
        _group(name, entity, _members(near[place], entity, source, options))
        for place, (name, entity) in enumerate(zip(names, found, strict=True))
    ]
    _note_distance(groups, options, notes)
    return groups, array[0]


def group_around(
    entity: int, source: IndexedGraph, options: GiveOptions, vector: NDArray[np.float32]
) -> EntityGroup:
    """The group of an entity of the graph, built in the same way."""
    near = source.index.nearest(vector[None, :], options.entities + 1)[0] if options.entities else []
    group = _group(source.graph.entities[entity], entity, _members(near, entity, source, options))
    return group.model_copy(update={"intermediate": True})


def _members(
    near: Sequence[tuple[int, float]], entity: int | None, source: IndexedGraph, options: GiveOptions
) -> list[Member]:
    others = [(other, cosine) for other, cosine in near if other != entity]
    return [
        Member(name=source.graph.entities[other], entity=other, cosine=round(cosine, 4))
        for other, cosine in others[: options.entities]
        if cosine >= options.nearest_at_least
    ]


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
