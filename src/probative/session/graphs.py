"""Graphs with an encoder: the index of a graph's entities, and the look-up of an entity by name."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from probative.errors import InputError
from probative.graph.formats.arguments import check_text, check_whole_number, short_repr
from probative.graph.graph import Graph
from probative.models.encoder import Encoder
from probative.settings import Settings, load_settings

if TYPE_CHECKING:
    from probative.graph.nearest import EntityIndex
    from probative.graph.summary import EntityLookup
    from probative.graph.veracity.model import Veracity

# Up to this number of entities are encoded without a request: a few seconds of the embedded encoder.
AT_ONCE = 2_000
# The indexes of the graphs in memory: the vectors of a large graph take seconds to read and check.
_OPENED: WeakKeyDictionary[Graph, dict[Path, EntityIndex]] = WeakKeyDictionary()
_FITTED: WeakKeyDictionary[Graph, dict[Path, Veracity]] = WeakKeyDictionary()


def entity_index(
    graph: Graph,
    encoder: Encoder,
    *,
    settings: Settings | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> EntityIndex:
    """Return the index of a graph's entities by the vectors of their names.

    Each distinct name is encoded once, and the vectors are stored: in the graph's folder if it can be
    written to, otherwise in the user's cache. An interrupted run continues where it stopped. Damaged vectors
    are made again, and `notes` of the index say so. A `Graph` object keeps its index. `progress` is called
    with the number of encoded entities and the total.
    """
    from probative.graph.vectors import StoredVectors

    if not isinstance(graph, Graph):
        raise InputError(
            f"graph must be a Graph, got {short_repr(graph)}", hint="open one: probative.Graph.open(path)"
        )
    if not isinstance(encoder, Encoder):
        raise InputError(
            f"encoder must be an Encoder, got {short_repr(encoder)}",
            hint="load one: probative.load_encoder(name)",
        )
    stem = vectors_stem(graph, encoder.fingerprint, settings)
    opened = _OPENED.setdefault(graph, {})
    if stem not in opened:
        stored = StoredVectors(stem, graph.fingerprint, encoder.fingerprint, encoder.dimensions)
        opened[stem] = stored.index(graph.names, encoder.encode, progress)
    return opened[stem]


def graph_veracity(
    graph: Graph,
    index: EntityIndex,
    encoder: Encoder,
    *,
    settings: Settings | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Veracity:
    """Return the veracity learned from a graph, stored beside the vectors of its entities.

    `index` has these vectors. `progress` is called with the number of edges read and the total while the
    veracity is fitted, which happens once.
    """
    from probative.graph.veracity.stored import StoredVeracity

    stem = vectors_stem(graph, encoder.fingerprint, settings)
    file = stem.with_name(f"{stem.name}.veracity.npz")
    fitted = _FITTED.setdefault(graph, {})
    if file not in fitted:
        stored = StoredVeracity(file, graph.fingerprint, encoder.fingerprint)
        fitted[file] = stored.open(graph, index, progress)
    return fitted[file]


def find_entity(
    graph: Graph,
    name: str,
    n: int = 5,
    *,
    settings: Settings | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> EntityLookup:
    """Look up an entity by its name, with its edges and the `n` nearest entities.

    The nearest are found by their vectors if the graph is encoded with the encoder of the settings, or small
    enough to be encoded now; otherwise by the words that the names share.
    """
    from probative.graph.summary import Near, look_up
    from probative.models import load_encoder

    settings = settings or load_settings()
    if not check_text(name, "the name").strip():
        raise InputError("the name is empty", hint="give the name of an entity")
    if check_whole_number(n, "n") < 1:
        raise InputError(f"n must be at least 1, got {n}")
    encoder = load_encoder(settings=settings)
    encoded = vectors_stem(graph, encoder.fingerprint, settings).with_suffix(".json").is_file()
    notes: tuple[str, ...] = ()
    if encoded or graph.entity_count <= AT_ONCE:
        index = entity_index(graph, encoder, settings=settings, progress=progress)
        notes = index.notes
        nearest = index.nearest(encoder.encode([name]), n + 1)[0]
        near = [Near(name=graph.entities[entity], cosine=round(cosine, 4)) for entity, cosine in nearest]
    else:
        near = [Near(name=graph.entities[entity]) for entity in graph.search(name, n + 1)]
    itself = graph.find(name)
    others = [entity for entity in near if itself is None or entity.name != graph.entities[itself]]
    return look_up(graph, name, others[:n], n, notes)


def vectors_stem(graph: Graph, encoder: str, settings: Settings | None = None) -> Path:
    """Return the path, without a suffix, of a graph's vectors by the encoder with this fingerprint."""
    by = hashlib.sha256(encoder.encode()).hexdigest()[:16]
    if graph.folder is not None and os.access(graph.folder, os.W_OK):
        return graph.folder / f"vectors-{by}"
    return graphs_cache(settings) / f"{graph.fingerprint}-{by}"


def graphs_cache(settings: Settings | None = None) -> Path:
    """Return the folder for the vectors of graphs that have no folder of their own."""
    return (settings or load_settings()).home_folder / "graphs"
