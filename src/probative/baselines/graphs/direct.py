"""Direct prompting: the question and worked examples. The graph is not read."""

from __future__ import annotations

from probative.baselines.graphs.answers import BaselineRun, without_knowledge
from probative.baselines.graphs.options import GiveBaselineOptions
from probative.engine.methods import Method
from probative.engine.search import Search
from probative.give.answer import answer
from probative.give.result import GiveResult


def by_direct(run: BaselineRun) -> Search[GiveResult]:
    """Answer in one call."""
    staged = yield from answer(run, (), without_knowledge(run.examples), step="answer")
    return GiveResult(answer=staged.answer, notes=run.notes)


DIRECT = Method(by_direct, GiveBaselineOptions)
