"""What the verdict model says about an answer beyond its judgement of the chain.

A long passage has many sentences that the answer does not need: the cited ones alone must entail it, too. In
several passages, another candidate may be entailed as surely as the answer.
"""

from __future__ import annotations

from collections.abc import Sequence

from probative.engine.search import Search, judge
from probative.errors import WeightsError
from probative.models.verdict import MAX_EVIDENCE
from probative.scope.answer.candidates import answer_candidates
from probative.scope.checks import Signals
from probative.scope.finding import Finding
from probative.scope.run import Run
from probative.scope.sentences import PassageSentence, evidence_item, same_answer
from probative.verdict.claim import statement

# The most sentences that count as cited, and the sentences before and after each that other candidates are
# judged by.
MAX_CITED = 4
NEIGHBOURS = 1
# Of several passages with at most this many sentences, other candidates are judged by all.
MAX_SENTENCES = 12
# Other candidates that are judged.
MAX_OTHERS = 3


def judge_cited(
    run: Run, finding: Finding, answer: str, sentences: Sequence[PassageSentence], cited: Sequence[int]
) -> Search[Signals]:
    """Return how surely the cited rows of the sentences entail the answer; for a chain of several passages,
    how surely the sentences around them entail another candidate.
    """
    several = len(finding.indexes) > 1
    rows = around(sentences, cited) if several else sorted(cited[:MAX_CITED])
    texts = other_candidates(run, finding, answer) if several else [answer]
    evidence = [sentences[row] for row in rows][:MAX_EVIDENCE]
    if not evidence or not texts:
        return Signals()
    items = [evidence_item(run, statement(run.question.text, text), evidence) for text in texts]
    try:
        scores = yield from judge(items, step="verdict")
    except WeightsError:
        return Signals()
    highest = max(score.supported for score in scores)
    return Signals(other_entailed=highest) if several else Signals(cited_entailed=highest)


def around(sentences: Sequence[PassageSentence], cited: Sequence[int]) -> list[int]:
    """Return the rows of the first `MAX_CITED` cited sentences and of their neighbours in the same passage;
    all rows if there are few, because each of several short passages is needed.
    """
    if len(sentences) <= MAX_SENTENCES:
        return list(range(len(sentences)))
    return [
        row
        for row, sentence in enumerate(sentences)
        if any(
            abs(row - other) <= NEIGHBOURS and sentences[other].index == sentence.index
            for other in cited[:MAX_CITED]
        )
    ]


def other_candidates(run: Run, finding: Finding, answer: str) -> list[str]:
    """Return other texts that could be the answer: those of the reader, then those of the kind asked for."""
    read = () if finding.reading is None else finding.reading.candidates
    others: list[str] = []
    for text in (*(candidate.text for candidate in read), *answer_candidates(run, finding.indexes)):
        if not any(same_answer(text, other) for other in (answer, *others)):
            others.append(text)
    return others[:MAX_OTHERS]
