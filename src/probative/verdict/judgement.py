"""The judgement of a claim by evidence."""

from __future__ import annotations

from probative.trace import Step
from probative.types import Sentence, Usage, Value, Verdict


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
