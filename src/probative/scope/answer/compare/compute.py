"""The entry point: the answer that is computed from the chain, if the question asks for a computation."""

from __future__ import annotations

from collections.abc import Sequence

from probative.engine.search import Search
from probative.scope.answer.compare.computed import ComputedAnswer
from probative.scope.answer.compute import compute_by_rule, missing_date
from probative.scope.run import Run


def compute_answer(run: Run, chain: Sequence[int]) -> Search[ComputedAnswer | None]:
    """Return the computed answer, or what is missing for it; None if the question asks for no computation
    or the chain does not decide it.
    """
    yield from ()
    computed = compute_by_rule(run, chain)
    if computed is not None:
        return ComputedAnswer(computed.answer, computed.reason, supporting=computed.citations)
    if (missing := missing_date(run, chain)) is not None:
        return ComputedAnswer(None, run.notes.pop(), missing=(missing,))
    return None
