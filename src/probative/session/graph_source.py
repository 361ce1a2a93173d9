"""The graph of `reason`, with the vectors of its entities opened when a method first needs them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from probative.baselines.graphs.lru_cache import LRUCache
from probative.dry_run.stand_ins import word_vectors
from probative.engine.methods import Tools
from probative.graph.graph import Graph
from probative.graph.veracity.graph_with_index import GraphWithIndex
from probative.models.wrappers import without_cache
from probative.session.graphs import entity_index, graph_veracity
from probative.session.tools import Opener
from probative.verbs.reason import GraphLike, as_graph

if TYPE_CHECKING:
    from probative.graph.nearest import EntityIndex
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
