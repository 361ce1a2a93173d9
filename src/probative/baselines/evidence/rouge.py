"""ROUGE: units that a sentence and the claim have in common."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from probative.baselines.evidence.selection import prepared, ranked
from probative.engine.search import Search
from probative.engine.tools import Tools
from probative.mcse.result import McseResult
from probative.mcse.search import K
from probative.text.words import words


def by_rouge(claim: str, sentences: Sequence[str], k: K, tools: Tools) -> Search[McseResult]:
    """Sentences by the mean of ROUGE-1, ROUGE-2 and ROUGE-L (F1) with the claim."""
    yield from ()  # it asks no model
    context, count = prepared(claim, sentences, k)
    asked = words(context.claim)
    scores = [rouge(asked, words(context.sentences[number])) for number in context.candidates]
    return ranked(context, scores, count)


def rouge(one: Sequence[str], other: Sequence[str]) -> float:
    """The mean F1 of common words, common pairs of neighbours, and the longest common subsequence.

    >>> rouge(["a", "b"], ["a", "b"]), rouge(["a"], ["b"])
    (1.0, 0.0)
    """
    parts = [
        _f1(sum((_grams(one, n) & _grams(other, n)).values()), len(one) + 1 - n, len(other) + 1 - n)
        for n in (1, 2)
    ]
    parts.append(_f1(_longest_common(one, other), len(one), len(other)))
    return sum(parts) / len(parts)


def _grams(text: Sequence[str], n: int) -> Counter[tuple[str, ...]]:
    return Counter(tuple(text[at : at + n]) for at in range(len(text) + 1 - n))


def _f1(common: int, one: int, other: int) -> float:
    return 2 * common / (one + other) if common else 0.0


def _longest_common(one: Sequence[str], other: Sequence[str]) -> int:
    row = [0] * (len(other) + 1)
    for a in one:
        above = row
        row = [0]
        for at, b in enumerate(other):
            row.append(above[at] + 1 if a == b else max(above[at + 1], row[at]))
    return row[-1]
