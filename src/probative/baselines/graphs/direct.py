"""Direct prompting: the question, worked examples, and nothing else. The graph is not read."""

from __future__ import annotations

from collections.abc import Sequence

from probative.baselines.graphs.methods import bare
from probative.baselines.graphs.options import GiveBaselineOptions
from probative.engine.search import Search
from probative.engine.tools import Tools
from probative.give.answer import answer
from probative.give.examples import examples_for
from probative.give.query import Query
from probative.give.result import Example, GiveResult
from probative.graph.graph_with_index import GraphWithIndex


def by_direct(
    query: Query,
    source: GraphWithIndex,
    tools: Tools,
    options: GiveBaselineOptions,
    examples: Sequence[Example] | None = None,
) -> Search[GiveResult]:
    """The model's answer in one call."""
    notes: list[str] = []
    worked = bare(examples_for(query, options.examples, examples))
    given = yield from answer(query, (), worked, tools, notes, step="answer", answering=options.answering)
    return GiveResult(answer=given.answer, notes=notes)
