"""Every way to answer a question from passages, by name, with one signature."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from probative.baselines.table import method_of
from probative.evidence import Passage, Verdict
from probative.models.together import Search, Tools
from probative.scope.answering import Given
from probative.scope.search import Found

AnswerMethod = Callable[[str, Sequence[Passage], Tools, int], Search[Found]]
"""A question, its passages, the models and a seed."""

ANSWER_BASELINES = {
    "rag": "probative.baselines.rag:by_rag",
    "closed-book": "probative.baselines.closed_book:by_closed_book",
    "cot-sc": "probative.baselines.cot_sc:by_cot_sc",
    "verify-edit": "probative.baselines.verify_edit:by_verify_edit",
}
ANSWER_METHODS = ("scope", *ANSWER_BASELINES)


def answer_baseline(name: str) -> AnswerMethod:
    """The baseline of this name.

    >>> answer_baseline("rag").__name__
    'by_rag'
    """
    method: AnswerMethod = method_of(ANSWER_BASELINES, name, ANSWER_METHODS)
    return method


def answered(passages: Sequence[Passage], chain: Sequence[int], given: Given, notes: list[str]) -> Found:
    """What a baseline gives. It judges nothing: where it has an answer, it takes it for supported."""
    return Found(
        passages=list(passages),
        judgements={},
        complete=given.text is not None,
        chain=list(chain),
        verdict=Verdict.SUPPORTED if given.text is not None else Verdict.INSUFFICIENT,
        answer=given,
        notes=notes,
    )
