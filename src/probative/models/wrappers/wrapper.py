"""A language model around another one: the base of cache, budget, trace and dry run."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from probative.models.contract import Capability, LanguageModel, Outcomes
from probative.models.types import Choice, Completion, Pair, Request, Score, Selection

AnyRequest = Request | Pair | Selection
AnyResult = Completion | Score | Choice
Verb = Callable[[Sequence[Any]], Outcomes[Any]]

RESULTS: dict[str, type[AnyResult]] = {"generate": Completion, "score": Score, "choose": Choice}


class Wrapper(LanguageModel):
    """Passes every call on to `inner`; a subclass overrides `_around`, once for all three verbs."""

    def __init__(self, inner: LanguageModel) -> None:
        self.inner = inner
        self.name = inner.name

    @property
    def capabilities(self) -> frozenset[Capability]:
        return self.inner.capabilities

    @property
    def fingerprint(self) -> str:
        return self.inner.fingerprint

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

    def _around(self, verb: str, requests: Sequence[Any], call: Verb) -> Outcomes[Any]:
        """Answer `requests`; `call` is the same verb of the inner model."""
        return call(requests)

    def _generate(self, requests: Sequence[Request]) -> Outcomes[Completion]:
        return self._around("generate", requests, self.inner._generate)

    def _score(self, pairs: Sequence[Pair]) -> Outcomes[Score]:
        return self._around("score", pairs, self.inner._score)

    def _choose(self, selections: Sequence[Selection]) -> Outcomes[Choice]:
        return self._around("choose", selections, self.inner._choose)


def read_tokens(model: LanguageModel, request: AnyRequest) -> int:
    """Return how many tokens the model reads for this request."""
    match request:
        case Request():
            return model.prompt_tokens(request)
        case Pair():
            return model.count_tokens(request.prompt + request.continuation)
        case Selection():
            return model.choice_tokens(request)
