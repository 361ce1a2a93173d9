"""Entity group construction (section 3.2, equations 3 and 4).

    Y_k = the p entities y of the graph with the highest cos(w(e_k), w(y)),    N_k = {e_k} ∪ Y_k

The y are entities other than e_k, also where the graph contains e_k (section 3.3 counts p besides it).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from probative.engine.search import Search, encode
from probative.give.options import GiveOptions
from probative.give.result import EntityGroup, Member
from probative.give.run import Run

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# With a lower cosine, the nearest entity has little to do with the queried one: MiniLM's vectors of
# unrelated words have cosines between -0.1 and 0.3.
FAR = 0.3


def build_groups(
    run: Run[GiveOptions], names: Sequence[str]
) -> Search[tuple[list[EntityGroup], NDArray[np.float32] | None]]:
    """Return the group of each entity, and the vector of the question, None if it is not needed."""
    options = run.options
    entities = [run.graph.find(name) for name in names]
    # What is known of an entity is known by the graph's spelling of its name.
    names_in_graph = [
        name if entity is None else run.graph.entities[entity]
        for name, entity in zip(names, entities, strict=True)
    ]
    needs_question = options.intermediate and options.connections != "inner" and len(names) > 1
    if options.entities == 0 and not needs_question:
        groups = [_group(name, entity, ()) for name, entity in zip(names_in_graph, entities, strict=True)]
        return groups, None
    import numpy as np

    vectors = yield from encode([run.query.text, *names], step="entity groups")
    array = np.asarray(vectors, dtype=np.float32)
    near = (
        run.source.index.nearest(array[1:], _searched(options)) if options.entities else [[] for _ in names]
    )
    groups = [
        _group(in_graph, entity, _others(run, nearest, name))
        for in_graph, entity, nearest, name in zip(names_in_graph, entities, near, names, strict=True)
    ]
    _note_distance(run, groups)
    return groups, array[0]


def group_around(run: Run[GiveOptions], entity: int) -> EntityGroup:
    """Return the intermediate group around an entity of the graph, built in the same way."""
    index, options, name = run.source.index, run.options, run.graph.entities[entity]
    near = index.nearest(index.vectors([entity]), _searched(options))[0] if options.entities else []
    group = _group(name, entity, _others(run, near, name))
    return group.model_copy(update={"intermediate": True})


def _searched(options: GiveOptions) -> int:
    """Return how many near entities to search: the entity and other spellings of it may be among them."""
    return 2 * options.entities + 2


def _others(run: Run[GiveOptions], near: Sequence[tuple[int, float]], name: str) -> list[Member]:
    """Return the p nearest entities with other names than `name`; case and underscores are ignored."""
    distinct: dict[str, Member] = {}
    lowest = run.options.min_cosine
    for entity, cosine in near:
        other = run.graph.entities[entity]
        if _folded(other) != _folded(name) and (lowest is None or cosine >= lowest):
            distinct.setdefault(_folded(other), Member(name=other, entity=entity, cosine=round(cosine, 4)))
    return list(distinct.values())[: run.options.entities]


def _folded(name: str) -> str:
    return " ".join(name.replace("_", " ").casefold().split())


def _group(name: str, entity: int | None, others: Sequence[Member]) -> EntityGroup:
    return EntityGroup(members=(Member(name=name, entity=entity), *others))


def _note_distance(run: Run[GiveOptions], groups: Sequence[EntityGroup]) -> None:
    """Note the entities for which the graph has nothing similar."""
    if not run.options.entities:
        return
    missing = [group for group in groups if group.members[0].entity is None]
    alone = [group.name for group in missing if len(group.members) == 1]
    far = [
        group.name for group in missing if len(group.members) > 1 and (group.members[1].cosine or 0.0) < FAR
    ]
    if alone:
        run.note(f"the graph has no entity similar enough to: {', '.join(alone)}")
    if far:
        run.note(f"the nearest entities of the graph are far from: {', '.join(far)}")
