"""Scope as a method of `ask` and `check`."""

from __future__ import annotations

from probative.engine.methods import Method
from probative.engine.search import Search
from probative.engine.tools import Tools
from probative.scope.inputs import Inputs
from probative.scope.options import PRESETS, ScopeOptions, default_preset
from probative.scope.pipeline.find_answer import find_answer
from probative.scope.result import ScopeResult


def by_scope(inputs: Inputs, tools: Tools, seed: int, options: ScopeOptions) -> Search[ScopeResult]:
    """Return the answer from a chain of evidence; nothing is drawn at random."""
    return find_answer(inputs, options, tools)


SCOPE = Method(
    by_scope,
    ScopeOptions,
    PRESETS,
    lambda model, reader: default_preset(model, reader=reader),
    takes_retriever=True,
)
