"""The verdict on a claim by its evidence: supported, insufficient or contradicted (not in the paper).

P(supported) is a logistic function of coverage, the share of the claim's words that the evidence contains:

    P(supported) = 1 / (1 + exp(−(4.2 coverage − 2.72)))

On a small model the log-probability of the claim adds nothing to that (see docs/results.md), so no model is
asked. Evidence contradicts a claim where the sentence nearest to it states another number, or where only one
of the two contains a negation.

The curve was fitted to WiCE (supported or not) and FEVER (supported or refuted). It separates the classes
well on WiCE and fairly on FEVER. It does not recognise a claim that is expressed in other words, so the
verdict is off by default.

Method learned also gives the probability, before the first sentence is chosen, that no sentence carries the
claim. P(supported) is then multiplied by 1 minus that. The policy alone would call refuted claims supported,
because evidence against a claim carries it too.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from probative.mcse.result import McseResult
from probative.text.analyzer import analyzer_for
from probative.text.words import words
from probative.types import Verdict

SLOPE, OFFSET = 4.2, -2.72
# Evidence with a lower coverage is about something else and contradicts nothing.
MIN_COVERAGE_TO_CONTRADICT = 0.5
# The share of FEVER's claims with the verdict contradicted that are labelled supported.
CONTRADICTED_BUT_SUPPORTED = 0.2


@dataclass(frozen=True)
class ClaimVerdict:
    """A verdict, and the probability that the evidence supports the claim."""

    verdict: Verdict
    confidence: float


def judge_support(claim: str, result: McseResult) -> ClaimVerdict:
    """Return the verdict on a claim by the evidence of `result`."""
    sentences = [sentence.text for sentence in result.evidence]
    confidence = support_by_words(claim, " ".join(sentences))
    if result.stops:
        confidence *= 1.0 - result.stops[0].nothing
    nearest = max(sentences, key=lambda sentence: coverage(claim, sentence), default="")
    if coverage(claim, nearest) >= MIN_COVERAGE_TO_CONTRADICT and analyzer_for().contradicts(claim, nearest):
        return ClaimVerdict(Verdict.CONTRADICTED, min(confidence, CONTRADICTED_BUT_SUPPORTED))
    return ClaimVerdict(Verdict.SUPPORTED if confidence >= 0.5 else Verdict.INSUFFICIENT, confidence)


def support_by_words(claim: str, text: str) -> float:
    """Return P(supported) by the share of the claim's words that the text contains.

    >>> round(support_by_words("The mill burnt down.", "A mill burnt down."), 2)
    0.81
    """
    return 1.0 / (1.0 + math.exp(-(SLOPE * coverage(claim, text) + OFFSET)))


def coverage(claim: str, text: str) -> float:
    """Return the share of the claim's words that the text contains.

    >>> coverage("The mill burnt down.", "A mill burnt in 1890.")
    0.6666666666666666
    """
    claim_words = set(words(claim))
    return len(claim_words & set(words(text))) / len(claim_words) if claim_words else 0.0
