"""The parameters of verify."""

from __future__ import annotations

from pydantic import Field

from probative.types import Value


class VerifyOptions(Value):
    """How much is read for a claim.

    >>> VerifyOptions(max_sources=2).max_sources
    2
    """

    per_claim: int = Field(default=16, ge=1, description="passages retrieved for a claim")
    cited_passages: int = Field(default=6, ge=1, description="passages of a cited source that are looked at")
    max_candidates: int = Field(default=20, ge=1, description="sentences that the policy weighs")
    max_sources: int = Field(default=4, ge=1, description="sources that are read for a claim")
    near_sources: int = Field(
        default=2, ge=0, description="sources read in any case: those that share most words with the claim"
    )
    per_source: int = Field(default=2, ge=1, description="sentences read of each source")
    joint: int = Field(default=4, ge=0, description="sentences of all sources read together; 0: none")
    margin: float = Field(
        default=2.0, ge=0, description="how much less than the best a source may fit the claim, in nats"
    )
    check_citations: bool = Field(default=True, description="read what the text cites for a claim")
    max_active: int = Field(default=16, ge=1, description="claims checked side by side")
