"""A graph with the vectors of its entities, opened when they are first needed."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING

from probative.graph.graph import Graph

if TYPE_CHECKING:
    from probative.graph.nearest import EntityIndex


class GraphWithIndex:
    """A graph and its index: a method that never looks for near entities never has them embedded."""

    def __init__(self, graph: Graph, open_index: Callable[[], EntityIndex]) -> None:
        self.graph = graph
        self._open_index = open_index

    @cached_property
    def index(self) -> EntityIndex:
        """The vectors of the graph's entities."""
        return self._open_index()
