"""A chain of passages that name one another: for evidence over several hops.

The second hop of a question shares few words with it; the first hop names it. A passage therefore counts for
how well it fits the question, for being about a node of the question, for the words of the question that no
chosen passage contains, and for being about something that a chosen passage names. Another passage about the
same subject counts less.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from probative.scope.cover.links import Links
from probative.scope.features import Judgements
from probative.scope.run import Run
from probative.text.words import words

# Chosen on 200 questions of HotpotQA and 200 of 2WikiMultihopQA; see docs/results.md.
ABOUT_A_NODE = 2.0
NAMED = 5.0
NEW_WORDS = 6.0
SAME_SUBJECT = 1.0


def linked_cover(run: Run, judgements: Judgements) -> list[int]:
    """Return the rows of at most `max_passages` passages, in the order in which they were taken."""
    passages = run.pool.candidates()
    links = Links(passages)
    texts = [frozenset(words(passage.whole)) for passage in passages]
    rarity = _rarity(run.question.parsed.words, texts)
    total = sum(rarity.values()) or 1.0
    base = _base_values(run, judgements, links)
    chosen: list[int] = []
    missing = set(rarity)

    def value(row: int) -> float:
        if not chosen:
            return base[row]
        named = NAMED if any(links.named_by(row, other) for other in chosen) else 0.0
        same = SAME_SUBJECT * sum(links.same_subject(row, other) for other in chosen)
        new = NEW_WORDS * sum(rarity[word] for word in missing & texts[row]) / total
        return base[row] + named - same + new

    while len(chosen) < min(run.options.max_passages, len(passages)):
        best = max((row for row in range(len(passages)) if row not in chosen), key=value)
        chosen.append(best)
        missing -= texts[best]
    return chosen


def _base_values(run: Run, judgements: Judgements, links: Links) -> list[float]:
    """Return how well each passage fits the question, more if the question names its subject."""
    question = f" {' '.join(run.question.words)} "
    relevance = judgements.relevance or [float(sum(row)) for row in judgements.strengths]
    return [
        fit + (ABOUT_A_NODE if subject and f" {subject} " in question else 0.0)
        for fit, subject in zip(relevance, links.subjects, strict=True)
    ]


def _rarity(question: frozenset[str], texts: Sequence[frozenset[str]]) -> dict[str, float]:
    """Return how rare each word of the question is among the passages."""
    counts = {word: sum(word in text for text in texts) for word in question}
    return {word: math.log(1 + len(texts) / (1 + count)) for word, count in counts.items()}
