"""The judgement of a claim by evidence, and its probabilities: from what the embedded model says about
windows to probabilities that mean what they say.

Two logistic curves, fitted with the weights (training/large): P(supported) from the support of the claim, and
P(contradicted, if not supported) from its opposition. The verdicts of another model are taken as they are.
"""

from __future__ import annotations

import json
import math
from functools import cache
from pathlib import Path
from typing import NamedTuple

from probative.errors import WeightsError
from probative.settings import TUNED_MODELS
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


# Probabilities are kept this far from 0 in logarithms.
_SMALLEST = 1e-4
Scores = tuple[float, float, float]
"""The probabilities of supported, contradicted and insufficient by one window."""
SMALL, LARGE = TUNED_MODELS
CALIBRATED = {SMALL: "small", LARGE: "large"}
"""The embedded verdict models, and the folders of their weights in the package."""


class Reading(NamedTuple):
    """The log odds of a claim: of supported, and of contradicted against insufficient."""

    support: float
    opposition: float


def reading(scores: Scores) -> Reading:
    """Return the numbers for a claim from its scores.

    >>> [round(value, 2) for value in reading((0.8, 0.1, 0.1))]
    [1.39, 0.0]
    """
    return Reading(_support(scores), _opposition(scores))


def _support(scores: Scores) -> float:
    return math.log(scores[0] + _SMALLEST) - math.log(scores[1] + scores[2] + _SMALLEST)


def _opposition(scores: Scores) -> float:
    return math.log(scores[1] + _SMALLEST) - math.log(scores[2] + _SMALLEST)


class Curve(Value):
    """A logistic curve over the log odds of the claim."""

    constant: float
    claim: float

    def at(self, claim: float) -> float:
        """Return the probability.

        >>> round(Curve(constant=-1.0, claim=0.5).at(2.0), 2)
        0.5
        """
        return 1.0 / (1.0 + math.exp(-(self.constant + self.claim * claim)))


class Calibration(Value):
    """The curves of support, and of opposition where there is no support."""

    support: Curve
    opposition: Curve

    def probabilities(self, reading: Reading) -> Probabilities:
        """Return calibrated probabilities.

        >>> plain = Curve(constant=0.0, claim=1.0)
        >>> layer = Calibration(support=plain, opposition=plain)
        >>> round(layer.probabilities(Reading(1.0, 0.0)).supported, 2)
        0.73
        """
        supported = self.support.at(reading.support)
        contradicted = (1.0 - supported) * self.opposition.at(reading.opposition)
        return Probabilities(
            supported=supported, contradicted=contradicted, insufficient=1.0 - supported - contradicted
        )


def calibration_file(model: str) -> Path:
    """Return the file of an embedded verdict model's calibration."""
    return Path(__file__).parents[1] / "weights" / CALIBRATED[model] / "calibration.json"


@cache
def shipped_calibration(model: str = SMALL) -> Calibration:
    """Return the calibration that the package ships with the weights of a verdict model."""
    try:
        text = calibration_file(model).read_text(encoding="utf-8")
        return Calibration.from_dict(json.loads(text)["curves"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise WeightsError(
            f"the calibration of the verdict model cannot be read: {error!r}",
            hint="install probative-evidence again; --verdict model needs no calibration",
        ) from error
