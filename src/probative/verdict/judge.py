"""Judge a claim by evidence of any length."""

from __future__ import annotations

from collections.abc import Sequence

from probative.engine.search import Search, judge
from probative.engine.tools import Tools
from probative.models.verdict import MAX_EVIDENCE, VerdictItem
from probative.types import Verdict
from probative.verdict.judgement import Judgement, Probabilities


def judge_claim(
    claim: str, evidence: Sequence[str], tools: Tools, *, language: str | None = None
) -> Search[Judgement]:
    """Return whether the evidence supports the claim, and which pieces decide."""
    usable = [index for index, text in enumerate(evidence) if text.strip()][:MAX_EVIDENCE]
    if not usable:
        nothing = Probabilities(supported=0.0, contradicted=0.0, insufficient=1.0)
        note = "there is no evidence to judge the claim by"
        return Judgement(verdict=Verdict.INSUFFICIENT, probabilities=nothing, notes=(note,))
    item = VerdictItem(claim, tuple(evidence[index] for index in usable))
    (scores,) = yield from judge([item], step="verdict")
    probabilities = Probabilities(
        supported=scores.supported, contradicted=scores.contradicted, insufficient=scores.insufficient
    )
    verdict = max(Verdict, key=probabilities.of)
    best = max(range(len(usable)), key=lambda piece: scores.deciding[piece])
    deciding = () if verdict is Verdict.INSUFFICIENT else (usable[best],)
    return Judgement(verdict=verdict, probabilities=probabilities, deciding=deciding)
