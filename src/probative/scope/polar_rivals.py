"""Passages that say the opposite of a yes or no: by the verdict model.

"Did the ferry leave on time?" is answered by one passage with yes. Another one, "The ferry left an hour
late", was found by the same question and shares its words: by it alone, the verdict model denies the
statement.
"""

from __future__ import annotations

from collections.abc import Sequence

from probative.engine.search import Search, judge
from probative.models.verdict import VerdictItem
from probative.scope.run import Run
from probative.scope.sentences import PassageSentence, passage_sentences
from probative.text.words import words
from probative.verdict.statement import statement

# Sentences that are asked about.
MAX_SENTENCES = 3
# The share of the question's words that a sentence must have, and how surely it must deny the statement.
MIN_SHARE = 0.4
MIN_DENIED = 0.8


def polar_rivals(run: Run, answer: str, others: Sequence[int]) -> Search[list[PassageSentence]]:
    """Return the sentences of other passages beside which the verdict model denies a yes or no."""
    candidates = _nearest(run, others)
    if not candidates:
        return []
    claim = statement(run.question.text, answer)
    scores = yield from judge(
        [VerdictItem(claim, (sentence.text,)) for sentence in candidates], step="conflicts"
    )
    return [
        sentence
        for sentence, score in zip(candidates, scores, strict=True)
        if score.contradicted >= MIN_DENIED
    ]


def _nearest(run: Run, others: Sequence[int]) -> list[PassageSentence]:
    """Return the sentences that share the most words with the question, and every name of it."""
    asked = run.question.parsed.words
    named = {word for name in run.question.parsed.names for word in words(name)}
    shared = {
        sentence: len(asked & set(words(sentence.text)))
        for sentence in passage_sentences(run, others)
        if named <= set(words(sentence.whole))
    }
    near = [sentence for sentence, count in shared.items() if count >= MIN_SHARE * len(asked)]
    return sorted(near, key=lambda sentence: -shared[sentence])[:MAX_SENTENCES]
