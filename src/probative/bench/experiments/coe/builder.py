"""What builds samples: the judge model, or rules where the user named no judge model."""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Sequence

from probative.bench.experiments.coe.candidates import Candidate
from probative.scope.features import Features


class Builder(ABC):
    """Finds the features of a question, discriminates chains of evidence, and writes what perturbs them."""

    name: str
    """What reports call it."""

    @abstractmethod
    def features(self, question: str) -> Features:
        """Return the intent, nodes and relations of a question."""

    @abstractmethod
    def missing(self, question: str, features: Features, pieces: Sequence[str]) -> tuple[str, ...]:
        """Return the names of the features that the pieces together do not carry; none for a CoE."""

    @abstractmethod
    def general_term(self, node: str) -> str | None:
        """Return a broader expression for a node, or None if there is no usable one."""

    @abstractmethod
    def wrong_answer(self, candidate: Candidate, draws: random.Random) -> str | None:
        """Return a wrong answer of the same type and form, or None if there is no usable one."""

    @abstractmethod
    def without_relations(
        self, candidate: Candidate, features: Features, attempt: int
    ) -> tuple[str, ...] | None:
        """Return the pieces rewritten so that they no longer tell the relations, or None."""

    @abstractmethod
    def without_intent(
        self, candidate: Candidate, features: Features, attempt: int
    ) -> tuple[str, ...] | None:
        """Return the pieces rewritten so that they no longer tell what is asked for, or None."""

    @abstractmethod
    def misinformation(self, candidate: Candidate, wrong: str) -> list[str]:
        """Return different sentences that state the wrong answer."""
