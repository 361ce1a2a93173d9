"""A model around another one of its kind: the base of cache, budget, trace and dry run."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from probative.errors import ModelError
from probative.models.contract import Capability, LanguageModel, Outcomes, Progress, scores_of
from probative.models.encoder import Encoder, checked_texts, stack_vectors
from probative.models.evidence_policy import EvidencePolicy, PolicyScores, PolicyState, Weighing, weigh_each
from probative.models.types import Choice, Completion, Pair, Request, Score, Selection, Vector
from probative.models.verdict import Judging, VerdictItem, VerdictModel, VerdictScores, judge_each
from probative.models.wrappers.items import RESULTS as RESULTS
from probative.usage import Usage

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Verb = Callable[[Sequence[Any]], Iterator[tuple[int, Any]]]
Model = TypeVar("Model", bound=LanguageModel | Encoder | EvidencePolicy | VerdictModel)


class ItemWrapper(Generic[Model]):
    """Passes every call on to `inner`; a subclass overrides `_around`, once for all verbs."""

    inner: Model

    def __init__(self, inner: Model) -> None:
        self.inner = inner
        self.name = inner.name

    @property
    def fingerprint(self) -> Any:
        """Identifies the inner model."""
        model: Any = self.inner
        return model.fingerprint

    def _around(self, verb: str, requests: Sequence[Any], call: Verb) -> Iterator[tuple[int, Any]]:
        """Answer `requests`; `call` is the same verb of the inner model."""
        return call(requests)

    def _in_order(self, verb: str, items: Sequence[Any], call: Callable[..., list[Any]]) -> list[Any]:
        """Return the outcome of each item, in order; `call` returns those of the inner model."""
        outcomes = dict(self._around(verb, items, lambda some: enumerate(call(self.inner, some))))
        return [outcomes[index] for index in range(len(items))]


class Wrapper(ItemWrapper[LanguageModel], LanguageModel):
    """A language model around another one."""

    @property
    def capabilities(self) -> frozenset[Capability]:
        return self.inner.capabilities

    @property
    def limits(self) -> tuple[str, ...]:
        return self.inner.limits

    @property
    def reader(self) -> bool:
        return self.inner.reader

    @property
    def window(self) -> int | None:
        return self.inner.window

    def count_tokens(self, text: str) -> int:
        return self.inner.count_tokens(text)

    def prompt_tokens(self, request: Request) -> int:
        return self.inner.prompt_tokens(request)

    def choice_tokens(self, selection: Selection) -> int:
        return self.inner.choice_tokens(selection)

    def close(self) -> None:
        self.inner.close()

    def _generate(self, requests: Sequence[Request]) -> Outcomes[Completion]:
        return self._around("generate", requests, self.inner._generate)

    def _score(self, pairs: Sequence[Pair]) -> Outcomes[Score]:
        return self._around("score", pairs, self.inner._score)

    def _choose(self, selections: Sequence[Selection]) -> Outcomes[Choice]:
        return self._around("choose", selections, self.inner._choose)


class EncoderWrapper(ItemWrapper[Encoder], Encoder):
    """An encoder around another one."""

    @property
    def dimensions(self) -> int:
        return self.inner.dimensions

    @property
    def usage(self) -> Usage:
        return self.inner.usage

    def close(self) -> None:
        self.inner.close()

    def encode(self, texts: Sequence[str], *, progress: Progress | None = None) -> NDArray[np.float32]:
        texts = checked_texts(texts)
        if not texts:
            return self.inner.encode(texts)
        return stack_vectors(self.encode_each(texts), len(texts), progress)

    def encode_each(self, texts: Sequence[str]) -> Iterator[tuple[int, Vector | ModelError]]:
        return self._around("encode", texts, self.inner.encode_each)


class PolicyWrapper(ItemWrapper[EvidencePolicy]):
    """An evidence policy around another one."""

    @property
    def fingerprint(self) -> Any:
        """Identifies the inner policy; None if it has no fingerprint."""
        return getattr(self.inner, "fingerprint", None)

    @property
    def usage(self) -> Usage:
        """What the inner policy has cost so far."""
        return self.inner.usage

    def weigh(self, states: Sequence[PolicyState]) -> list[PolicyScores]:
        """Return the scores of each decision, in order; raises an error if a decision has one."""
        return scores_of(self.weigh_each(states))

    def weigh_each(self, states: Sequence[PolicyState]) -> list[Weighing | ModelError]:
        """Return the scores and the cost of each decision, or its error."""
        return self._in_order("weigh", states, weigh_each)


class VerdictWrapper(ItemWrapper[VerdictModel]):
    """A verdict model around another one."""

    @property
    def usage(self) -> Usage:
        """What the inner model has cost so far."""
        return self.inner.usage

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Return the number of tokens of each text in the prompt."""
        return self.inner.count_tokens(texts)

    def judge(self, items: Sequence[VerdictItem]) -> list[VerdictScores]:
        """Return the scores of each item, in order; raises an error if an item has one."""
        return scores_of(self.judge_each(items))

    def judge_each(self, items: Sequence[VerdictItem]) -> list[Judging | ModelError]:
        """Return the scores and the cost of each item, or its error."""
        return self._in_order("judge", items, judge_each)
