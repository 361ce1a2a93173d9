"""What was computed about a claim, and how much it counts."""

from __future__ import annotations

from typing import NamedTuple

from probative.types import Verdict
from probative.verdict.judgement import Probabilities

# How much more probable a computation makes its verdict. Of 442 training and evaluation claims that could be
# computed, those that hold are supported in 95% and those that do not are contradicted in 97%.
ODDS = 20.0
# How much less probable support is if the sentences about a claim have another date or amount. Of 445 such
# claims of the training and evaluation sets, 6% are supported.
OTHER_VALUE = 10.0


class Computed(NamedTuple):
    """Whether a claim holds by the values of the evidence, the computation, and where the values stand."""

    holds: bool
    text: str
    sentences: tuple[int, ...]
    certain: bool = True

    @property
    def verdict(self) -> Verdict | None:
        """What follows for the claim; None if it only becomes less probable."""
        if not self.certain:
            return None
        return Verdict.SUPPORTED if self.holds else Verdict.CONTRADICTED

    @property
    def note(self) -> str:
        """The computation in words."""
        if not self.certain:
            return f"support is less probable: {self.text}"
        return f"computed: {self.text}, so the claim {'holds' if self.holds else 'does not hold'}"


def weighed(probabilities: Probabilities, computed: Computed) -> Probabilities:
    """Return the probabilities with the odds of what was computed multiplied by `ODDS`.

    >>> model = Probabilities(supported=0.2, contradicted=0.3, insufficient=0.5)
    >>> round(weighed(model, Computed(True, "3 m > 2 m", ())).supported, 2)
    0.83
    """
    factors = (ODDS, 1.0, 1.0) if computed.holds else (1.0, ODDS, 1.0)
    if not computed.certain:
        factors = (1 / OTHER_VALUE, 1.0, 1.0)
    before = (probabilities.supported, probabilities.contradicted, probabilities.insufficient)
    shares = [share * factor for share, factor in zip(before, factors, strict=True)]
    supported, contradicted, insufficient = (share / sum(shares) for share in shares)
    return Probabilities(supported=supported, contradicted=contradicted, insufficient=insufficient)
