"""Every baseline that answers a question from passages, by name."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from probative.engine.search import Search
from probative.engine.tools import Tools
from probative.registry import Registry
from probative.scope.answer.parsed import ParsedAnswer
from probative.scope.finding import chain_passage
from probative.scope.inputs import Inputs
from probative.scope.result import ScopeResult
from probative.scope.run import Run
from probative.text.prompts import fill, read_prompt
from probative.types import Verdict

AnswerMethod = Callable[[Inputs, Tools, int], Search[ScopeResult]]
"""Takes a question with its passages, the models and a seed."""

ANSWER_BASELINES = {
    "rag": "probative.baselines.passages.rag:by_rag",
    "closed-book": "probative.baselines.passages.closed_book:by_closed_book",
    "cot-sc": "probative.baselines.passages.cot_sc:by_cot_sc",
    "verify-edit": "probative.baselines.passages.verify_edit:by_verify_edit",
}
ANSWER_METHODS = ("scope", *ANSWER_BASELINES)


def answer_baseline(name: str) -> AnswerMethod:
    """Return the baseline of this name.

    >>> answer_baseline("rag").__name__
    'by_rag'
    """
    method: AnswerMethod = Registry("method", ANSWER_BASELINES, others=ANSWER_METHODS).load(name)
    return method


def to_result(
    run: Run, answer: ParsedAnswer, chain: Sequence[int] = (), *, answerable: float | None = None
) -> ScopeResult:
    """Return the result of a baseline. It judges nothing: an answer counts as supported."""
    supported = answer.text is not None
    return ScopeResult(
        passages=tuple(run.pool.originals),
        verdict=Verdict.SUPPORTED if supported else Verdict.INSUFFICIENT,
        complete=supported,
        answer=answer.text,
        citations=tuple(dict.fromkeys(run.pool.origins[index] for index in answer.citations)),
        chain=tuple(chain_passage(run, index) for index in chain),
        answerable=answerable,
        notes=tuple(run.notes),
    )


def fill_prompt(name: str, **parts: str) -> str:
    """Return a prompt of this folder with its placeholders filled.

    >>> fill_prompt("verify_answer", passage="{question}", question="Why?").splitlines()[3]
    '{question}'
    """
    return fill(read_prompt("probative.baselines.passages", name), **parts)
