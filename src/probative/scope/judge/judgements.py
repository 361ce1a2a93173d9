"""Which features each passage carries, however that was judged."""

from __future__ import annotations

from dataclasses import dataclass, field

from probative.scope.features import Feature

Strengths = list[list[float]]
"""For each passage and feature, from 0 to 1, how surely the one carries the other."""


@dataclass
class Judgements:
    """The features, and how surely each passage carries each of them. `relevance` is how well a passage fits
    the question as a whole, where the judge knows it.
    """

    features: list[Feature]
    strengths: Strengths
    threshold: float = 0.5
    relevance: list[float] = field(default_factory=list)

    def carried(self) -> list[frozenset[int]]:
        """The numbers of the features that each passage carries."""
        return [
            frozenset(number for number, value in enumerate(row) if value >= self.threshold)
            for row in self.strengths
        ]

    def names(self, place: int) -> tuple[str, ...]:
        """The names of the features that a passage carries."""
        return tuple(
            feature.name
            for feature, value in zip(self.features, self.strengths[place], strict=True)
            if value >= self.threshold
        )
