"""Every way to answer a question from passages, by name, with one signature."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from probative.engine.search import Search
from probative.engine.tools import Tools
from probative.registry import Registry
from probative.scope.answer.write import ParsedAnswer
from probative.scope.pipeline import ScopeResult
from probative.types import Passage, Verdict

AnswerMethod = Callable[[str, Sequence[Passage], Tools, int], Search[ScopeResult]]
"""A question, its passages, the models and a seed."""

ANSWER_BASELINES = {
    "rag": "probative.baselines.passages.rag:by_rag",
    "closed-book": "probative.baselines.passages.closed_book:by_closed_book",
    "cot-sc": "probative.baselines.passages.cot_sc:by_cot_sc",
    "verify-edit": "probative.baselines.passages.verify_edit:by_verify_edit",
}
ANSWER_METHODS = ("scope", *ANSWER_BASELINES)


def answer_baseline(name: str) -> AnswerMethod:
    """The baseline of this name.

    >>> answer_baseline("rag").__name__
    'by_rag'
    """
    method: AnswerMethod = Registry("method", ANSWER_BASELINES, others=ANSWER_METHODS).load(name)
    return method


def answered(
    passages: Sequence[Passage], chain: Sequence[int], given: ParsedAnswer, notes: list[str]
) -> ScopeResult:
    """What a baseline gives. It judges nothing: where it has an answer, it takes it for supported."""
    return ScopeResult(
        passages=list(passages),
        judgements={},
        complete=given.text is not None,
        chain=list(chain),
        verdict=Verdict.SUPPORTED if given.text is not None else Verdict.INSUFFICIENT,
        answer=given,
        notes=notes,
    )
