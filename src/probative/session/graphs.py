"""Graphs with an encoder: the index of a graph's entities, the look-up of an entity by name, and the graph of
`reason`, with the vectors of its entities opened when a method first needs them.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from probative.baselines.graphs.lru_cache import LRUCache
from probative.dry_run.stand_ins import word_vectors
from probative.engine.methods import Tools
from probative.errors import InputError
from probative.graph.formats.arguments import check_text, check_whole_number, short_repr
from probative.graph.graph import Graph
from probative.graph.veracity.graph_with_index import GraphWithIndex
from probative.models.encoder import Encoder
from probative.models.wrappers import without_cache
from probative.session.tools import Opener
from probative.settings import Settings, load_settings
from probative.verbs.reason import GraphLike, as_graph

if TYPE_CHECKING:
    from probative.graph.nearest import EntityIndex
    from probative.graph.summary import EntityLookup
    from probative.graph.veracity.model import Veracity

Progress = Callable[[int, int], None]

# Opened graphs that a session keeps; a large one is mapped into memory, not read.
KEPT_GRAPHS = 4


# What is learned from a graph with more edges is left out of a dry run.
LEARNED_EDGES = 20_000
_WORD_INDEXES: WeakKeyDictionary[Graph, EntityIndex] = WeakKeyDictionary()
_WORD_VERACITIES: WeakKeyDictionary[Graph, Veracity] = WeakKeyDictionary()


class OpenedGraphs:
    """The graphs that a session has read, by path, until their files change."""

    def __init__(self) -> None:
        self._graphs: LRUCache[Graph] = LRUCache(KEPT_GRAPHS)

    def open(self, graph: GraphLike) -> Graph:
        """Return the graph, read from its file or folder unless that was done before."""
        if not isinstance(graph, str | Path):
            return as_graph(graph)
        key = (str(Path(graph).absolute()), _state(Path(graph)))
        opened = self._graphs.get(key)
        if opened is None:
            opened = as_graph(graph)
            self._graphs.put(key, opened)
        return opened


def _state(path: Path) -> tuple[tuple[str, int, int], ...]:
    """Return the names, times and sizes of a file, or of the files in a folder; nothing if there is none."""
    try:
        files = sorted(path.iterdir()) if path.is_dir() else [path]
        return tuple((file.name, (found := file.stat()).st_mtime_ns, found.st_size) for file in files)
    except OSError:
        return ()


def graph_source(
    graph: Graph,
    tools: Tools,
    opener: Opener,
    progress: Progress | None,
    *,
    stand_in: bool,
    learning: Progress | None = None,
) -> GraphWithIndex:
    """Return a graph whose entities are embedded when a method first looks for near ones.

    `progress` is called while entities are embedded, `learning` while the veracity is fitted. With
    `stand_in`, as a dry run needs it, nothing is encoded or stored: the vectors are those of words.
    """

    def index() -> EntityIndex:
        if stand_in:
            return _word_index(graph)
        # The vectors of a graph have a store of their own: a million of them must not fill the cache.
        encoder = without_cache(tools.encoder)
        return entity_index(graph, encoder, settings=opener.settings, progress=progress)

    def veracity(index: EntityIndex) -> Veracity:
        if stand_in:
            return _word_veracity(graph, index)
        encoder = without_cache(tools.encoder)
        return graph_veracity(graph, index, encoder, settings=opener.settings, progress=learning)

    return GraphWithIndex(graph, index, veracity)


def _word_index(graph: Graph) -> EntityIndex:
    from probative.graph.nearest import EntityIndex

    if graph not in _WORD_INDEXES:
        _WORD_INDEXES[graph] = EntityIndex(word_vectors(list(graph.entities)))
    return _WORD_INDEXES[graph]


def _word_veracity(graph: Graph, index: EntityIndex) -> Veracity:
    from probative.graph.veracity.calibration import Calibration
    from probative.graph.veracity.fit import fit_veracity
    from probative.graph.veracity.model import Veracity

    if graph.edge_count > LEARNED_EDGES:
        return Veracity((), Calibration(), Calibration())
    if graph not in _WORD_VERACITIES:
        _WORD_VERACITIES[graph] = fit_veracity(graph.edges, index.take)
    return _WORD_VERACITIES[graph]


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
