"""Methods and metrics that the leaderboard compares, by name; other packages add theirs by an entry point."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from probative.baselines.passages.methods import ANSWER_METHODS
from probative.bench.experiment import Lab
from probative.registry import Registry
from probative.types import Passage

Method = Callable[[str, Sequence[Passage], Lab], str]
"""Takes a question, its passages and the lab; returns the answer."""
Metric = Callable[[str, str], float]
"""Takes an answer and the right one; returns a figure between 0 and 1."""

METHODS = Registry("method", {}, group="probative.methods", others=ANSWER_METHODS)
"""Methods of other packages; those of `ask` are known by name."""
METRICS = Registry(
    "metric",
    {
        "exact match": "probative.bench.metrics:exact_match",
        "F1": "probative.bench.metrics:answer_f1",
        "right": "probative.bench.metrics:is_right",
    },
    group="probative.metrics",
)
"""Metrics of an answer."""


def answer(method: str, question: str, passages: Sequence[Passage], lab: Lab) -> str:
    """Return the answer of a method: one of `ask`, or a plug-in; raises `InputError` for an unknown name."""
    if method in ANSWER_METHODS:
        changes: dict[str, Any] = {"answer_anyway": True} if method in ("scope", "rag") else {}
        return (
            lab.session.ask(question, passages, method=method, seed=lab.settings.seed, **changes).answer or ""
        )
    plugin: Method = METHODS.load(method)
    return plugin(question, passages, lab)
