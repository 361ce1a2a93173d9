"""What the learned policy sees from each state of one claim: every state is weighed once, in batches.

    log P(a | o), log P(complete | o), log P(nothing | o)

is a log-softmax over all the policy's scores in a state o: the claim and the sentences chosen so far.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from probative.engine.search import Search, weigh
from probative.errors import ModelError
from probative.mcse.neighbours import beside_each
from probative.mcse.prior import standardised
from probative.mcse.strength import Path
from probative.models.evidence_policy import PolicyScores, PolicyState


class Outlook(NamedTuple):
    """Log-probabilities in one state: of each sentence to be the next, that nothing more is needed
    (*complete*), and that no sentence carries what is missing (*nothing*).
    """

    following: Mapping[int, float]
    complete: float
    nothing: float

    @property
    def stop(self) -> float:
        """The likelier of the two ways to stop."""
        return max(self.complete, self.nothing)

    @property
    def stops(self) -> bool:
        """Whether stopping is likelier than any sentence."""
        return self.stop > max(self.following.values(), default=-math.inf)

    def going_on(self) -> dict[int, float]:
        """Log-probabilities of the sentences, given that one is taken."""
        whole = log_sum(self.following.values())
        return {sentence: value - whole for sentence, value in self.following.items()}


def outlook(candidates: Sequence[int], weighed: PolicyScores) -> Outlook:
    """The policy's scores as log-probabilities.

    >>> seen = outlook([4, 7], PolicyScores((math.log(2), 0.0), 0.0, 0.0))
    >>> {sentence: round(math.exp(value), 2) for sentence, value in seen.following.items()}
    {4: 0.4, 7: 0.2}
    """
    scores = [*weighed.candidates, weighed.complete, weighed.nothing]
    wrong = next((score for score in scores if not math.isfinite(score)), None)
    if wrong is not None:
        raise ModelError(f"the policy gave a score of {wrong}", hint="probative doctor looks at its weights")
    whole = log_sum(scores)
    following = {one: score - whole for one, score in zip(candidates, weighed.candidates, strict=True)}
    return Outlook(following, weighed.complete - whole, weighed.nothing - whole)


def log_sum(values: Iterable[float]) -> float:
    """The logarithm of the sum of what these are logarithms of.

    >>> round(log_sum([0.0, 0.0]), 4), log_sum([])
    (0.6931, -inf)
    """
    values = list(values)
    highest = max(values, default=-math.inf)
    if highest == -math.inf:
        return highest
    return highest + math.log(math.fsum(math.exp(value - highest) for value in values))


class LearnedPolicy:
    """The outlook from each state: ask first, then read. It can stand where the language model's π does."""

    def __init__(self, claim: str, sentences: Sequence[str], *, beside: bool = True) -> None:
        self._claim = claim
        self._sentences = sentences
        around = beside_each(sentences)
        self.running = bool(around)
        """Whether the sentences follow each other in a text, as far as one can see."""
        self._beside = around if beside else ()
        self._known: dict[Path, Outlook] = {}
        self._going_on: dict[Path, dict[int, float]] = {}
        self._standing: dict[Path, dict[int, float]] = {}

    def __getitem__(self, path: Path) -> Outlook:
        return self._known[path]

    def __contains__(self, path: Path) -> bool:
        return path in self._known

    def following(self, path: Path) -> dict[int, float]:
        """Log π of the sentences that may follow this evidence, as far as they were asked for, given that one
        follows: else a trajectory that has all it needs would count less than one that still lacks something.
        """
        if path not in self._going_on:
            self._going_on[path] = self._known[path].going_on()
        return self._going_on[path]

    def standing(self, path: Path) -> dict[int, float]:
        """Each of these log-probabilities as its distance from their mean in standard deviations."""
        if path not in self._standing:
            self._standing[path] = standardised(self._known[path].following)
        return self._standing[path]

    def ask(self, paths: Iterable[Path], remaining: Sequence[int], step: str = "policy") -> Search[None]:
        """Have the remaining sentences weighed after each of these, where that is not known, in one batch."""
        wanted: dict[Path, list[int]] = {}
        for path in dict.fromkeys(paths):
            left = [one for one in remaining if one not in path]
            if path not in self._known or not self._known[path].following.keys() >= set(left):
                wanted[path] = left
        if not wanted:
            return
        states = [self._state(path, left) for path, left in wanted.items()]
        weighed = yield from weigh(states, step=step)
        for (path, left), scores in zip(wanted.items(), weighed, strict=True):
            self._known[path] = outlook(left, scores)
            self._going_on.pop(path, None)
            self._standing.pop(path, None)

    def _state(self, path: Path, left: Sequence[int]) -> PolicyState:
        beside = tuple(self._beside[one] for one in left) if self._beside else ()
        return PolicyState(self._claim, self._texts(path), self._texts(left), beside)

    def _texts(self, numbers: Sequence[int]) -> tuple[str, ...]:
        return tuple(self._sentences[number] for number in numbers)
