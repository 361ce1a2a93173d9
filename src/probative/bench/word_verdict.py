"""Support for a claim by the words of its evidence: the baseline that the verdict model is compared with.

P(supported) is a logistic function of coverage, the share of the claim's words that the evidence contains:

    P(supported) = 1 / (1 + exp(−(4.2 coverage − 2.72)))

The curve was fitted to WiCE (supported or not) and FEVER (supported or refuted).
"""

from __future__ import annotations

import math

from probative.text.words import words

SLOPE, OFFSET = 4.2, -2.72


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
