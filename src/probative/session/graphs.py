"""Graphs with models: the vectors of a graph's entities, made once and stored."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from probative.errors import InputError
from probative.graph.arguments import check_text, check_whole_number, shown
from probative.graph.graph import Graph
from probative.models.contract import Encoder
from probative.settings import Settings, load_settings

if TYPE_CHECKING:
    from probative.graph.nearest import EntityIndex
    from probative.graph.summary import EntityLookup

# So many entities are embedded without being asked: a few seconds of the embedded encoder.
AT_ONCE = 2_000


def entity_index(
    graph: Graph,
    encoder: Encoder,
    *,
    settings: Settings | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> EntityIndex:
    """The index of a graph's entities by the vectors of their names.

    The vectors are made once, each distinct name once, and stored: in the graph's own folder if it has one
    that can be written to, else in the user's cache. Interrupted, it goes on where it was the next time.
    `progress` gets how many entities are done, and how many there are.
    """
    from probative.graph.vectors import StoredVectors

    if not isinstance(graph, Graph):
        raise InputError(f"this is no graph: {shown(graph)}", hint="open one: probative.Graph.open(path)")
    if not isinstance(encoder, Encoder):
        raise InputError(
            f"this is no encoder: {shown(encoder)}", hint="load one: probative.load_encoder(name)"
        )
    stem = vectors_stem(graph, encoder.fingerprint, settings)
    stored = StoredVectors(stem, encoder.fingerprint, encoder.dimensions)
    return stored.index(graph.names, encoder.encode, progress)


def find_entity(
    graph: Graph,
    name: str,
    n: int = 5,
    *,
    settings: Settings | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> EntityLookup:
    """What a graph has under a name: the entity, its edges, and the `n` nearest entities.

    The nearest are found by their vectors where the graph is embedded with the encoder of the settings, or
    small enough to be embedded at once; else by the words that the names share.
    """
    from probative.graph.summary import Near, look_up
    from probative.models import load_encoder

    settings = settings or load_settings()
    if not check_text(name, "a name").strip():
        raise InputError("there is no name to look for")
    if check_whole_number(n, "n") < 1:
        raise InputError(f"so many entities cannot be looked for: {n}")
    encoder = load_encoder(settings=settings)
    known = vectors_stem(graph, encoder.fingerprint, settings).with_suffix(".json").is_file()
    near: list[Near]
    if known or graph.entity_count <= AT_ONCE:
        index = entity_index(graph, encoder, settings=settings, progress=progress)
        nearest = index.nearest(encoder.encode([name]), n + 1)[0]
        near = [Near(name=graph.entities[at], cosine=round(cosine, 4)) for at, cosine in nearest]
    else:
        near = [Near(name=graph.entities[at]) for at in graph.search(name, n + 1)]
    itself = graph.find(name)
    others = [one for one in near if itself is None or one.name != graph.entities[itself]]
    return look_up(graph, name, others[:n], n)


def vectors_stem(graph: Graph, encoder: str, settings: Settings | None = None) -> Path:
    """Where the vectors of a graph by an encoder of this fingerprint belong."""
    by = hashlib.sha256(encoder.encode()).hexdigest()[:16]
    if graph.folder is not None and os.access(graph.folder, os.W_OK):
        return graph.folder / f"vectors-{by}"
    return graphs_cache(settings) / f"{graph.fingerprint}-{by}"


def graphs_cache(settings: Settings | None = None) -> Path:
    """Where the vectors of graphs lie that have no folder of their own."""
    return (settings or load_settings()).home_folder / "graphs"
