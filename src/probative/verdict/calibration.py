"""From what the embedded model says about windows to probabilities that mean what they say.

A linear layer over the numbers of `reading.features`, fitted with the weights (training/verdict). The
verdicts of another model are taken as they are.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from probative.errors import WeightsError
from probative.types import Value
from probative.verdict.judgement import Probabilities

FILE = Path(__file__).parents[1] / "weights" / "verdict" / "calibration.json"


class Calibration(Value):
    """The layer: for each verdict a constant and a weight for every feature, which are first centred and
    scaled.
    """

    centre: tuple[float, ...]
    scale: tuple[float, ...]
    constants: tuple[float, float, float]
    weights: tuple[tuple[float, float, float], ...]

    def probabilities(self, features: Sequence[float]) -> Probabilities:
        """Return calibrated probabilities.

        >>> layer = Calibration(centre=(0,), scale=(1,), constants=(0, 0, 0), weights=((2, 0, 0),))
        >>> round(layer.probabilities([1.0]).supported, 2)
        0.79
        """
        import numpy as np

        scaled = (np.array(features) - self.centre) / self.scale
        logits = np.array(self.constants) + scaled @ np.array(self.weights)
        values = np.exp(logits - logits.max())
        supported, contradicted, insufficient = (float(value) for value in values / values.sum())
        return Probabilities(supported=supported, contradicted=contradicted, insufficient=insufficient)


@cache
def shipped_calibration() -> Calibration:
    """Return the calibration that the package ships with the weights of the verdict model."""
    try:
        return Calibration.from_dict(json.loads(FILE.read_text(encoding="utf-8"))["layer"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise WeightsError(
            f"the calibration of the verdict model cannot be read: {error!r}",
            hint="install probative again; --verdict model needs no calibration",
        ) from error
