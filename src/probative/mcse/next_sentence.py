"""The learned policy's log-probabilities of the next sentence, in every state of one claim.

    log P(a | o), log P(complete | o), log P(nothing | o)

This is a log-softmax over all scores of the evidence policy in a state o: the claim and the sentences chosen
so far. Every state is weighed once, in batches. The policy stands in for the language model's π, and method
`learned` uses it alone.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from probative.engine.search import Search, weigh
from probative.errors import ModelError
from probative.mcse.prior import standardise
from probative.mcse.strength import Path
from probative.models.evidence_policy import Neighbours, PolicyScores, PolicyState

_TITLED = re.compile(r"[^:]{1,120}: \S")


class NextSentence(NamedTuple):
    """Log-probabilities in one state.

    `following` holds those of each sentence to be the next; `complete` is that nothing more is needed;
    `nothing` is that no sentence carries what is missing.
    """

    following: Mapping[int, float]
    complete: float
    nothing: float

    @property
    def stop(self) -> float:
        """The log-probability of the likelier reason to stop."""
        return max(self.complete, self.nothing)

    @property
    def stops(self) -> bool:
        """Whether stopping is more probable than any sentence."""
        return self.stop > max(self.following.values(), default=-math.inf)

    def following_if_continued(self) -> dict[int, float]:
        """Return the log-probabilities of the sentences, given that one of them is chosen."""
        total = log_sum(self.following.values())
        return {index: value - total for index, value in self.following.items()}


def next_sentence(candidates: Sequence[int], scores: PolicyScores) -> NextSentence:
    """Convert the policy's scores to log-probabilities; raises ModelError if one is not a finite number.

    >>> state = next_sentence([4, 7], PolicyScores((math.log(2), 0.0), 0.0, 0.0))
    >>> {index: round(math.exp(value), 2) for index, value in state.following.items()}
    {4: 0.4, 7: 0.2}
    """
    values = [*scores.candidates, scores.complete, scores.nothing]
    wrong = next((value for value in values if not math.isfinite(value)), None)
    if wrong is not None:
        raise ModelError(
            f"the evidence policy returned a score of {wrong}", hint="probative doctor checks its weights"
        )
    total = log_sum(values)
    following = {index: value - total for index, value in zip(candidates, scores.candidates, strict=True)}
    return NextSentence(following, scores.complete - total, scores.nothing - total)


def log_sum(values: Iterable[float]) -> float:
    """Return log Σ exp(value).

    >>> round(log_sum([0.0, 0.0]), 4), log_sum([])
    (0.6931, -inf)
    """
    values = list(values)
    highest = max(values, default=-math.inf)
    if highest == -math.inf:
        return highest
    return highest + math.log(math.fsum(math.exp(value - highest) for value in values))


def find_neighbours(sentences: Sequence[str]) -> tuple[Neighbours, ...]:
    """Return the sentences before and after each sentence.

    The result is empty where every sentence has the title of its page before it ("Title: sentence"): such
    sentences do not follow one another.

    >>> find_neighbours(["Ada sat down.", "", "She wrote."])[2]
    Neighbours(before='Ada sat down.', after='')
    >>> find_neighbours(["Ada: She sat down.", "Ada: She wrote."])
    ()
    """
    filled = [index for index, text in enumerate(sentences) if text.strip()]
    if len(filled) < 2 or all(_TITLED.match(sentences[index]) for index in filled):
        return ()
    neighbours = [Neighbours("", "")] * len(sentences)
    for position, index in enumerate(filled):
        before = sentences[filled[position - 1]] if position else ""
        after = sentences[filled[position + 1]] if position + 1 < len(filled) else ""
        neighbours[index] = Neighbours(before, after)
    return tuple(neighbours)


class LearnedPolicy:
    """The evidence policy in the states of one claim: first `ask`, then read the values by path.

    It has the same methods as `LmPolicy`, so that trajectories can follow either.
    """

    def __init__(self, claim: str, sentences: Sequence[str], *, neighbours: bool = True) -> None:
        self._claim = claim
        self._sentences = sentences
        around = find_neighbours(sentences)
        self.running_text = bool(around)
        """Whether the sentences follow one another in a text, as far as their form shows."""
        self._neighbours = around if neighbours else ()
        self._states: dict[Path, NextSentence] = {}
        self._following: dict[Path, dict[int, float]] = {}
        self._standardised: dict[Path, dict[int, float]] = {}

    def __getitem__(self, path: Path) -> NextSentence:
        return self._states[path]

    def __contains__(self, path: Path) -> bool:
        return path in self._states

    def following(self, path: Path) -> dict[int, float]:
        """Return log π of the sentences that may follow `path`, given that one follows.

        Without that condition, a trajectory that has all it needs would count less than one that still lacks
        something.
        """
        if path not in self._following:
            self._following[path] = self._states[path].following_if_continued()
        return self._following[path]

    def standardised(self, path: Path) -> dict[int, float]:
        """Return z_pol after `path`: each log-probability as its distance from their mean."""
        if path not in self._standardised:
            self._standardised[path] = standardise(self._states[path].following)
        return self._standardised[path]

    def ask(self, paths: Iterable[Path], remaining: Sequence[int], step: str = "policy") -> Search[None]:
        """Weigh the remaining sentences after each path, in one batch; known states are not asked again."""
        missing: dict[Path, list[int]] = {}
        for path in dict.fromkeys(paths):
            left = [index for index in remaining if index not in path]
            if path not in self._states or not self._states[path].following.keys() >= set(left):
                missing[path] = left
        if not missing:
            return
        states = [self._state(path, left) for path, left in missing.items()]
        results = yield from weigh(states, step=step)
        for (path, left), scores in zip(missing.items(), results, strict=True):
            self._states[path] = next_sentence(left, scores)
            self._following.pop(path, None)
            self._standardised.pop(path, None)

    def _state(self, path: Path, left: Sequence[int]) -> PolicyState:
        neighbours = tuple(self._neighbours[index] for index in left) if self._neighbours else ()
        return PolicyState(self._claim, self._texts(path), self._texts(left), neighbours)

    def _texts(self, indexes: Sequence[int]) -> tuple[str, ...]:
        return tuple(self._sentences[index] for index in indexes)
