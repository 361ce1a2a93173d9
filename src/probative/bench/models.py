"""Language models that only experiments use: one that remembers results, and one that says nothing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import probative
from probative.models.contract import LanguageModel, Outcomes
from probative.models.types import Choice, Completion, Pair, Request, Score, Selection
from probative.models.wrappers.wrapper import Wrapper


class RememberingModel(Wrapper):
    """Keeps results from one row of a table to the next, with what they cost the first time."""

    def __init__(self, inner: LanguageModel) -> None:
        super().__init__(inner)
        self._known: dict[Any, Any] = {}

    def _around(self, verb: str, asked: Sequence[Any], call: Any) -> Outcomes[Any]:
        keys = [_key(item) for item in asked]
        missing = {key: index for index, key in enumerate(keys) if key not in self._known}
        indexes = list(missing.values())
        failed: dict[Any, Any] = {}
        for number, outcome in call([asked[index] for index in indexes]):
            into = self._known if isinstance(outcome, Score | Completion | Choice) else failed
            into[keys[indexes[number]]] = outcome
        for index, key in enumerate(keys):
            yield index, self._known[key] if key in self._known else failed[key]


def _key(item: Pair | Request | Selection) -> Any:
    return (item.prompt, item.continuation) if isinstance(item, Pair) else item.to_json()


class SilentModel(probative.LanguageModel):
    """Answers everything with a dot, at no cost: for tables where only the chosen passages count."""

    name = "none"
    fingerprint = "none"
    capabilities = frozenset({probative.Capability.GENERATE, probative.Capability.SCORE})

    def _generate(self, requests: Any) -> Any:
        for index, _ in enumerate(requests):
            yield index, probative.Completion(text=".", finish_reason="stop", model=self.name)

    def _score(self, pairs: Any) -> Any:
        for index, _ in enumerate(pairs):
            yield (
                index,
                probative.Score(log_probability=-1.0, token_log_probabilities=(-1.0,), model=self.name),
            )
