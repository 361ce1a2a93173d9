"""Whether the chosen evidence supports the claim: a stub to be measured."""

from __future__ import annotations

from dataclasses import dataclass

from probative.evidence import Verdict
from probative.mcse.found import Found
from probative.models.together import Search


@dataclass
class Judged:
    verdict: Verdict
    confidence: float


def judge_support(claim: str, found: Found) -> Search[Judged]:
    raise NotImplementedError
    yield
