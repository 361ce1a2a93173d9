"""The signals from the cited sentences alone: by the reader, the verdict model, the policy and the words.

A long chain contains many sentences that the answer does not need. A correct answer is also found in the
cited sentences alone, and in the cited sentences with their neighbours.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from probative.engine.policy_chain import probabilities
from probative.engine.search import Search, judge, weigh
from probative.errors import WeightsError
from probative.models.evidence_policy import PolicyState
from probative.models.verdict import MAX_EVIDENCE
from probative.scope.answer.candidates import answer_candidates
from probative.scope.answer.read import request_for
from probative.scope.checks import Signals
from probative.scope.conclude.second_reading import OtherReading, read_again
from probative.scope.finding import Candidate
from probative.scope.run import Run
from probative.scope.sentences import PassageSentence, evidence_item, same_answer
from probative.types import Passage
from probative.verdict.claim import statement

# The most sentences that count as cited, and the sentences before and after each that its window has.
MAX_CITED = 4
NEIGHBOURS = 1
# The most sentences of several passages that all count as cited.
MAX_SENTENCES = 12
# Other candidates that are put as a statement.
MAX_OTHERS = 3


@dataclass(frozen=True)
class Excerpts:
    """The rows of the cited sentences of a chain, and of these with their neighbours."""

    sentences: Sequence[PassageSentence]
    cited: tuple[int, ...]
    window: tuple[int, ...]

    @property
    def is_whole(self) -> bool:
        """Whether every sentence of the chain counts as cited."""
        return len(self.cited) == len(self.sentences)

    def texts(self, rows: Sequence[int]) -> tuple[str, ...]:
        """Return the sentences at some rows with their titles."""
        return tuple(self.sentences[row].whole for row in rows)

    def passages(self, rows: Sequence[int]) -> list[Passage]:
        """Return the sentences at some rows as passages, one for each passage of the chain."""
        chosen = (self.sentences[row] for row in rows)
        return [
            Passage(text=" ".join(sentence.text for sentence in group), title=title)
            for (_, title), group in groupby(chosen, key=lambda sentence: (sentence.index, sentence.title))
        ]


def excerpts_of(sentences: Sequence[PassageSentence], cited: Sequence[int]) -> Excerpts:
    """Return the excerpts around the cited rows, the first `MAX_CITED` of them.

    If the chain has several short passages, all their sentences count as cited, because each is needed.
    """
    if len({sentence.index for sentence in sentences}) > 1 and len(sentences) <= MAX_SENTENCES:
        whole = tuple(range(len(sentences)))
        return Excerpts(sentences, whole, whole)
    rows = tuple(sorted(cited[:MAX_CITED]))
    window = tuple(
        row
        for row, sentence in enumerate(sentences)
        if any(abs(row - other) <= NEIGHBOURS and sentences[other].index == sentence.index for other in rows)
    )
    return Excerpts(sentences, rows, window)


def read_excerpts(run: Run, excerpts: Excerpts, chain: Sequence[int], answer: str) -> Search[Signals]:
    """Return the readings of the cited sentences and of their window, unless they were already read."""
    whole = tuple(range(len(excerpts.sentences)))
    unread = [rows for rows in dict.fromkeys((excerpts.cited, excerpts.window)) if rows not in ((), whole)]
    requests = [request_for(run, excerpts.passages(rows)) for rows in unread]
    readings = yield from read_again(run, requests, chain, answer)
    reading_of = dict(zip(unread, readings, strict=True))
    cited = reading_of.pop(excerpts.cited, OtherReading())
    window = reading_of.pop(excerpts.window, OtherReading())
    return Signals(
        cited_agreement=cited.agreement,
        cited_answerable=cited.answerable,
        window_agreement=window.agreement,
        window_answerable=window.answerable,
    )


def judge_excerpts(
    run: Run, excerpts: Excerpts, chain: Sequence[int], answer: str, candidates: Sequence[Candidate]
) -> Search[Signals]:
    """Return what the verdict model says about the answer by the cited sentences alone, and the highest
    support that another candidate has by their window.
    """
    if not excerpts.cited:
        return Signals()
    window, cited = (
        [excerpts.sentences[row] for row in rows] for rows in (excerpts.window[:MAX_EVIDENCE], excerpts.cited)
    )
    items = [evidence_item(run, statement(run.question.text, answer), cited)]
    others = other_candidates(run, chain, answer, candidates)
    items += [evidence_item(run, statement(run.question.text, other), window) for other in others]
    try:
        of_answer, *of_others = yield from judge(items, step="verdict")
    except WeightsError:
        return Signals()
    return Signals(
        cited_entailed=of_answer.supported,
        cited_denied=of_answer.contradicted,
        other_entailed=max((score.supported for score in of_others), default=None),
    )


def other_candidates(
    run: Run, chain: Sequence[int], answer: str, candidates: Sequence[Candidate]
) -> list[str]:
    """Return other texts that could be the answer: those of the reader, then those of the kind asked for."""
    others: list[str] = []
    for text in (*(candidate.text for candidate in candidates), *answer_candidates(run, chain)):
        if not any(same_answer(text, other) for other in (answer, *others)):
            others.append(text)
    return others[:MAX_OTHERS]


def weigh_excerpts(run: Run, excerpts: Excerpts) -> Search[Signals]:
    """Return the policy's probability that the cited sentences are enough, if it has not weighed them yet."""
    if run.options.cover != "learned" or not excerpts.cited or excerpts.is_whole:
        return Signals()
    state = PolicyState(run.question.text, excerpts.texts(excerpts.cited), ())
    (scores,) = yield from weigh([state], step="evidence")
    _, complete, _ = probabilities(scores)
    return Signals(cited_complete=complete)
