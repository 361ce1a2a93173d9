"""What every step of one question needs: the query, the graph, the options, the models and the notes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Generic, TypeVar

from probative.engine.methods import Tools
from probative.give.options import AnswerOptions
from probative.give.query import Query
from probative.give.result import Example
from probative.graph.graph import Graph
from probative.graph.veracity.graph_with_index import GraphWithIndex

Options_co = TypeVar("Options_co", bound=AnswerOptions, covariant=True)


@dataclass(frozen=True)
class Run(Generic[Options_co]):
    """One question over one graph, by give or by a baseline.

    `examples` are the worked examples for the prompts. Steps append to `notes` what the user should know.
    """

    query: Query
    source: GraphWithIndex
    options: Options_co
    tools: Tools
    examples: tuple[Example, ...] = ()
    notes: list[str] = field(default_factory=list)

    @property
    def graph(self) -> Graph:
        """The graph without its index."""
        return self.source.graph

    def note(self, text: str) -> None:
        """Add a note for the user."""
        self.notes.append(text)
