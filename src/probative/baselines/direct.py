"""Direct prompting: the question, worked examples, and nothing else. The graph is not read."""

from __future__ import annotations

from collections.abc import Sequence

from probative.baselines.graph_answers import bare
from probative.baselines.graph_options import GiveBaselineOptions
from probative.give.answering import answer
from probative.give.examples import examples_for
from probative.give.found import Example, Reasoned
from probative.give.query import Query
from probative.graph.indexed import IndexedGraph
from probative.models.together import Search, Tools


def by_direct(
    query: Query,
    source: IndexedGraph,
    tools: Tools,
    options: GiveBaselineOptions,
    examples: Sequence[Example] | None = None,
) -> Search[Reasoned]:
    """The model's answer in one call."""
    notes: list[str] = []
    worked = bare(examples_for(query, options.examples, examples))
    given = yield from answer(query, (), worked, tools, notes, step="answer", answering=options.answering)
    return Reasoned(answer=given.answer, notes=notes)
