"""An evidence policy that scores with a function."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from probative.models.evidence_policy import PolicyScores, PolicyState
from probative.usage import Usage


class ScriptedPolicy:
    """Scores each decision with a function; `asked` has all decisions.

    >>> policy = ScriptedPolicy(lambda state: PolicyScores(tuple(map(len, state.candidates)), 0.0, -9.0))
    >>> policy.weigh([PolicyState("a claim", (), ("short", "somewhat longer"))])[0].candidates
    (5, 15)
    """

    def __init__(self, weigh: Callable[[PolicyState], PolicyScores], *, name: str = "scripted") -> None:
        self.name = name
        self.usage = Usage()
        self.asked: list[PolicyState] = []
        self._weigh = weigh

    def weigh(self, states: Sequence[PolicyState]) -> list[PolicyScores]:
        """Return the scores of each decision; a word counts as a token."""
        self.asked += states
        words = sum(
            len(" ".join([state.query, *state.chosen, text]).split())
            for state in states
            for text in (*state.candidates, "complete", "nothing")
        )
        self.usage += Usage(calls=len(states), prompt_tokens=words)
        return [self._weigh(state) for state in states]
