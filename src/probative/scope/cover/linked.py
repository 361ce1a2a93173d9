"""A chain of passages that speak of one another: for evidence over several hops.

The second hop of a question shares few words with it; the first hop names it. So a passage counts for
how well it fits the question, for being about a node of the question, for the features that nothing
chosen carries yet, and for being about what a chosen passage names. Another passage about the same
subject counts less.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from probative.scope.judge.judgements import Judgements
from probative.text.english.subjects import Links
from probative.text.words import words
from probative.types import Passage

# Chosen on 200 questions of HotpotQA and 200 of 2WikiMultihopQA; see docs/results.md.
ABOUT_A_NODE = 2.0
NAMED = 5.0
NEW = 6.0
SAME_SUBJECT = 1.0


def linked_cover(question: str, judgements: Judgements, passages: Sequence[Passage], most: int) -> list[int]:
    """The places of the chain's passages, in the order in which they were taken; fewer than `most` where
    there are fewer passages.
    """
    links = Links(passages)
    asked = words(question)
    run = f" {' '.join(asked)} "
    texts = [frozenset(words(passage.whole)) for passage in passages]
    rare = _rarity(set(asked), texts)
    whole = sum(rare.values()) or 1.0
    relevance = judgements.relevance or [float(sum(row)) for row in judgements.strengths]
    base = [
        fit + (ABOUT_A_NODE if about and f" {about} " in run else 0.0)
        for fit, about in zip(relevance, links.subjects, strict=True)
    ]
    chosen: list[int] = []
    missing = set(rare)

    def value(place: int) -> float:
        if not chosen:
            return base[place]
        named = NAMED if any(links.named_by(place, other) for other in chosen) else 0.0
        same = SAME_SUBJECT * sum(links.alike(place, other) for other in chosen)
        new = NEW * sum(rare[word] for word in missing & texts[place]) / whole
        return base[place] + named - same + new

    while len(chosen) < min(most, len(passages)):
        best = max((place for place in range(len(passages)) if place not in chosen), key=value)
        chosen.append(best)
        missing -= texts[best]
    return chosen


def _rarity(asked: set[str], texts: Sequence[frozenset[str]]) -> dict[str, float]:
    """How rare each word of the question is among the passages."""
    counts = {word: sum(word in text for text in texts) for word in asked}
    return {word: math.log(1 + len(texts) / (1 + count)) for word, count in counts.items()}
