"""Both embedded verdict models at once: the small one decides what it is sure of, the large one the rest.

Which it is sure of is known by its calibrated probabilities: the two highest are far apart. The limit was
chosen by `python -m training.large cascade` on claims over documents of our own.
"""

from __future__ import annotations

from collections.abc import Sequence

from probative.errors import ModelError
from probative.models.verdict import (
    VERDICT_LIMITS,
    CountedVerdict,
    Judging,
    VerdictItem,
    VerdictModel,
    VerdictScores,
    judge_each,
)
from probative.settings import CASCADE
from probative.verdict.judgement import LARGE, SMALL, reading, shipped_calibration

# From this distance of its two highest probabilities on, the verdict of the small model is taken.
SURE = 0.7


class CascadeVerdict(CountedVerdict):
    """A small and a large verdict model; what they say is calibrated already."""

    name = CASCADE
    limits = VERDICT_LIMITS[CASCADE]

    def __init__(self, small: VerdictModel, large: VerdictModel) -> None:
        super().__init__()
        self._small, self._large = small, large

    @property
    def fingerprint(self) -> str:
        """The weights of both, and the limit between them."""
        return f"cascade-{SURE}:{self._small.fingerprint}:{self._large.fingerprint}"

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Return the number of tokens of each text in the prompt of the small model, which limits both."""
        return self._small.count_tokens(texts)

    def judge_each(self, items: Sequence[VerdictItem]) -> list[Judging | ModelError]:
        """Return the scores and the cost of each item, or its error."""
        judged = [_calibrated(SMALL, each) for each in judge_each(self._small, items)]
        unsure = [
            index
            for index, each in enumerate(judged)
            if not isinstance(each, Judging) or margin(each.scores[:3]) < SURE
        ]
        for index, second in zip(
            unsure, judge_each(self._large, [items[index] for index in unsure]), strict=True
        ):
            first, second = judged[index], _calibrated(LARGE, second)
            if isinstance(first, Judging) and isinstance(second, Judging):
                second = second._replace(usage=first.usage + second.usage)
            judged[index] = second
        for each in judged:
            if isinstance(each, Judging):
                self._count(each.usage)
        return judged


def margin(chances: Sequence[float]) -> float:
    """Return the distance of the two highest probabilities.

    >>> round(margin((0.2, 0.7, 0.1)), 2)
    0.5
    """
    second, highest = sorted(chances)[-2:]
    return float(highest - second)


def _calibrated(model: str, judged: Judging | ModelError) -> Judging | ModelError:
    if not isinstance(judged, Judging):
        return judged
    chances = shipped_calibration(model).probabilities(reading(judged.scores[:3]))
    scores = VerdictScores(
        chances.supported, chances.contradicted, chances.insufficient, judged.scores.deciding
    )
    return judged._replace(scores=scores)
