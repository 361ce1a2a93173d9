"""Compute from the chain and, if it lacks a value, from the other passages about what is compared."""

from __future__ import annotations

from collections.abc import Sequence

from probative.engine.search import Search
from probative.scope.answer.compare.compute import compute_answer
from probative.scope.answer.compare.computed import ComputedAnswer
from probative.scope.answer.compare.evidence import chain_evidence
from probative.scope.answer.compare.resolve import find_options
from probative.scope.run import Run
from probative.text import english
from probative.text.names import mentions

# Passages outside the chain that are looked at, in their order.
MAX_MORE = 12


def compute_with_more(
    run: Run, chain: Sequence[int]
) -> Search[tuple[ComputedAnswer | None, tuple[int, ...]]]:
    """Return what is computed, and the passages outside the chain that it needed.

    The evidence policy stops at what it takes for enough; a comparison needs a value for every option.
    """
    computed = yield from compute_answer(run, chain)
    if run.question.parsed.decomposition is None or (computed is not None and computed.answer is not None):
        return computed, ()
    more = _passages_about_options(run, chain)
    if not more:
        return computed, ()
    again = yield from compute_answer(run, (*chain, *more))
    if again is None or (
        again.answer is None and computed is not None and len(again.missing) >= len(computed.missing)
    ):
        return computed, ()
    return again, tuple(index for index in more if index in again.citations)


def _passages_about_options(run: Run, chain: Sequence[int]) -> list[int]:
    """Return the judged passages outside the chain about an option or, for a role, about someone whom those
    name.
    """
    parts = run.question.parsed.decomposition
    assert parts is not None
    evidence = chain_evidence(run, run.pool.judged)
    about = [entry for option in find_options(run, parts, evidence) for entry in evidence.about(option)]
    indexes = {entry.index for entry in about}
    if parts.role is not None:
        for index, passage in evidence.passages:
            name = english.subject_name(passage)
            if name and any(mentions(entry.text, name) for entry in about):
                indexes.add(index)
    if parts.limit_question:
        indexes.update(run.pool.judged)
    return [index for index in run.pool.judged if index in indexes and index not in chain][:MAX_MORE]
