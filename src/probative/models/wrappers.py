"""Wrappers around any model: cache, budget and trace, each written once for all verbs.

A `Layer` says what happens around a call, and `wrapped` puts it around a language model, an encoder, an
evidence policy or a verdict model. What a layer must know about the items of a verb is in `ITEMS`.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar, cast

from probative.errors import ModelError, StoreError
from probative.models.budget import Budget, Prices
from probative.models.contract import LanguageModel, Outcomes, Progress, scores_of
from probative.models.encoder import Encoder, checked_texts, stack_vectors
from probative.models.evidence_policy import EvidencePolicy, PolicyScores, PolicyState, Weighing
from probative.models.items import ITEMS, call_record, key_of, with_usage
from probative.models.response_cache import ResponseCache, ResultStore
from probative.models.types import Choice, Completion, Pair, Request, Score, Selection, Vector
from probative.models.verdict import (
    Judging,
    VerdictItem,
    VerdictModel,
    VerdictScores,
    limits_of,
)
from probative.trace import record, recording
from probative.types import Usage

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Verb = Callable[[Sequence[Any]], Outcomes[Any]]
Model = TypeVar("Model", LanguageModel, Encoder, EvidencePolicy, VerdictModel)

# Seconds between two looks at a budget that calls under way hold, and how long nothing may change before a
# call no longer waits for them: what a killed worker held is never settled.
_PAUSE = 0.02
_PATIENCE = 120.0


class Layer:
    """What happens around the calls of a model; this one passes them on."""

    def around(self, model: Any, verb: str, items: Sequence[Any], call: Verb) -> Outcomes[Any]:
        """Yield the index and the outcome of each item; `call` is the same verb of `model`."""
        return call(items)

    def close(self) -> None:
        """Release what the layer has open."""


def wrapped(model: Model, layer: Layer) -> Model:
    """Return the model with a layer around it."""
    if isinstance(model, LanguageModel):
        return cast(Model, Wrapper(model, layer))
    if isinstance(model, Encoder):
        return cast(Model, _EncoderWrapper(model, layer))
    kind = _PolicyWrapper if hasattr(model, "weigh") else _VerdictWrapper
    return cast(Model, kind(model, layer))


def layers_around(model: Any) -> Iterator[Layer]:
    """Yield the layers around a model, the outermost first."""
    while model is not None:
        if isinstance(layer := getattr(model, "layer", None), Layer):
            yield layer
        model = getattr(model, "inner", None)


def cached(model: Model, cache: ResultStore, *, read_only: bool = False) -> Model:
    """Return the model with a cache; with `read_only`, nothing is stored."""
    return wrapped(model, Caching(cache, read_only))


def budgeted(model: Model, budget: Budget, prices: Prices | None = None) -> Model:
    """Return the model with a budget, at the budget's prices if no others are given."""
    return wrapped(model, Budgeting(budget, prices or budget.prices))


def traced(model: LanguageModel) -> LanguageModel:
    """Return the model with every call written into the open trace."""
    return wrapped(model, Tracing())


def without_cache(model: Model) -> Model:
    """Return the model behind its cache, for results that are stored elsewhere."""
    return model.inner if isinstance(getattr(model, "layer", None), Caching) else model  # type: ignore


@dataclass
class Caching(Layer):
    """Answers from the cache what it holds, and asks the model once for each other item.

    Only results are stored, without their cost: an error is asked again next time.
    """

    cache: ResultStore
    read_only: bool = False

    def around(self, model: Any, verb: str, items: Sequence[Any], call: Verb) -> Outcomes[Any]:
        """Yield the index and the outcome of each item, cached ones first."""
        indexes_of: dict[str, list[int]] = {}
        for index, item in enumerate(items):
            indexes_of.setdefault(key_of(model, verb, item), []).append(index)
        missing: list[str] = []
        stored = self.cache.get(list(indexes_of))
        for key, indexes in indexes_of.items():
            outcome = self._read(verb, key, stored[key]) if key in stored else None
            if outcome is None:
                missing.append(key)
            else:
                yield from ((index, outcome) for index in indexes)
        size = ITEMS[verb].group or len(missing) or 1
        for start in range(0, len(missing), size):
            group = missing[start : start + size]
            for position, result in call([items[indexes_of[key][0]] for key in group]):
                first, *others = indexes_of[group[position]]
                if not isinstance(result, ModelError):
                    self._store(model.name, verb, group[position], result)
                yield first, result
                if not isinstance(result, ModelError) and others:
                    result = with_usage(result, Usage(cached=1))
                yield from ((index, result) for index in others)

    def close(self) -> None:
        if isinstance(self.cache, ResponseCache):
            self.cache.close()

    def _store(self, model: str, verb: str, key: str, result: Any) -> None:
        """Store a result. It is paid for: a cache that cannot take it must not lose it."""
        if self.read_only:
            return
        try:
            text = ITEMS[verb].to_text(with_usage(result, Usage()))
            self.cache.put(verb, model, {key: text})
        except (StoreError, ValueError) as error:
            warnings.warn(f"a result could not be cached: {error}", stacklevel=2)

    def _read(self, verb: str, key: str, text: str) -> Any:
        """Return the stored result, or None if it cannot be read: it is then requested again."""
        try:
            return with_usage(ITEMS[verb].from_text(text), Usage(cached=1))
        except ValueError:
            if not self.read_only:
                self.cache.forget(key)
            return None


@dataclass
class _Hold:
    """The worst cost of items that are admitted together, how many of them are open, the index of the first,
    and what they have cost.
    """

    worst: Usage
    open: int
    start: int
    spent: Usage = field(default_factory=Usage)


@dataclass
class Budgeting(Layer):
    """Admits items as long as the budget covers them; the others fail with a `BudgetError`.

    A request that the budget does not cover waits for calls of other threads and processes that are under
    way, since they may cost less than they hold.
    """

    budget: Budget
    prices: Prices

    def around(self, model: Any, verb: str, items: Sequence[Any], call: Verb) -> Outcomes[Any]:
        contract, size = ITEMS[verb], ITEMS[verb].together
        groups = [(start, items[start : start + size]) for start in range(0, len(items), size)]
        waiting = [_Hold(contract.cost(model, group), len(group), start) for start, group in groups]
        limit = ""
        while waiting:
            admitted: list[_Hold] = []
            for hold in waiting[: 1 if size > 1 else None]:
                limit = self._hold(hold.worst, wait=contract.waits and not admitted)
                if limit:
                    break  # in order: a later, smaller call must not overtake
                admitted.append(hold)
            if not admitted:
                break
            first = admitted[0].start
            self.budget.of_thread.batches = self._batches() + 1
            try:
                for position, outcome in call(items[first : first + sum(hold.open for hold in admitted)]):
                    hold = admitted[position // size]
                    # A failed call may have cost something too, even if nobody knows what.
                    hold.spent += outcome.usage or contract.failed
                    hold.open -= 1
                    if hold.open == 0:
                        self.budget.settle(hold.worst, hold.spent, self.prices)
                    yield first + position, outcome
            finally:
                self.budget.of_thread.batches = self._batches() - 1
                for hold in admitted:
                    if hold.open > 0:
                        self.budget.settle(hold.worst, hold.spent, self.prices)
            # A call may cost less than was reserved: the remaining ones may fit after all.
            waiting = waiting[len(admitted) :]
        if waiting:
            error = self.budget.exceeded(limit)
            yield from ((index, error) for index in range(waiting[0].start, len(items)))

    def _batches(self) -> int:
        """Return how many batches this thread has under way: it must not wait for itself."""
        return int(getattr(self.budget.of_thread, "batches", 0))

    def _hold(self, worst: Usage, *, wait: bool) -> str:
        """Reserve what a call may cost, as `Budget.hold` does, if need be after waiting for others."""
        limit = self.budget.hold(worst, self.prices)
        before, since = Usage(), time.monotonic()
        while limit and wait and not self._batches():
            held = self.budget.under_way()
            if held != before:
                before, since = held, time.monotonic()
            if held == Usage() or time.monotonic() - since > _PATIENCE:
                # The last of them may have been settled since.
                return self.budget.hold(worst, self.prices)
            time.sleep(_PAUSE)
            limit = self.budget.hold(worst, self.prices)
        return limit


class Tracing(Layer):
    """Records each request with its result or its error, cached results too."""

    def around(self, model: Any, verb: str, items: Sequence[Any], call: Verb) -> Outcomes[Any]:
        for index, outcome in call(items):
            if recording():
                record(call_record(verb, model.name, items[index], outcome))
            yield index, outcome


def _of_inner(name: str) -> Any:
    """Return a property that is the inner model's, a method too."""
    return property(lambda wrapper: getattr(wrapper.inner, name))


class _ItemWrapper:
    """A model around another one, with a layer around its verbs."""

    fingerprint: Any = property(lambda wrapper: getattr(wrapper.inner, "fingerprint", None))
    usage: Any = _of_inner("usage")

    def __init__(self, inner: Any, layer: Layer | None = None) -> None:
        self.inner = inner
        self.layer = layer or Layer()
        self.name: str = inner.name

    def _around(self, verb: str, requests: Sequence[Any], call: Verb) -> Outcomes[Any]:
        """Answer `requests`; `call` is the same verb of the inner model."""
        return self.layer.around(self.inner, verb, requests, call)

    def _outcomes(self, verb: str, items: Sequence[Any]) -> Outcomes[Any]:
        return self._around(verb, items, lambda some: ITEMS[verb].outcomes(self.inner, some))

    def _in_order(self, verb: str, items: Sequence[Any]) -> list[Any]:
        outcomes = dict(self._outcomes(verb, items))
        return [outcomes[index] for index in range(len(items))]


class Wrapper(_ItemWrapper, LanguageModel):
    """A language model around another one; a subclass may override `_around`, once for all verbs."""

    inner: LanguageModel
    capabilities: Any = _of_inner("capabilities")
    limits: Any = _of_inner("limits")
    reader: Any = _of_inner("reader")
    window: Any = _of_inner("window")
    known_window: Any = _of_inner("known_window")
    count_tokens: Any = _of_inner("count_tokens")
    prompt_tokens: Any = _of_inner("prompt_tokens")
    choice_tokens: Any = _of_inner("choice_tokens")
    try_out: Any = _of_inner("try_out")

    def close(self) -> None:
        self.layer.close()
        self.inner.close()

    def _generate(self, requests: Sequence[Request]) -> Outcomes[Completion]:
        return self._outcomes("generate", requests)

    def _score(self, pairs: Sequence[Pair]) -> Outcomes[Score]:
        return self._outcomes("score", pairs)

    def _choose(self, selections: Sequence[Selection]) -> Outcomes[Choice]:
        return self._outcomes("choose", selections)


class _EncoderWrapper(_ItemWrapper, Encoder):
    inner: Encoder
    dimensions: Any = _of_inner("dimensions")
    close: Any = _of_inner("close")

    def encode(self, texts: Sequence[str], *, progress: Progress | None = None) -> NDArray[np.float32]:
        texts = checked_texts(texts)
        if not texts:
            return self.inner.encode(texts)
        return stack_vectors(self.encode_each(texts), len(texts), progress)

    def encode_each(self, texts: Sequence[str]) -> Outcomes[Vector]:
        return self._outcomes("encode", texts)


class _PolicyWrapper(_ItemWrapper):
    def weigh(self, states: Sequence[PolicyState]) -> list[PolicyScores]:
        return scores_of(self.weigh_each(states))

    def weigh_each(self, states: Sequence[PolicyState]) -> list[Weighing | ModelError]:
        return self._in_order("weigh", states)


class _VerdictWrapper(_ItemWrapper):
    count_tokens: Any = _of_inner("count_tokens")
    limits: Any = property(lambda wrapper: limits_of(wrapper.inner))

    def judge(self, items: Sequence[VerdictItem]) -> list[VerdictScores]:
        return scores_of(self.judge_each(items))

    def judge_each(self, items: Sequence[VerdictItem]) -> list[Judging | ModelError]:
        return self._in_order("judge", items)
