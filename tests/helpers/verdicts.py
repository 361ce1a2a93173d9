"""Verdict models for tests: by a rule anyone can follow, and one that costs nothing."""

from __future__ import annotations

from collections.abc import Sequence

from probative.models.verdict import Judging, VerdictItem, VerdictScores
from probative.testing import ScriptedVerdict
from probative.types import Usage


def by_rule(item: VerdictItem) -> VerdictScores:
    """Contradicted by a piece with "not", supported by one that contains the claim, in this order."""
    claim = item.claim.rstrip(".").lower()
    denying = [float(" not " in text) for text in item.evidence]
    stating = [float(claim in text.lower()) for text in item.evidence]
    if any(denying):
        return VerdictScores(0.1, 0.8, 0.1, shares(denying))
    if any(stating):
        return VerdictScores(0.7, 0.1, 0.2, shares(stating))
    return VerdictScores(0.1, 0.1, 0.8, shares([1.0] * len(item.evidence)))


def shares(weights: list[float]) -> tuple[float, ...]:
    return tuple(weight / sum(weights) for weight in weights)


def ruled() -> ScriptedVerdict:
    return ScriptedVerdict(by_rule, name="ruled", fingerprint="ruled")


class FreeVerdict(ScriptedVerdict):
    """Judges by the rule and costs nothing, for tests that count something else."""

    def __init__(self) -> None:
        super().__init__(by_rule, name="free")

    def judge_each(self, items: Sequence[VerdictItem]) -> list[Judging]:
        return [Judging(by_rule(item), Usage()) for item in items]
