"""A proof: the evidence for a claim, in order, with what each sentence added."""

from __future__ import annotations

from typing import Literal

from probative.mcse.result import ProofSentence, Stop
from probative.trace import Step
from probative.types import Value, Verdict
from probative.usage import Usage


class Proof(Value):
    """The sentences that together prove a claim, in the order in which they were found.

    `without` is the claim's log-probability with no evidence at all, and `claim_tokens` its length;
    `curve` is what the claim's log-probability has risen by after each sentence, in nats (empty for a
    method that does not know it). `searched` are the sentences that
    were looked at, where a long text was filtered. `notes` say in words what was done to the input.
    `verdict` and `confidence` (the probability that the evidence supports the claim) are there when
    they were asked for. `stops`, for method learned, is what the policy said of stopping before each
    sentence, and after the last where it was asked. `usage` is all that it cost; `policy_usage` is the
    part of it that the learned policy `policy` had, where one was used. `trace` is every call, for a
    single claim.
    """

    claim: str
    evidence: tuple[ProofSentence, ...]
    verdict: Verdict | None = None
    confidence: float | None = None
    method: str
    k: int | Literal["auto"]
    model: str | None = None
    policy: str | None = None
    without: float | None = None
    claim_tokens: int | None = None
    curve: tuple[float, ...] = ()
    stops: tuple[Stop, ...] = ()
    searched: tuple[int, ...] | None = None
    notes: tuple[str, ...] = ()
    usage: Usage = Usage()
    policy_usage: Usage | None = None
    trace: Step | None = None

    @property
    def indexes(self) -> tuple[int, ...]:
        """The numbers of the chosen sentences, in order."""
        return tuple(one.index for one in self.evidence)
