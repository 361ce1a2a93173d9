"""Every way to answer a question over a graph, by name, with one signature."""

from __future__ import annotations

import importlib
from collections.abc import Callable

from probative.baselines.graph_options import GiveBaselineOptions
from probative.errors import InputError
from probative.give.found import Reasoned
from probative.give.query import Query
from probative.graph.indexed import IndexedGraph
from probative.models.together import Search, Tools

GraphMethod = Callable[[Query, IndexedGraph, Tools, GiveBaselineOptions], Search[Reasoned]]
"""A query, the graph, the models and the options."""

GRAPH_BASELINES = {
    "direct": "probative.baselines.direct:by_direct",
    "cot": "probative.baselines.cot:by_cot",
    "rag": "probative.baselines.rag_triples:by_rag_triples",
    "tog": "probative.baselines.tog:by_tog",
    "graphrag": "probative.baselines.graphrag:by_graphrag",
}
GRAPH_METHODS = ("give", *GRAPH_BASELINES)


def graph_baseline(name: str) -> GraphMethod:
    """The baseline of this name."""
    if name not in GRAPH_BASELINES:
        raise InputError(f"there is no method called {name!r}", mend=f"one of {', '.join(GRAPH_METHODS)}")
    module, _, function = GRAPH_BASELINES[name].partition(":")
    method: GraphMethod = getattr(importlib.import_module(module), function)
    return method
