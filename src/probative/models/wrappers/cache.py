"""A cache of model results by item, in one SQLite file that processes share: no call is paid twice.

The key covers the model, its weights, the verb and every field of the item. Values are text.
Only results are kept: an error is asked again next time.
"""

from __future__ import annotations

import hashlib
import json
import warnings
from collections.abc import Iterator, Sequence
from typing import Any

from probative.errors import ModelError, StoreError
from probative.models.contract import LanguageModel
from probative.models.encoder import Encoder
from probative.models.evidence_policy import EvidencePolicy
from probative.models.verdict import VerdictModel
from probative.models.wrappers.items import ITEMS
from probative.models.wrappers.response_cache import ResponseCache, ResultStore
from probative.models.wrappers.wrapper import (
    EncoderWrapper,
    ItemWrapper,
    Model,
    PolicyWrapper,
    Verb,
    VerdictWrapper,
    Wrapper,
)
from probative.types import Value
from probative.usage import Usage

# Part of every key: raised when the meaning of a stored value changes.
FORMAT = 1


def key_of(model: Any, verb: str, item: Any) -> str:
    """Return the key of an item: a hash of everything that decides its result."""
    plain = item.to_dict() if isinstance(item, Value) else item
    text = json.dumps([FORMAT, verb, model.name, model.fingerprint, plain], sort_keys=True, ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()


class _Cached(ItemWrapper[Model]):
    """Answers from the cache what it holds, and asks the inner model once for each other item.

    With `read_only`, nothing is stored.
    """

    def __init__(self, inner: Model, cache: ResultStore, *, read_only: bool = False) -> None:
        super().__init__(inner)
        self.cache = cache
        self._read_only = read_only

    def _around(self, verb: str, items: Sequence[Any], call: Verb) -> Iterator[tuple[int, Any]]:
        """Yield the index and the outcome of each item, cached ones first."""
        contract = ITEMS[verb]
        places: dict[str, list[int]] = {}
        for index, item in enumerate(items):
            places.setdefault(key_of(self.inner, verb, item), []).append(index)
        missing: list[str] = []
        stored = self.cache.get(list(places))
        for key, indexes in places.items():
            outcome = self._read(verb, key, stored[key]) if key in stored else None
            if outcome is None:
                missing.append(key)
            else:
                yield from ((index, outcome) for index in indexes)
        size = contract.group or len(missing) or 1
        for start in range(0, len(missing), size):
            group = missing[start : start + size]
            for position, result in call([items[places[key][0]] for key in group]):
                first, *others = places[group[position]]
                yield first, self._store(verb, group[position], result)
                if not isinstance(result, ModelError) and others:
                    result = contract.with_usage(result, Usage(cached=1))
                yield from ((index, result) for index in others)

    def _store(self, verb: str, key: str, outcome: Any) -> Any:
        """Store a result and return it. It is paid for: a cache that cannot take it must not lose it."""
        if self._read_only or isinstance(outcome, ModelError):
            return outcome
        contract = ITEMS[verb]
        try:
            text = contract.to_text(contract.with_usage(outcome, Usage()))
            self.cache.put(verb, self.name, {key: text})
        except (StoreError, ValueError) as error:
            warnings.warn(f"a result could not be cached: {error}", stacklevel=2)
        return outcome

    def _read(self, verb: str, key: str, text: str) -> Any:
        """Return the stored result, or None if it cannot be read: it is then requested again."""
        try:
            return ITEMS[verb].with_usage(ITEMS[verb].from_text(text), Usage(cached=1))
        except ValueError:
            if not self._read_only:
                self.cache.forget(key)
            return None


class Cached(_Cached[LanguageModel], Wrapper):
    """A language model with a cache, which it closes."""

    def close(self) -> None:
        if isinstance(self.cache, ResponseCache):
            self.cache.close()
        super().close()


class CachedEncoder(_Cached[Encoder], EncoderWrapper):
    """An encoder with a cache."""


class CachedPolicy(_Cached[EvidencePolicy], PolicyWrapper):
    """An evidence policy with a cache; the policy has a `fingerprint`."""


class CachedVerdict(_Cached[VerdictModel], VerdictWrapper):
    """A verdict model with a cache."""


def without_cache(encoder: Encoder) -> Encoder:
    """Return the encoder behind its cache, for vectors that are stored elsewhere."""
    return encoder.inner if isinstance(encoder, CachedEncoder) else encoder
