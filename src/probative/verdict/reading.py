"""What was read for a claim, as the numbers that the calibration takes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from probative.text.words import words

# Probabilities are kept this far from 0 in logarithms.
_SMALLEST = 1e-4

Scores = tuple[float, float, float]
"""The probabilities of supported, contradicted and insufficient by one window."""


@dataclass(frozen=True)
class Overlap:
    """The share of the claim's words in all evidence and in the nearest sentence, and both sizes."""

    everywhere: float
    nearest: float
    sentences: int
    claim_words: int


def overlap(claim: str, evidence: Sequence[str]) -> Overlap:
    """Return what the words of a claim and its evidence have in common.

    >>> overlap("The mill burnt down.", ["A mill stood there.", "It burnt down."])
    Overlap(everywhere=1.0, nearest=0.6666666666666666, sentences=2, claim_words=3)
    """
    claimed = set(words(claim))
    texts = [set(words(sentence)) for sentence in evidence]
    count = max(1, len(claimed))
    return Overlap(
        len(claimed.intersection(*[set().union(*texts)])) / count,
        max((len(claimed & text) for text in texts), default=0) / count,
        len(texts),
        len(claimed),
    )


def features(windows: Sequence[Scores], parts: Sequence[Scores], shared: Overlap) -> list[float]:
    """Return the numbers by which a verdict is calibrated.

    `windows` are the scores of the whole claim, the most relevant window first; `parts` are those of its
    sentences by their most relevant window, empty for a claim of one sentence.

    >>> shared = Overlap(1.0, 1.0, 1, 3)
    >>> [round(value, 2) for value in features([(0.8, 0.1, 0.1)], [], shared)]
    [1.39, 0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 1.39]
    """
    first = windows[0]
    support = _support(first)
    opposition = _opposition(first)
    best = max(map(_support, windows))
    weakest = min(map(_support, parts), default=support)
    most_opposed = max(map(_opposition, parts), default=opposition)
    return [
        support,
        opposition,
        best - support,
        weakest - support,
        most_opposed - opposition,
        shared.everywhere,
        shared.nearest,
        math.log(max(1, shared.sentences)),
        math.log(shared.claim_words + 1),
    ]


def _support(scores: Scores) -> float:
    """Return the log odds of supported."""
    return math.log(scores[0] + _SMALLEST) - math.log(scores[1] + scores[2] + _SMALLEST)


def _opposition(scores: Scores) -> float:
    """Return the log odds of contradicted against insufficient."""
    return math.log(scores[1] + _SMALLEST) - math.log(scores[2] + _SMALLEST)
