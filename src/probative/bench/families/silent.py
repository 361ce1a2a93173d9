"""A session whose language model answers everything with a dot: for tables where only the passages count."""

from __future__ import annotations

from typing import Any

import probative
from probative.bench.study import Lab
from probative.session.session import Session


class SilentModel(probative.LanguageModel):
    """Answers everything with a dot, at no cost."""

    name = "none"
    fingerprint = "none"
    capabilities = frozenset({probative.Capability.GENERATE, probative.Capability.SCORE})

    def _generate(self, requests: Any) -> Any:
        for index, _ in enumerate(requests):
            yield index, probative.Completion(text=".", finish_reason="stop", model=self.name)

    def _score(self, pairs: Any) -> Any:
        for index, _ in enumerate(pairs):
            score = probative.Score(log_probability=-1.0, token_log_probabilities=(-1.0,), model=self.name)
            yield index, score


def silent_session(lab: Lab) -> Session:
    """Return a session with the encoder, the evidence policy and the verdict model of the lab."""
    return lab.session.with_model(SilentModel())
