"""A cache of model results by request, in one SQLite file that processes share: no call is paid twice.

The key covers the model, its weights, the verb and every field of the request. Values are JSON.
Only results are kept: an error is asked again next time.
"""

from __future__ import annotations

import hashlib
import json
import warnings
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Generic, NamedTuple, TypeVar

from probative.errors import ModelError, StoreError
from probative.models.contract import LanguageModel, Outcomes
from probative.models.encoder import Encoder
from probative.models.wrappers.response_cache import ResponseCache, ResultStore
from probative.models.wrappers.wrapper import RESULTS, Verb, Wrapper
from probative.types import Value
from probative.usage import Usage

# Part of every key: raised when the meaning of a stored value changes.
FORMAT = 1

# Items that `answer_all` asks for and stores at a time, so that a killed run keeps what it has done.
GROUP = 16

Item = TypeVar("Item")
Outcome = TypeVar("Outcome")


def key_of(model: LanguageModel | Encoder, verb: str, request: Any) -> str:
    """Return the key of a request: a hash of everything that decides its result."""
    plain = request.to_dict() if isinstance(request, Value) else request
    return hash_key(verb, model.name, model.fingerprint, plain)


def hash_key(verb: str, name: str, fingerprint: str, request: Any) -> str:
    """Return the key of a request to the model of this name and fingerprint."""
    text = json.dumps([FORMAT, verb, name, fingerprint, request], sort_keys=True, ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()


class Codec(NamedTuple, Generic[Outcome]):
    """How the results of one verb are kept: as text, back again, and with another cost."""

    verb: str
    model: str
    to_text: Callable[[Outcome], str]
    from_text: Callable[[str], Outcome]
    with_usage: Callable[[Outcome, Usage], Outcome]


class CacheReader:
    """Answers from a cache what it holds and stores what the model answers, whatever the verb."""

    def __init__(self, cache: ResultStore, *, read_only: bool = False) -> None:
        self._cache = cache
        self._read_only = read_only

    def answer(
        self,
        keys: Sequence[str],
        codec: Codec[Outcome],
        call: Callable[[list[int]], Iterator[tuple[int, Outcome | ModelError]]],
    ) -> Iterator[tuple[int, Outcome | ModelError]]:
        """Yield the index and the outcome of each request, cached ones first.

        `call` gets the indexes of the requests that must be made, one for each distinct key, and yields
        positions in that list with their outcomes. An error is yielded and never stored.
        """
        places: dict[str, list[int]] = {}
        for index, key in enumerate(keys):
            places.setdefault(key, []).append(index)
        missing: list[str] = []
        stored = self._cache.get(list(places))
        for key, indexes in places.items():
            outcome = self._read(key, stored[key], codec) if key in stored else None
            if outcome is None:
                missing.append(key)
            else:
                yield from ((index, outcome) for index in indexes)
        if not missing:
            return
        for position, result in call([places[key][0] for key in missing]):
            key = missing[position]
            if isinstance(result, ModelError):
                yield from ((index, result) for index in places[key])
                continue
            self._store(key, result, codec)
            first, *others = places[key]
            yield first, result
            yield from ((index, codec.with_usage(result, Usage(cached=1))) for index in others)

    def answer_all(
        self,
        keys: Sequence[str],
        items: Sequence[Item],
        codec: Codec[Outcome],
        call: Callable[[list[Item]], Sequence[Outcome | ModelError]],
    ) -> list[Outcome | ModelError]:
        """Return the outcome of each item, in order; `call` gets groups of the items that must be asked."""

        def call_groups(indexes: list[int]) -> Iterator[tuple[int, Outcome | ModelError]]:
            for start in range(0, len(indexes), GROUP):
                group = [items[index] for index in indexes[start : start + GROUP]]
                yield from enumerate(call(group), start)

        answers = self.answer(keys, codec, call_groups)
        outcomes = dict(answers)
        return [outcomes[index] for index in range(len(items))]

    def _store(self, key: str, outcome: Outcome, codec: Codec[Outcome]) -> None:
        """Store a result. It is paid for: a cache that cannot take it must not lose it."""
        if self._read_only:
            return
        try:
            text = codec.to_text(codec.with_usage(outcome, Usage()))
            self._cache.put(codec.verb, codec.model, {key: text})
        except (StoreError, ValueError) as error:
            warnings.warn(f"a result could not be cached: {error}", stacklevel=2)

    def _read(self, key: str, text: str, codec: Codec[Outcome]) -> Outcome | None:
        """Return the stored result, or None if it cannot be read: it is then requested again."""
        try:
            return codec.with_usage(codec.from_text(text), Usage(cached=1))
        except ValueError:
            if not self._read_only:
                self._cache.forget(key)
            return None


class Cached(Wrapper):
    """Answers from the cache what it holds, and asks the inner model once for each other request."""

    def __init__(self, inner: LanguageModel, cache: ResponseCache, *, read_only: bool = False) -> None:
        super().__init__(inner)
        self.cache = cache
        self._reader = CacheReader(cache, read_only=read_only)

    def close(self) -> None:
        self.cache.close()
        super().close()

    def _around(self, verb: str, asked: Sequence[Any], call: Verb) -> Outcomes[Any]:
        codec: Codec[Any] = Codec(
            verb=verb,
            model=self.name,
            to_text=lambda outcome: outcome.to_json(),
            from_text=RESULTS[verb].model_validate_json,
            with_usage=lambda outcome, usage: outcome.model_copy(update={"usage": usage}),
        )
        keys = [key_of(self.inner, verb, item) for item in asked]
        yield from self._reader.answer(keys, codec, lambda indexes: call([asked[i] for i in indexes]))
