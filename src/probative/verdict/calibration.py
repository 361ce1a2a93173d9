"""From what the embedded model says about windows to probabilities that mean what they say.

Two logistic curves, fitted with the weights (training/verdict): P(supported) from the support of the claim
and of its weakest sentence, and P(contradicted, if not supported) from their opposition. The verdicts of
another model are taken as they are.
"""

from __future__ import annotations

import json
import math
from functools import cache
from pathlib import Path

from probative.errors import WeightsError
from probative.types import Value
from probative.verdict.judgement import Probabilities
from probative.verdict.reading import Reading

FILE = Path(__file__).parents[1] / "weights" / "verdict" / "calibration.json"


class Curve(Value):
    """A logistic curve over the log odds of the claim and what its sentences add to them."""

    constant: float
    claim: float
    sentences: float

    def at(self, claim: float, sentences: float) -> float:
        """Return the probability.

        >>> round(Curve(constant=0.0, claim=1.0, sentences=0.5).at(2.0, -4.0), 2)
        0.5
        """
        return 1.0 / (1.0 + math.exp(-(self.constant + self.claim * claim + self.sentences * sentences)))


class Calibration(Value):
    """The curves of support, and of opposition where there is no support."""

    support: Curve
    opposition: Curve

    def probabilities(self, reading: Reading) -> Probabilities:
        """Return calibrated probabilities.

        >>> plain = Curve(constant=0.0, claim=1.0, sentences=0.0)
        >>> layer = Calibration(support=plain, opposition=plain)
        >>> round(layer.probabilities(Reading(1.0, 0.0, 0.0, 0.0)).supported, 2)
        0.73
        """
        supported = self.support.at(reading.support, reading.weakest)
        contradicted = (1.0 - supported) * self.opposition.at(reading.opposition, reading.most_opposed)
        return Probabilities(
            supported=supported, contradicted=contradicted, insufficient=1.0 - supported - contradicted
        )


@cache
def shipped_calibration() -> Calibration:
    """Return the calibration that the package ships with the weights of the verdict model."""
    try:
        return Calibration.from_dict(json.loads(FILE.read_text(encoding="utf-8"))["curves"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise WeightsError(
            f"the calibration of the verdict model cannot be read: {error!r}",
            hint="install probative-evidence again; --verdict model needs no calibration",
        ) from error
