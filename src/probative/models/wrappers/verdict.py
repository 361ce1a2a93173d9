"""A cache around a verdict model, item by item."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import partial

from probative.errors import ModelError
from probative.models.verdict import (
    Judging,
    VerdictItem,
    VerdictModel,
    VerdictScores,
    judge_each,
    scores_of,
)
from probative.models.wrappers.cache import CacheReader, Codec, hash_key
from probative.models.wrappers.response_cache import ResponseCache
from probative.usage import Usage


class CachedVerdict:
    """Answers from the cache what it holds; every other item is judged once and stored."""

    def __init__(self, inner: VerdictModel, cache: ResponseCache) -> None:
        self.inner = inner
        self.name = inner.name
        self._reader = CacheReader(cache)

    @property
    def fingerprint(self) -> str:
        """Identifies the inner model."""
        return self.inner.fingerprint

    @property
    def usage(self) -> Usage:
        """What the inner model has cost so far."""
        return self.inner.usage

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Return the number of tokens of each text in the prompt."""
        return self.inner.count_tokens(texts)

    def judge(self, items: Sequence[VerdictItem]) -> list[VerdictScores]:
        """Return the scores of each item, in order."""
        return scores_of(self.judge_each(items))

    def judge_each(self, items: Sequence[VerdictItem]) -> list[Judging | ModelError]:
        """Return the scores and the cost of each item, or its error, which is not stored."""
        codec = Codec(
            verb="judge",
            model=self.name,
            to_text=lambda judging: json.dumps(judging.scores),
            from_text=_from_text,
            with_usage=lambda judging, usage: judging._replace(usage=usage),
        )
        keys = [hash_key("judge", self.name, self.fingerprint, item) for item in items]
        return self._reader.answer_all(keys, items, codec, partial(judge_each, self.inner))


def _from_text(text: str) -> Judging:
    """Return the scores in a stored text; raises `ValueError` if they cannot be read."""
    try:
        supported, contradicted, insufficient, deciding = json.loads(text)
        scores = VerdictScores(
            float(supported), float(contradicted), float(insufficient), tuple(map(float, deciding))
        )
    except TypeError as error:
        raise ValueError(str(error)) from None
    return Judging(scores, Usage())
