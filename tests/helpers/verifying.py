"""Models for tests of verify, by rules that anyone can follow, and a few sources."""

from __future__ import annotations

from verdicts import shares

from probative.models.evidence_policy import PolicyScores, PolicyState
from probative.models.verdict import VerdictItem, VerdictScores
from probative.testing import ScriptedPolicy, ScriptedVerdict
from probative.text.words import words
from probative.types import Passage

PASSAGES = [
    Passage(
        text="The mill burnt down in 1890. Herons eat fish. The wheel is made of oak.",
        source="chronicle.txt",
        title="Chronicle of Aske",
        start=100,
        end=171,
    ),
    Passage(text="Tickets cost three crowns.", source="fares.csv"),
]


def by_words(item: VerdictItem) -> VerdictScores:
    """Supported by a piece that contains the claim; contradicted by one with "not" and two of its words."""
    claim = item.claim.rstrip(".").lower()
    shared = [len(set(words(claim)) & set(words(text))) for text in item.evidence]
    denying = [float(" not " in text and n > 1) for text, n in zip(item.evidence, shared, strict=True)]
    stating = [float(claim in text.lower()) for text in item.evidence]
    if any(denying):
        return VerdictScores(0.1, 0.8, 0.1, shares(denying))
    if any(stating):
        return VerdictScores(0.7, 0.1, 0.2, shares(stating))
    return VerdictScores(0.1, 0.1, 0.8, shares([1.0] * len(item.evidence)))


def overlap(state: PolicyState) -> PolicyScores:
    """Score each candidate by the words that it shares with the query."""
    wanted = set(words(state.query))
    scores = tuple(1.0 * len(wanted & set(words(text))) for text in state.candidates)
    return PolicyScores(scores, 0.0, 0.0)


def ruled_by_words() -> ScriptedVerdict:
    return ScriptedVerdict(by_words, name="ruled", fingerprint="ruled by words")


def by_overlap() -> ScriptedPolicy:
    """A policy whose decisions are cached."""
    policy = ScriptedPolicy(overlap)
    policy.fingerprint = "overlap"  # type: ignore[attr-defined]
    return policy
