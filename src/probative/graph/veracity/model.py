"""The learned veracity of a graph: the probability that a triple holds, and the verdict on it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from probative.graph.veracity.calibration import Calibration
from probative.graph.veracity.scorer import Parameters, scores

Judgement = Literal["yes", "no", "maybe"]


@dataclass(frozen=True)
class Veracity:
    """The scorers of a graph (their mean counts), and the calibrations for triples of two kinds: both
    entities are in the graph (`known`), or one is not (`unseen`).
    """

    members: tuple[Parameters, ...]
    known: Calibration
    unseen: Calibration

    def probabilities(
        self, heads: NDArray[Any], relations: Sequence[int], tails: NDArray[Any], known: Sequence[bool]
    ) -> NDArray[np.float64]:
        """Return the probability of each triple, if true and false were equally frequent.

        `heads` and `tails` are vectors, `relations` numbers of the graph's relations, and `known` says
        whether the graph has both entities.
        """
        values = self.scores(heads, np.asarray(relations, dtype=np.int64), tails)
        return np.where(
            np.asarray(known, dtype=np.bool_),
            self.known.probabilities(values),
            self.unseen.probabilities(values),
        )

    def scores(self, heads: NDArray[Any], relations: NDArray[Any], tails: NDArray[Any]) -> NDArray[Any]:
        """Return the mean score of each triple."""
        if not len(relations):
            return np.empty(0)
        return np.asarray(
            np.mean([scores(member, heads, relations, tails) for member in self.members], axis=0)
        )

    def judge(self, probability: float, *, known: bool) -> Judgement:
        """Return yes, no, or maybe for an uncertain probability."""
        calibration = self.known if known else self.unseen
        if probability >= calibration.holds:
            return "yes"
        return "no" if probability <= calibration.fails else "maybe"

    @property
    def is_calibrated(self) -> bool:
        """Whether held-out edges confirmed that some probability means that a triple holds."""
        return bool(self.members) and self.known.holds <= 1

    @property
    def notes(self) -> tuple[str, ...]:
        """What the user should know: that the graph is too small or too varied to learn from."""
        if self.known.holds > 1:
            return (
                "the graph is too small or too varied to learn which triples hold "
                f"({self.known.held_out} held-out triples): every extrapolation is uncertain",
            )
        if self.unseen.holds > 1:
            return ("the graph does not teach which triples of unseen entities hold: they are uncertain",)
        return ()
