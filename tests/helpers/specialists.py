"""A policy and a reader by rule, and the question that both are asked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from probative import Answer, Encoder, Request, ask
from probative.models.evidence_policy import PolicyScores, PolicyState
from probative.testing import ScriptedModel
from probative.types import Usage

QUESTION = "In which town was the ship built that Ada Berg commanded?"
TEXTS = [
    "Tar is made of pine.",
    "Ada Berg commanded the Sea Lark for nine years.",
    "Jon Vik painted harbours and gulls.",
    "The Sea Lark was built in Molde by two brothers.",
    "Molde cathedral has a wooden roof.",
]
BOTH = ("commanded", "was built")


class FakePolicy:
    """Takes the texts that hold these words, in this order; then it says complete, or nothing where one of
    them is not there.
    """

    name = "fake:policy"

    def __init__(self, *wanted: str, hopeless: bool = False) -> None:
        self.wanted = wanted
        self.hopeless = hopeless
        self.usage = Usage()
        self.states: list[PolicyState] = []

    def weigh(self, states: Sequence[PolicyState]) -> list[PolicyScores]:
        self.states += states
        self.usage += Usage(calls=len(states), prompt_tokens=sum(len(one.candidates) for one in states))
        return [self._weighed(one) for one in states]

    def _weighed(self, state: PolicyState) -> PolicyScores:
        left = [word for word in self.wanted if not any(word in text for text in state.chosen)]
        scores = tuple(
            next((9.0 - at for at, word in enumerate(left) if word in text), 0.0) for text in state.candidates
        )
        done = not left and not self.hopeless
        stuck = self.hopeless or (bool(left) and max(scores, default=0.0) < 1.0)
        return PolicyScores(scores, 8.0 if done else -2.0, 8.0 if stuck else -2.0)


def reads(reply: Any = "Molde", unknown: float = 0.1) -> ScriptedModel:
    """A tuned reader: answers so, and gives "unknown" that weight."""

    def choose(prompt: str, options: tuple[str, ...]) -> list[float]:
        return [unknown, 1.0 - unknown]

    return ScriptedModel(generate=reply, choose=choose, name="embedded", reader=True)


def asked(model: Any, encoder: Encoder, texts: Sequence[Any] = TEXTS, **options: Any) -> Answer:
    return ask(QUESTION, texts, model=model, encoder=encoder, **{"preset": "embedded", **options})


def requests(model: ScriptedModel) -> list[Request]:
    return [one for one in model.asked if isinstance(one, Request)]
