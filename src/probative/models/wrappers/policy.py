"""A cache around an evidence policy, decision by decision."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import partial

from probative.errors import ModelError
from probative.models.evidence_policy import (
    EvidencePolicy,
    PolicyScores,
    PolicyState,
    Weighing,
    weigh_each,
    weighed_scores,
)
from probative.models.wrappers.cache import CacheReader, Codec, hash_key
from probative.models.wrappers.response_cache import ResponseCache
from probative.usage import Usage


class CachedPolicy:
    """Answers from the cache what it holds; every other decision is weighed once and stored."""

    def __init__(self, inner: EvidencePolicy, fingerprint: str, cache: ResponseCache) -> None:
        self.inner = inner
        self.name = inner.name
        self.fingerprint = fingerprint
        self._reader = CacheReader(cache)

    @property
    def usage(self) -> Usage:
        """What the inner policy has cost so far."""
        return self.inner.usage

    def weigh(self, states: Sequence[PolicyState]) -> list[PolicyScores]:
        """Return the scores of each decision, in the order given."""
        return weighed_scores(self.weigh_each(states))

    def weigh_each(self, states: Sequence[PolicyState]) -> list[Weighing | ModelError]:
        """Return the scores and the cost of each decision, or its error, which is not stored."""
        codec = Codec(
            verb="weigh",
            model=self.name,
            to_text=lambda weighing: json.dumps(weighing.scores),
            from_text=_from_text,
            with_usage=lambda weighing, usage: weighing._replace(usage=usage),
        )
        keys = [hash_key("weigh", self.name, self.fingerprint, state) for state in states]
        return self._reader.answer_all(keys, states, codec, partial(weigh_each, self.inner))


def _from_text(text: str) -> Weighing:
    """Return the scores in a stored text; raises `ValueError` if they cannot be read."""
    try:
        candidates, complete, nothing = json.loads(text)
        scores = PolicyScores(tuple(map(float, candidates)), float(complete), float(nothing))
    except TypeError as error:
        raise ValueError(str(error)) from None
    return Weighing(scores, Usage())
