"""A graph with the vectors of its entities and its veracity, opened when they are first needed."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING

from probative.graph.graph import Graph

if TYPE_CHECKING:
    from probative.graph.nearest import EntityIndex
    from probative.graph.veracity.model import Veracity


class GraphWithIndex:
    """A graph, its index and its veracity.

    The entities are encoded only if a method searches for near entities, and the veracity is fitted only if
    a method asks for it. Without `open_veracity` it is fitted anew and not stored.
    """

    def __init__(
        self,
        graph: Graph,
        open_index: Callable[[], EntityIndex],
        open_veracity: Callable[[EntityIndex], Veracity] | None = None,
    ) -> None:
        self.graph = graph
        self._open_index = open_index
        self._open_veracity = open_veracity

    @cached_property
    def index(self) -> EntityIndex:
        """The vectors of the graph's entities."""
        return self._open_index()

    @cached_property
    def veracity(self) -> Veracity:
        """The veracity learned from the graph."""
        if self._open_veracity is not None:
            return self._open_veracity(self.index)
        from probative.graph.veracity.fit import fit_veracity

        return fit_veracity(self.graph.edges, self.index.take)

    @property
    def notes(self) -> tuple[str, ...]:
        """What the user should know about the stored vectors, if they have been opened."""
        return self.index.notes if "index" in self.__dict__ else ()
