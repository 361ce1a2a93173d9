"""What the chosen evidence says of the claim: supported, insufficient or contradicted.

P(supported) is a logistic function of how much of the claim the evidence says: the share of the claim's
words that stand in it. The claim's log-probability adds nothing to that on a small model (measured, see
docs/results.md), so no model is asked. Evidence contradicts a claim where the sentence nearest to it
says another number, or only one of the two says "not".

The curve was fitted to WiCE (supported or not) and FEVER (supported or refuted). It tells them apart
well on the former and fairly on the latter; it cannot know a claim in other words. So it is off by
default.

Where the evidence is the learned policy's, the policy also says how probable it is that no sentence carries
the claim, before the first one is taken: P(supported) is the words' times 1 less that. Evidence against a
claim carries it too, so that the policy alone would call what is refuted supported.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from probative.mcse.result import McseResult
from probative.text.words import words
from probative.types import Verdict

SLOPE, OFFSET = 4.2, -2.72
# Evidence that says less of the claim than this speaks of something else, and contradicts nothing.
ON_THE_SUBJECT = 0.5
# Of FEVER's claims that are said to be contradicted, this share is supported all the same.
STILL_SUPPORTED = 0.2

_NUMBER = re.compile(r"\d(?:[\d.,]*\d)?")
_NEGATION = re.compile(
    r"\b(?:not|no|never|none|neither|nor|without|cannot|nobody|nothing|incapable|unable|fail(?:s|ed)?)\b|n't\b"
)


@dataclass
class Judged:
    """A verdict, and the probability that the claim is supported."""

    verdict: Verdict
    confidence: float


def judge_support(claim: str, found: McseResult) -> Judged:
    """The verdict on a claim by its evidence."""
    sentences = [one.text for one in found.evidence]
    confidence = by_words(claim, " ".join(sentences))
    if found.stops:
        confidence *= 1.0 - missing(found)
    nearest = max(sentences, key=lambda sentence: coverage(claim, sentence), default="")
    if coverage(claim, nearest) >= ON_THE_SUBJECT and conflicts(claim, nearest):
        return Judged(Verdict.CONTRADICTED, min(confidence, STILL_SUPPORTED))
    return Judged(Verdict.SUPPORTED if confidence >= 0.5 else Verdict.INSUFFICIENT, confidence)


def by_words(claim: str, text: str) -> float:
    """P(supported) by how much of the claim the text says.

    >>> round(by_words("The mill burnt down.", "A mill burnt down."), 2)
    0.81
    """
    return 1.0 / (1.0 + math.exp(-(SLOPE * coverage(claim, text) + OFFSET)))


def missing(found: McseResult) -> float:
    """The learned policy's probability, before any sentence is taken, that none carries the claim."""
    return found.stops[0].nothing


def coverage(claim: str, text: str) -> float:
    """The share of the claim's words that the text has.

    >>> coverage("The mill burnt down.", "A mill burnt in 1890.")
    0.6666666666666666
    """
    asked = set(words(claim))
    return len(asked & set(words(text))) / len(asked) if asked else 0.0


def conflicts(claim: str, text: str) -> bool:
    """Whether the claim names a number that the text does not, and the text another, or only one of the
    two is a negation.

    >>> conflicts("It opened in 1911.", "It opened in 1913."), conflicts("It opened.", "It never opened.")
    (True, True)
    """
    claim, text = _plain(claim), _plain(text)
    named, given = set(_NUMBER.findall(claim)), set(_NUMBER.findall(text))
    other_number = bool(named - given) and bool(given - named)
    return other_number or bool(_NEGATION.search(claim)) != bool(_NEGATION.search(text))


def _plain(text: str) -> str:
    """Lower case, with plain apostrophes and no commas within numbers."""
    return re.sub(r"(?<=\d),(?=\d{3})", "", text.lower().replace("’", "'"))
