"""A graph with the vectors of its entities, opened when they are first needed."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING

from probative.graph.graph import Graph

if TYPE_CHECKING:
    from probative.graph.nearest import EntityIndex


class GraphWithIndex:
    """A graph and its index. The entities are encoded only if a method searches for near entities."""

    def __init__(self, graph: Graph, open_index: Callable[[], EntityIndex]) -> None:
        self.graph = graph
        self._open_index = open_index

    @cached_property
    def index(self) -> EntityIndex:
        """The vectors of the graph's entities."""
        return self._open_index()

    @property
    def notes(self) -> tuple[str, ...]:
        """What the user should know about the stored vectors, if they have been opened."""
        return self.index.notes if "index" in self.__dict__ else ()
