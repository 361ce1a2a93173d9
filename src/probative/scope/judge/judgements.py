"""Which features each passage carries, whatever judge decided it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

from probative.scope.features import Feature, Features

Strengths = list[list[float]]
"""For each passage and feature, from 0 to 1, how surely the passage carries the feature."""


@dataclass(frozen=True)
class Judgements:
    """The features, and how surely each judged passage carries each of them. `relevance` says how well a
    passage fits the whole question, if the judge knows it.
    """

    features: Features
    strengths: Strengths
    threshold: float = 0.5
    relevance: list[float] = field(default_factory=list)

    @cached_property
    def listed(self) -> list[Feature]:
        """The features in the order of the columns of `strengths`."""
        return self.features.listed()

    @cached_property
    def carried(self) -> list[frozenset[int]]:
        """For each passage the columns of the features that it carries."""
        return [
            frozenset(column for column, value in enumerate(strengths) if value >= self.threshold)
            for strengths in self.strengths
        ]

    def names(self, row: int) -> tuple[str, ...]:
        """Return the names of the features that a passage carries."""
        return tuple(self.listed[column].name for column in sorted(self.carried[row]))

    def missing(self, rows: Sequence[int]) -> tuple[str, ...]:
        """Return the names of the features that none of these passages carries."""
        covered = frozenset().union(*(self.carried[row] for row in rows))
        return tuple(feature.name for column, feature in enumerate(self.listed) if column not in covered)
