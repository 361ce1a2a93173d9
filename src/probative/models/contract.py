"""The contract of language models.

A method passes its independent calls as one list and gets a list of results in the same order:

- `generate(requests)`: chat completions;
- `score(pairs)`: the log-probability of a continuation after a prompt;
- `choose(prompts, options)`: a distribution over options.

`probative.models.encoder` has the contract of encoders.

A backend lists its verbs in `capabilities` and implements each as a generator (`_generate`, `_score`,
`_choose`) of `(index, outcome)` in any order. An outcome is a result or a `ModelError`. So wrappers (cache,
budget, trace) see every result as soon as it exists, and no result is lost when a later request fails. The
public verbs put the outcomes in order and raise an error if one of them is an error.
"""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import StrEnum
from typing import Any, Protocol, Self, TypeVar

from pydantic import ValidationError

from probative.errors import BatchError, BudgetError, CapabilityError, InputError, ModelError
from probative.models.types import Choice, Completion, Pair, Request, Score, Selection, reason
from probative.types import Usage

Progress = Callable[[int, int], None]


class Capability(StrEnum):
    """What a backend can do. `SCHEMA`: its engine enforces a JSON schema on the output of `generate`.
    `ALTERNATIVES`: `generate` gives several texts with their log-probabilities for one request.
    """

    GENERATE = "generate"
    SCHEMA = "schema"
    ALTERNATIVES = "alternatives"
    SCORE = "score"
    CHOOSE = "choose"
    ENCODE = "encode"


# What a model does that has a capability, where that is not a verb itself.
_DEEDS = {
    Capability.SCHEMA: "enforce a JSON schema",
    Capability.ALTERNATIVES: "give alternatives with their probabilities",
}
# The backends to name in the hint when another one lacks a capability.
_ALTERNATIVES = {
    Capability.GENERATE: "embedded, openai:NAME or hf:NAME",
    Capability.SCHEMA: "openai:NAME on a server with JSON-schema output",
    Capability.ALTERNATIVES: "embedded",
    Capability.SCORE: "embedded, hf:NAME, or openai:NAME on vLLM or SGLang",
    Capability.CHOOSE: "embedded, hf:NAME, or openai:NAME on a server that gives top log-probabilities",
    Capability.ENCODE: "load_encoder() with embedded or openai:NAME",
}


def lacks(model: str, capability: Capability, why: str = "") -> CapabilityError:
    """Return the error for a model without a capability; its hint names models that have it."""
    reason = f": {why}" if why else ""
    return CapabilityError(
        f"{model} cannot {_DEEDS.get(capability, capability.value)}{reason}",
        hint=f"use {_ALTERNATIVES[capability]}",
    )


Result = TypeVar("Result")
Item = TypeVar("Item")
Scores = TypeVar("Scores", covariant=True)
Outcomes = Iterator[tuple[int, Result | ModelError]]


def collect(outcomes: Outcomes[Result], count: int, progress: Progress | None = None) -> list[Result]:
    """Return `count` results in order; raises as `raise_errors` does if a request failed."""
    results: dict[int, Result] = {}
    # A request without an outcome is a defect of the backend, which must not go unnoticed.
    errors = dict.fromkeys(range(count), ModelError("the backend gave no outcome for this request"))
    for done, (index, outcome) in enumerate(outcomes, 1):
        if isinstance(outcome, ModelError):
            errors[index] = outcome
        else:
            results[index] = outcome
            errors.pop(index, None)
        if progress is not None:
            progress(done, count)
    raise_errors([results.get(index) for index in range(count)], errors)
    return [results[index] for index in range(count)]


def raise_errors(results: Sequence[Any], errors: Mapping[int, ModelError]) -> None:
    """Raise an error if there is one: the error itself for a single request, a `BudgetError` if all errors
    are budget errors, otherwise a `BatchError`. The latter two have the results so far.
    """
    if not errors:
        return
    first = errors[min(errors)]
    if all(isinstance(error, BudgetError) for error in errors.values()):
        raise BudgetError(first.what, hint=first.hint, results=results)
    raise first if len(results) == 1 else BatchError(results, errors)


def results_or_errors(call: Callable[[], Sequence[Result]], count: int) -> list[Result | ModelError]:
    """Return the result or the error of each of the `count` items of a call, which raises as `raise_errors`
    does. An error of the call as a whole is raised.
    """
    try:
        return list(call())
    except BatchError as failed:
        return [failed.errors.get(index, result) for index, result in enumerate(failed.results)]
    except BudgetError as spent:
        error = BudgetError(spent.what, hint=spent.hint)
        return [error if result is None else result for result in spent.results or [None] * count]


class Scored(Protocol[Scores]):
    """The scores of one item, and their cost."""

    @property
    def scores(self) -> Scores: ...


def scores_of(outcomes: Sequence[Scored[Scores] | ModelError]) -> list[Scores]:
    """Return the scores alone; raises an error if an item has one."""
    scores = (outcome if isinstance(outcome, ModelError) else outcome.scores for outcome in outcomes)
    return collect(enumerate(scores), len(outcomes))


def outcomes_of(
    model: Any,
    verb: str,
    items: Sequence[Item],
    length: Callable[[Item], int],
    scored: Callable[[Any, Usage], Result],
) -> list[Result | ModelError]:
    """Return the scores and the cost of each item, or its error.

    A model with a method `VERB_each` counts exactly. For any other, the tokens of the whole call are shared
    out by the `length` of the items, and each item is a call.
    """
    each: Callable[[Sequence[Item]], list[Result | ModelError]] | None = getattr(model, f"{verb}_each", None)
    if each is not None:
        return each(items)
    before = model.usage
    scores = getattr(model, verb)(items)
    shares = (model.usage - before).shares([length(item) for item in items])
    return [
        scored(score, share.model_copy(update={"calls": 1}))
        for score, share in zip(scores, shares, strict=True)
    ]


class Counted:
    """Counts the cost of a model's calls. Threads may share it."""

    def __init__(self) -> None:
        self._usage = Usage()
        self._counting = threading.Lock()

    @property
    def usage(self) -> Usage:
        """The cost so far."""
        return self._usage

    def _count(self, usage: Usage) -> None:
        """Add the cost of a call."""
        with self._counting:
            self._usage += usage


class Closing:
    """A model that closes itself at the end of a `with` block."""

    def close(self) -> None:
        """Release connections and memory; most backends have nothing to release."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class LanguageModel(Closing, ABC):
    """A language model with the verbs `generate`, `score` and `choose`, or those in its `capabilities`."""

    name: str
    """The name that a user gives, such as ``embedded`` or ``openai:gpt-4o-mini``."""

    @property
    @abstractmethod
    def capabilities(self) -> frozenset[Capability]:
        """The verbs that it has."""

    @property
    @abstractmethod
    def fingerprint(self) -> str:
        """Identifies the weights and everything else, apart from the request, that decides the output."""

    @property
    def limits(self) -> tuple[str, ...]:
        """What it turned out not to be able to do, for the notes of a result."""
        return ()

    @property
    def reader(self) -> bool:
        """Whether it was trained on the short prompts of Probative's own reader."""
        return False

    @property
    def window(self) -> int | None:
        """The number of tokens, as `count_tokens` counts them, of a prompt with its output that the model can
        read; None if unknown.
        """
        return None

    @property
    def known_window(self) -> int | None:
        """`window` as far as it is known without a call."""
        return self.window

    def count_tokens(self, text: str) -> int:
        """Return the number of tokens of a text: exact if the tokenizer is available, otherwise an estimate
        of one for 4 ASCII characters and one for each other character.
        """
        other = 0 if text.isascii() else sum(not character.isascii() for character in text)
        return max(1, (len(text) - other + 3) // 4 + other)

    def prompt_tokens(self, request: Request) -> int:
        """Return the number of tokens of a chat with its template (about 8 tokens per message)."""
        return sum(self.count_tokens(message.content) + 8 for message in request.messages)

    def choice_tokens(self, selection: Selection) -> int:
        """Return the maximum number of tokens that the model reads to choose."""
        options = sum(self.count_tokens(option) for option in selection.options)
        return self.prompt_tokens(selection.request) + options

    def generate(
        self, requests: Sequence[Request | str], *, progress: Progress | None = None
    ) -> list[Completion]:
        """Return a completion for each request; a string stands for one user message."""
        self._require(Capability.GENERATE)
        checked = [as_request(request) for request in as_list(requests)]
        if any(request.alternatives > 1 for request in checked):
            self._require(Capability.ALTERNATIVES)
        return collect(self._generate(checked), len(checked), progress)

    def score(
        self, pairs: Sequence[Pair | tuple[str, str]], *, progress: Progress | None = None
    ) -> list[Score]:
        """Return log P(continuation | prompt) for each pair."""
        self._require(Capability.SCORE)
        checked = [as_pair(pair) for pair in as_list(pairs)]
        return collect(self._score(checked), len(checked), progress)

    def choose(
        self,
        prompts: Sequence[Request | str],
        options: Sequence[str] | Sequence[Sequence[str]],
        *,
        progress: Progress | None = None,
    ) -> list[Choice]:
        """Return a distribution over the options for each prompt.

        `options` is one list of strings for all prompts, or a list of strings for each prompt.
        """
        self._require(Capability.CHOOSE)
        selections = _as_selections(as_list(prompts), as_list(options))
        return collect(self._choose(selections), len(selections), progress)

    def try_out(self, capability: Capability) -> None:
        """Raise `CapabilityError` unless the model has a capability; where only its server knows, that is
        asked.
        """
        self._require(capability)

    def _require(self, capability: Capability) -> None:
        if capability not in self.capabilities:
            raise lacks(self.name, capability)

    def _generate(self, requests: Sequence[Request]) -> Outcomes[Completion]:
        raise lacks(self.name, Capability.GENERATE)

    def _score(self, pairs: Sequence[Pair]) -> Outcomes[Score]:
        raise lacks(self.name, Capability.SCORE)

    def _choose(self, selections: Sequence[Selection]) -> Outcomes[Choice]:
        raise lacks(self.name, Capability.CHOOSE)


def as_list(items: Any) -> list[Any]:
    """Return the items of a batch as a list; raises `InputError` for a string or a single value."""
    if isinstance(items, str):
        raise InputError("expected a list, got a string", hint="put it in a list: [text]")
    try:
        return list(items)
    except TypeError:
        raise InputError(f"expected a list, got {type(items).__name__}") from None


def as_request(request: Request | str) -> Request:
    """Return the request; a string becomes a request of one user message."""
    if isinstance(request, Request):
        return request
    if isinstance(request, str):
        return Request.user(request)
    raise InputError(f"a request must be a Request or a string, got {type(request).__name__}")


def as_pair(pair: Pair | tuple[str, str]) -> Pair:
    """Return the pair; a tuple of a prompt and a continuation becomes one."""
    if isinstance(pair, Pair):
        return pair
    try:
        if isinstance(pair, str):
            raise TypeError
        prompt, continuation = pair
        return Pair(prompt=prompt, continuation=continuation)
    except ValidationError as error:
        raise InputError(f"the pair to score is invalid: {reason(error)}") from None
    except (TypeError, ValueError):
        raise InputError("a pair to score must be (prompt, continuation), two strings") from None


def _as_selections(prompts: list[Any], options: list[Any]) -> list[Selection]:
    shared = all(isinstance(option, str) for option in options)
    if not shared:
        if any(isinstance(option, str) for option in options):
            raise InputError("options must be one list of strings, or a list of strings for each prompt")
        options = [as_list(option) for option in options]
        if len(options) != len(prompts):
            raise InputError(f"got {len(prompts)} prompts and {len(options)} lists of options")
    try:
        return [
            Selection(request=as_request(prompt), options=tuple(options if shared else options[index]))
            for index, prompt in enumerate(prompts)
        ]
    except ValidationError as error:
        raise InputError(reason(error)) from None
