"""One verdict on a claim that `verify` may take apart."""

from __future__ import annotations

from collections.abc import Sequence

from probative.bench.study import Lab
from probative.types import Passage


def verified(claim: str, passages: Sequence[str | Passage], lab: Lab) -> str:
    """Return the verdict on a claim, all of whose parts must be supported, and none contradicted."""
    verdicts = {part.verdict.value for part in lab.session.verify(claim, passages=passages).claims}
    if "contradicted" in verdicts:
        return "contradicted"
    return "supported" if verdicts == {"supported"} else "insufficient"
