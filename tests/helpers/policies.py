"""Evidence policies that score by a rule, for tests of searches."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

from scripts import pseudo_random

from probative.models.evidence_policy import PolicyScores, PolicyState
from probative.types import Usage

NEVER = -30.0
"""A score so low that what has it is as good as impossible."""


class RulePolicy:
    """Weighs by a function; what it was asked is kept in `asked`, a list of states for each batch."""

    name = "rule"

    def __init__(self, rule: Callable[[PolicyState], PolicyScores]) -> None:
        self._rule = rule
        self.asked: list[list[PolicyState]] = []
        self.usage = Usage()

    def weigh(self, states: Sequence[PolicyState]) -> list[PolicyScores]:
        self.asked.append(list(states))
        read = sum(len(state.candidates) + 2 for state in states)
        self.usage += Usage(calls=len(states), prompt_tokens=read)
        return [self._rule(state) for state in states]


def tabled(table: Mapping[str, Mapping[str, float]]) -> RulePolicy:
    """A policy with these probabilities: by the chosen texts, joined by spaces, those of each candidate, of
    "complete" and of "nothing"; what is not named is impossible.
    """

    def rule(state: PolicyState) -> PolicyScores:
        row = {name: math.log(share) for name, share in table[" ".join(state.chosen)].items()}
        scores = tuple(row.get(text, NEVER) for text in state.candidates)
        return PolicyScores(scores, row.get("complete", NEVER), row.get("nothing", NEVER))

    return RulePolicy(rule)


def hashed(seed: int, scale: float = 8.0) -> RulePolicy:
    """Any scores at all, the same for the same state."""

    def rule(state: PolicyState) -> PolicyScores:
        before = f"{seed}|{state.query}|{state.chosen}|"
        *scores, complete, nothing = (
            scale * pseudo_random(before + text) for text in (*state.candidates, "complete", "nothing")
        )
        return PolicyScores(tuple(scores), complete, nothing)

    return RulePolicy(rule)
