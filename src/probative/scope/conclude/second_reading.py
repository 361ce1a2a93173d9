"""A second reading: the same question, answered from the passages that fit it best by themselves.

The chain was chosen passage after passage. These passages were chosen independently, and long ones are read
whole. An answer that both readings give is right far more often than one that only the first gives.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from probative.engine.search import Search, generate_or_empty
from probative.errors import EmptyError
from probative.models.types import Completion, Request
from probative.scope.answer.read import read_alternatives, request_for
from probative.scope.checks import Signals
from probative.scope.finding import Finding
from probative.scope.run import Run
from probative.scope.sentences import same_answer
from probative.text import english
from probative.text.words import best_first, bm25, words

# How many passages the second reading reads, and how many words at most.
PASSAGES = 5
MAX_WORDS = 320


@dataclass(frozen=True)
class OtherReading:
    """The probability of the same answer in another reading, and that there is an answer, if known."""

    agreement: float | None = None
    answerable: float | None = None


def read_other_passages(run: Run, finding: Finding, answer: str) -> Search[Signals]:
    """Return the probability of an answer in a second reading; nothing if there is nothing else to read."""
    indexes = best_passages(run, finding)
    if not indexes or (set(indexes) == set(finding.indexes) and not run.excerpts):
        return Signals()
    request = request_for(run, run.pool.at(indexes))
    (other,) = yield from read_again(run, [request], indexes, answer)
    return Signals(agreement=other.agreement)


def read_again(
    run: Run, requests: Sequence[Request], indexes: Sequence[int], answer: str
) -> Search[list[OtherReading]]:
    """Return what the reader says to some requests, whose passages are among those with these indexes."""
    if not requests:
        return []
    replies = yield from generate_or_empty(requests, step="second reading")
    return [_compared(run, reply, indexes, answer) for reply in replies]


def _compared(run: Run, reply: Completion | EmptyError, indexes: Sequence[int], answer: str) -> OtherReading:
    if isinstance(reply, EmptyError) or reply.finish_reason == "dry-run":
        return OtherReading()
    if not reply.alternatives:
        other = english.read_answer(reply.text)
        return OtherReading(float(other is not None and same_answer(other, answer)))
    reading = read_alternatives(run, reply, indexes)
    agreeing = (other.probability for other in reading.candidates if same_answer(other.text, answer))
    agreement = min(1.0, sum(agreeing))
    return OtherReading(agreement, reading.answerable)


def best_passages(run: Run, finding: Finding) -> list[int]:
    """Return the passages that fit the question best, in the order of the pool, up to `MAX_WORDS` words."""
    relevance: Sequence[float] = finding.chain.judged.relevance
    if len(relevance) != len(run.pool.judged):
        relevance = bm25(run.question.words, [words(passage.whole) for passage in run.pool.candidates()])
    chosen: list[int] = []
    length = 0
    for row in best_first(relevance)[:PASSAGES]:
        index = run.pool.judged[row]
        length += len(run.pool.passages[index].whole.split())
        if chosen and length > MAX_WORDS:
            break
        chosen.append(index)
    return sorted(chosen)
