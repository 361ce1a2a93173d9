"""The graph of `reason`, with the vectors of its entities opened when a method first needs them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from probative.baselines.graphs.lru_cache import LRUCache
from probative.engine.methods import Tools
from probative.graph.graph import Graph
from probative.graph.veracity.graph_with_index import GraphWithIndex
from probative.models.encoder import Encoder
from probative.models.wrappers import without_cache
from probative.session.graphs import AT_ONCE, entity_index, graph_veracity, vectors_stem
from probative.session.tools import Opener
from probative.verbs.reason import GraphLike, as_graph

if TYPE_CHECKING:
    from probative.graph.nearest import EntityIndex
    from probative.graph.veracity.model import Veracity

Progress = Callable[[int, int], None]

# Opened graphs that a session keeps; a large one is mapped into memory, not read.
KEPT_GRAPHS = 4


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
    `stand_in`, nothing is embedded: every vector is zero, as a dry run needs it.
    """

    def index() -> EntityIndex:
        if stand_in:
            import numpy as np

            from probative.graph.nearest import EntityIndex

            return EntityIndex(np.zeros((graph.entity_count, tools.encoder.dimensions), dtype=np.float32))
        # The vectors of a graph have a store of their own: a million of them must not fill the cache.
        encoder = without_cache(tools.encoder)
        return entity_index(graph, encoder, settings=opener.settings, progress=progress)

    def veracity(index: EntityIndex) -> Veracity:
        if stand_in:
            from probative.graph.veracity.calibration import Calibration
            from probative.graph.veracity.model import Veracity

            return Veracity((), Calibration(), Calibration())
        encoder = without_cache(tools.encoder)
        return graph_veracity(graph, index, encoder, settings=opener.settings, progress=learning)

    return GraphWithIndex(graph, index, veracity)


def dry_run_encoder(graph: Graph, opener: Opener) -> Encoder | None:
    """Return the encoder with which a dry run searches a graph, or None for a stand-in.

    The embedded encoder costs nothing. If it has embedded the graph already, or can at once, the dry run uses
    it and counts what a real run would; otherwise the groups are stand-ins and the count is rougher.
    """
    if opener.settings.encoder != "embedded":
        return None
    encoder = opener.real_encoder()
    stored = vectors_stem(graph, encoder.fingerprint, opener.settings).with_suffix(".json").is_file()
    return encoder if stored or graph.entity_count <= AT_ONCE else None
