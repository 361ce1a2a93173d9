"""Models that keep their results, so that another weight asks no model again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from probative.models.contract import LanguageModel, Outcomes, Progress
from probative.models.encoder import Encoder
from probative.models.evidence_policy import EvidencePolicy, Neighbours, PolicyScores, PolicyState
from probative.models.types import Choice, Completion, Pair, Request, Score, Selection
from probative.models.wrappers import Wrapper
from probative.types import Usage


class RememberingPolicy:
    """Keeps the score of each candidate in each state: it does not depend on the other candidates."""

    def __init__(self, inner: EvidencePolicy) -> None:
        self._inner = inner
        self._known: dict[tuple[str, tuple[str, ...]], dict[tuple[str, Neighbours], float]] = {}
        self._stops: dict[tuple[str, tuple[str, ...]], tuple[float, float]] = {}
        self.name = inner.name

    @property
    def usage(self) -> Usage:
        return self._inner.usage

    def weigh(self, states: Sequence[PolicyState]) -> list[PolicyScores]:
        missing = []
        for state in states:
            known = self._known.setdefault((state.query, state.chosen), {})
            new = list(dict.fromkeys(pair for pair in _candidates(state) if pair not in known))
            if new or (state.query, state.chosen) not in self._stops:
                texts, neighbours = tuple(text for text, _ in new), tuple(around for _, around in new)
                missing.append(PolicyState(state.query, state.chosen, texts, neighbours))
        for state, scores in zip(missing, self._inner.weigh(missing) if missing else [], strict=True):
            key = (state.query, state.chosen)
            self._known[key].update(zip(_candidates(state), scores.candidates, strict=True))
            self._stops[key] = (scores.complete, scores.nothing)
        return [
            PolicyScores(
                tuple(self._known[state.query, state.chosen][pair] for pair in _candidates(state)),
                *self._stops[state.query, state.chosen],
            )
            for state in states
        ]


def _candidates(state: PolicyState) -> list[tuple[str, Neighbours]]:
    """Return the candidates with their neighbours."""
    neighbours = state.neighbours or (Neighbours("", ""),) * len(state.candidates)
    return list(zip(state.candidates, neighbours, strict=True))


class RememberingEncoder(Encoder):
    """Keeps the vector of each text."""

    def __init__(self, inner: Encoder) -> None:
        self._inner = inner
        self._known: dict[str, NDArray[np.float32]] = {}
        self.name = inner.name

    @property
    def fingerprint(self) -> str:
        return self._inner.fingerprint

    @property
    def dimensions(self) -> int:
        return self._inner.dimensions

    @property
    def usage(self) -> Usage:
        return self._inner.usage

    def encode(self, texts: Sequence[str], *, progress: Progress | None = None) -> NDArray[np.float32]:
        new = list(dict.fromkeys(text for text in texts if text not in self._known))
        if new:
            self._known.update(zip(new, self._inner.encode(new), strict=True))
        return np.stack([self._known[text] for text in texts])


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
