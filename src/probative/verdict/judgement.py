"""The judgement of a claim by evidence, and what was computed about it."""

from __future__ import annotations

from typing import NamedTuple

from probative.trace import Step
from probative.types import Sentence, Value, Verdict
from probative.usage import Usage

# How much more probable a computation makes its verdict. Of 442 training and evaluation claims that could be
# computed, those that hold are supported in 95% and those that do not are contradicted in 97%.
ODDS = 20.0
# How much less probable support is if the sentences about a claim have another date or amount. Of 445 such
# claims of the training and evaluation sets, 6% are supported.
OTHER_VALUE = 10.0


class Probabilities(Value):
    """The probability of each verdict; they sum to 1."""

    supported: float
    contradicted: float
    insufficient: float

    def of(self, verdict: Verdict) -> float:
        """Return the probability of a verdict.

        >>> Probabilities(supported=0.7, contradicted=0.1, insufficient=0.2).of(Verdict.SUPPORTED)
        0.7
        """
        value: float = getattr(self, verdict.value)
        return value

    def describe(self, verdict: Verdict) -> str:
        """Return how probable a verdict is, in words; one that another surpasses is undecided.

        >>> Probabilities(supported=0.41, contradicted=0.37, insufficient=0.22).describe(Verdict.INSUFFICIENT)
        'undecided, supported 41%'
        """
        likeliest = max(Verdict, key=self.of)
        if self.of(verdict) == self.of(likeliest):
            return f"{self.of(verdict):.0%}"
        return f"undecided, {likeliest.value} {self.of(likeliest):.0%}"


UNDECIDED = Probabilities(supported=0.0, contradicted=0.0, insufficient=1.0)
"""Where nothing was judged."""


class Judgement(Value):
    """Whether evidence supports a claim, contradicts it, or says too little about it.

    - `judged`: False where nothing was judged (no evidence, a question, a language that is not read); then
      the verdict is `insufficient`, the probabilities mean nothing, and the first of the notes says why.
    - `disputed`: for a contradiction, the sentence of the claim that the evidence contradicts.
    - `deciding`: the indexes of the evidence that the verdict rests on, the most important first.
    - `opposing`: the indexes of the evidence that, read alone, says the opposite of the verdict.
    - `evidence`: the sentences, with their offsets where they were cut from a text.
    - `verdict_model`: the name of the model that judged; None where no model was needed.
    - `notes`: what was done to the input, in words.
    - `usage`: the cost of everything.
    - `trace`: every call, for a single claim.
    """

    claim: str = ""
    verdict: Verdict
    probabilities: Probabilities
    judged: bool = True
    disputed: str | None = None
    deciding: tuple[int, ...] = ()
    opposing: tuple[int, ...] = ()
    evidence: tuple[Sentence, ...] = ()
    verdict_model: str | None = None
    notes: tuple[str, ...] = ()
    usage: Usage = Usage()
    trace: Step | None = None

    @property
    def deciding_texts(self) -> tuple[str, ...]:
        """The texts of the deciding sentences."""
        return tuple(self.evidence[index].text for index in self.deciding)


class StatedValue(NamedTuple):
    """A value of a computation as a statement, the index of its sentence, and the same statement with other
    values of the sentence: the verdict model must find the value there, and no other one more surely.
    """

    text: str
    sentence: int
    others: tuple[str, ...] = ()


class Computed(NamedTuple):
    """Whether a claim holds by the values of the evidence, the computation, and where the values stand."""

    holds: bool
    text: str
    sentences: tuple[int, ...]
    certain: bool = True
    stated: tuple[StatedValue, ...] = ()

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
    changed = "supported" if computed.holds or not computed.certain else "contradicted"
    shares = dict(probabilities)
    shares[changed] *= ODDS if computed.certain else 1 / OTHER_VALUE
    return Probabilities(**{name: share / sum(shares.values()) for name, share in shares.items()})
