"""What the baselines that answer a question from passages share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from probative.engine.search import Search
from probative.scope.checks import AnswerCheck
from probative.scope.conclude.verdict import conclude
from probative.scope.finding import Chain, Finding, ParsedAnswer, Reading
from probative.scope.pipeline.to_result import to_result as result_of
from probative.scope.question import Features, Judgements
from probative.scope.result import ScopeResult
from probative.scope.run import Run
from probative.text.prompts import fill, read_prompt

# Why an answer is not supported that the model gave without reading.
NOTHING_READ = "the model answered without reading a passage: nothing supports the answer"


def to_result(
    run: Run, answer: ParsedAnswer, chain: Sequence[int] = (), *, reading: Reading | None = None
) -> Search[ScopeResult]:
    """Return the result of a baseline. Its answer is given whatever the verdict is, which is found as for
    scope: by the words of the chain and by the verdict model. Without a chain, nothing supports an answer.
    """
    finding = Finding(
        chain=_unjudged(run, chain),
        indexes=tuple(chain),
        complete=True,
        missing=(),
        answer=answer,
        answerable=None if reading is None else reading.answerable,
        reading=reading,
    )
    if answer.text is not None and chain:
        finding = yield from conclude(run, finding)
    else:
        reason = NOTHING_READ if answer.text is not None else "the model finds no answer"
        check = AnswerCheck(name="answerable", passed=False, text=reason)
        finding = replace(finding, complete=False, checks=(check,))
    return replace(result_of(run, finding), answer=answer.text, candidate=None, features=None, judgements=())


def _unjudged(run: Run, chain: Sequence[int]) -> Chain:
    """Return the passages as a chain about whose features nothing is known."""
    features = Features(intent=run.question.parsed.intent or "answer")
    judgements = Judgements(features, [[0.0] for _ in run.pool.judged])
    return Chain(tuple(run.pool.judged.index(index) for index in chain), judgements, judgements)


def fill_prompt(name: str, **parts: str) -> str:
    """Return a prompt of this folder with its placeholders filled.

    >>> fill_prompt("verify_answer", passage="{question}", question="Why?").splitlines()[3]
    '{question}'
    """
    return fill(read_prompt("probative.baselines.passages", name), **parts)
