"""Models that stand in for those of a run: they reply as models do, and count what the run would cost."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from probative.dry_run.prompts import reply_to
from probative.dry_run.words import carries, common_words
from probative.models.contract import Capability, Counted, LanguageModel, Outcomes, Progress
from probative.models.encoder import Encoder, checked_texts
from probative.models.evidence_policy import PolicyScores, PolicyState
from probative.models.items import ITEMS
from probative.models.structured import example
from probative.models.types import Alternative, Choice, Completion, Pair, Request, Score, Selection
from probative.models.verdict import VerdictItem, VerdictLimits, VerdictScores, checked_items
from probative.models.wrappers import Layer, Verb, Wrapper, layers_around
from probative.settings import TUNED_MODELS
from probative.text.words import words
from probative.types import Usage, total

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

DIMENSIONS = 256
# The probability of what a stand-in chooses: surer than most models are of a hard question.
SURE = 0.8


class StandIn(Layer):
    """Answers every item in place of a language model, and counts what it would have cost.

    What a method does next may depend on a real answer, so the count is an estimate. The finish reason of a
    completion is ``dry-run``.
    """

    def around(self, model: Any, verb: str, items: Sequence[Any], call: Verb) -> Outcomes[Any]:
        for index, item in enumerate(items):
            yield index, self.result(model, verb, item)

    def result(self, model: Any, verb: str, item: Any) -> Any:
        """Return what stands for the result of an item, with its cost."""
        return _RESULTS[verb](item, model, ITEMS[verb].cost(model, [item]))


class StandInModel(Wrapper):
    """A language model that is asked for its limits only, as far as it knows them without a call."""

    window: Any = property(lambda wrapper: wrapper.inner.known_window)

    def try_out(self, capability: Capability) -> None:
        self._require(capability)


def stand_in(model: LanguageModel, layer: StandIn | None = None) -> LanguageModel:
    """Return a model that stands in for another one, which is never called."""
    return StandInModel(model, layer or StandIn())


def stands_in(model: object) -> bool:
    """Return whether a model is not called, since another one stands in for it."""
    return any(isinstance(layer, StandIn) for layer in layers_around(model))


class Unopened(LanguageModel):
    """A model in this process that is only known by its name: its weights are neither fetched nor loaded.

    Tokens are estimated. Nobody knows what the cache has of it, since weights decide that.
    """

    fingerprint: Any = "not opened"

    def __init__(self, name: str) -> None:
        self.name = name

    @property
    def capabilities(self) -> frozenset[Capability]:
        local = {Capability.GENERATE, Capability.SCORE, Capability.CHOOSE}
        return frozenset(local | ({Capability.ALTERNATIVES} if self.name.startswith("embedded") else set()))

    @property
    def reader(self) -> bool:
        return self.name in TUNED_MODELS


def _completion(request: Request, model: LanguageModel, most: Usage) -> Completion:
    """The cost has the tokens of the reply, or the most that may be written to a prompt that is not known."""
    text, usage = reply_to(request), most
    if text is None:
        text = "(dry run)" if request.json_schema is None else example(request.json_schema)
    else:
        written = min(request.max_tokens, model.count_tokens(text))
        usage = most.model_copy(update={"completion_tokens": written})
    alternatives = () if request.alternatives == 1 else (Alternative(text=text, log_probability=-0.2),)
    return Completion(
        text=text, finish_reason="dry-run", model=model.name, usage=usage, alternatives=alternatives
    )


def _score(pair: Pair, model: LanguageModel, usage: Usage) -> Score:
    """A continuation costs a nat for each word that the prompt does not have, and a tenth for the others."""
    asked = words(pair.continuation) or [pair.continuation]
    known = set(words(pair.prompt))
    each = tuple(-0.1 if word in known else -1.0 for word in asked)
    return Score(log_probability=sum(each), token_log_probabilities=each, model=model.name, usage=usage)


def _choice(selection: Selection, model: LanguageModel, usage: Usage) -> Choice:
    """The option that the reply begins with, otherwise the first."""
    reply = (reply_to(selection.request) or "").lower()
    options = selection.options
    best = next((at for at, option in enumerate(options) if reply.startswith(option.strip().lower())), 0)
    rest = (1 - SURE) / (len(options) - 1)
    probabilities = tuple(SURE if at == best else rest for at in range(len(options)))
    return Choice(options=options, probabilities=probabilities, coverage=1.0, model=model.name, usage=usage)


_RESULTS: dict[str, Callable[[Any, LanguageModel, Usage], Completion | Score | Choice]] = {
    "generate": _completion,
    "score": _score,
    "choose": _choice,
}


class WordModels(Counted, Encoder):
    """Stands in for an encoder, the evidence policy and the verdict model, by words in common, so that their
    weights are not opened; counts what they would read: one token for 4 characters.

    >>> scores = WordModels().weigh([PolicyState("The ferry sank.", (), ("It rained.", "A ferry sank."))])
    >>> scores[0].candidates
    (0.0, 2.0)
    """

    name = fingerprint = "dry-run"
    dimensions = DIMENSIONS

    def __init__(self, limits: VerdictLimits | None = None) -> None:
        super().__init__()
        self.limits = limits or VerdictLimits()

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        return [-(-len(text) // 4) for text in texts]

    def encode(self, texts: Sequence[str], *, progress: Progress | None = None) -> NDArray[np.float32]:
        self._count(ITEMS["encode"].cost(self, checked_texts(texts)))
        return word_vectors(texts)

    def weigh(self, states: Sequence[PolicyState]) -> list[PolicyScores]:
        self._count(total(ITEMS["weigh"].cost(self, [state]) for state in states))
        return [_weighed(state) for state in states]

    def judge(self, items: Sequence[VerdictItem]) -> list[VerdictScores]:
        items = checked_items(items, self.limits.pieces)
        self._count(total(ITEMS["judge"].cost(self, [item]) for item in items))
        return [_judged(item) for item in items]


def word_vectors(texts: Sequence[str]) -> NDArray[np.float32]:
    """Return a vector of length 1 for each text: texts with the same words are near each other."""
    import numpy as np

    rows = np.zeros((len(texts), DIMENSIONS), dtype=np.float32)
    for row, text in zip(rows, texts, strict=True):
        for word in words(text) or [text]:
            row[zlib.crc32(word.encode()) % DIMENSIONS] += 1.0
    rows /= np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)
    return rows


def _weighed(state: PolicyState) -> PolicyScores:
    """Two sentences are enough, and none are needed that share no word with the query."""
    scores = [float(common_words(text, state.query)) for text in state.candidates]
    return PolicyScores(
        tuple(scores), 9.0 if len(state.chosen) > 1 else -1.0, 0.5 if not state.chosen else -1.0
    )


def _judged(item: VerdictItem) -> VerdictScores:
    supported = carries(" ".join(item.evidence), item.claim)
    shared = [common_words(text, item.claim) + 0.01 for text in item.evidence]
    deciding = tuple(share / sum(shared) for share in shared)
    rest = (1 - SURE) / 2
    return VerdictScores(SURE if supported else rest, rest, rest if supported else SURE, deciding)
