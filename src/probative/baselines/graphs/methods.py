"""Every way to answer a question over a graph, by name, with one signature."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from probative.baselines.graphs.options import GiveBaselineOptions
from probative.engine.search import Search
from probative.engine.tools import Tools
from probative.give.answer import Section, answer, answer_prompt
from probative.give.knowledge import that_fits, written
from probative.give.options import Shape
from probative.give.query import Form, Query
from probative.give.result import Example, GiveResult
from probative.graph.graph_with_index import GraphWithIndex
from probative.registry import Registry
from probative.text.prompts import fenced, fill, read_prompt
from probative.types import Triple

KNOWN = "What a knowledge graph says"


class GraphMethod(Protocol):
    """A question, its graph, the models and the options; and worked examples of the user's own."""

    def __call__(
        self,
        query: Query,
        source: GraphWithIndex,
        tools: Tools,
        options: GiveBaselineOptions,
        examples: Sequence[Example] | None = None,
    ) -> Search[GiveResult]:
        """What the method found."""


GRAPH_BASELINES = {
    "direct": "probative.baselines.graphs.direct:by_direct",
    "cot": "probative.baselines.graphs.cot:by_cot",
    "rag": "probative.baselines.graphs.rag_triples:by_rag_triples",
    "tog": "probative.baselines.graphs.tog:by_tog",
    "graphrag": "probative.baselines.graphs.graphrag:by_graphrag",
}
GRAPH_METHODS = ("give", *GRAPH_BASELINES)


def graph_baseline(name: str) -> GraphMethod:
    """The baseline of this name.

    >>> graph_baseline("tog").__name__
    'by_tog'
    """
    method: GraphMethod = Registry("method", GRAPH_BASELINES, others=GRAPH_METHODS).load(name)
    return method


class FromTriples(NamedTuple):
    """An answer, and the triples that the model read for it."""

    answer: str | None
    read: tuple[Triple, ...]


def answer_from(
    triples: Sequence[Triple],
    query: Query,
    examples: Sequence[Example],
    tools: Tools,
    options: GiveBaselineOptions,
    notes: list[str],
    shape: Shape,
) -> Search[FromTriples]:
    """The answer after reading triples, as many of them from the start as fit into the model's window."""
    shape = options.shape or shape
    frame = tools.model.count_tokens(answer_prompt(query, (), examples, shape))
    (read,) = that_fits([triples], frame, shape, tools.model, notes)
    given = yield from answer(
        query,
        [Section(KNOWN, written(read, shape))],
        examples,
        tools,
        notes,
        step="answer",
        shape=shape,
        answering=options.answering,
    )
    return FromTriples(given.answer, tuple(read))


def prompt(name: str, **parts: str) -> str:
    """One of the prompts beside this file, filled in."""
    return fill(read_prompt("probative.baselines.graphs", name), **parts)


def asked(query: Query) -> str:
    """The question with its choices, a line each, none of which can look like another part of a prompt."""
    return "\n".join(fenced(line) for line in query.asked.splitlines())


def as_query(example: Example, form: Form) -> Query:
    """An example's question as a query, to be shown in the same way."""
    return Query(example.question, example.choices, form)


def bare(examples: Sequence[Example]) -> list[Example]:
    """Examples without knowledge, for a prompt that has none.

    >>> moss = Triple(head="moss", relation="is", tail="green")
    >>> bare([Example(question="Is moss green?", knowledge=(moss,), answer="yes")])[0].knowledge
    ()
    """
    return [example.model_copy(update={"knowledge": ()}) for example in examples]
