"""Models that stand in for those of a run: they reply as models do, and count what the run would cost."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Self

from probative.bench.replies import carries, common_words, reply_to
from probative.models.contract import LanguageModel, Outcomes, Progress
from probative.models.encoder import Encoder
from probative.models.evidence_policy import PolicyScores, PolicyState
from probative.models.items import ITEMS, key_of
from probative.models.types import Alternative, Choice, Completion, Pair, Request, Score, Selection
from probative.models.verdict import VERDICT_LIMITS, VerdictItem, VerdictScores
from probative.models.wrappers import DryRunItems, Layer, Verb, wrapped
from probative.session.session import Session
from probative.settings import Settings
from probative.text.words import words
from probative.types import Usage

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

DIMENSIONS = 256
# The probability of what a stand-in chooses: surer than most models are of a hard question.
SURE = 0.8


@dataclass
class Replies(Layer):
    """Answers every item in place of a language model. `calls` has the cost of each different item and the
    places that needed it; `place` is set by the caller.
    """

    calls: dict[str, tuple[Usage, set[int]]] = field(default_factory=dict)
    place: int = 0

    def around(self, model: Any, verb: str, items: Sequence[Any], call: Verb) -> Outcomes[Any]:
        for index, item in enumerate(items):
            key = key_of(model, verb, item)
            result = _RESULTS[verb](item, model, ITEMS[verb].cost(model, [item]))
            _, places = self.calls.setdefault(key, (result.usage, set()))
            places.add(self.place)
            yield index, result


def _completion(request: Request, model: LanguageModel, most: Usage) -> Completion:
    """The cost has the tokens of the reply, instead of the most that may be written."""
    text = reply_to(request)
    written = min(request.max_tokens, model.count_tokens(text))
    usage = most.model_copy(update={"completion_tokens": written})
    alternatives = () if request.alternatives == 1 else (Alternative(text=text, log_probability=-0.2),)
    return Completion(
        text=text, finish_reason="stop", model=model.name, usage=usage, alternatives=alternatives
    )


def _score(pair: Pair, model: LanguageModel, usage: Usage) -> Score:
    """A continuation costs a nat for each word that the prompt does not have, and a tenth for the others."""
    asked = words(pair.continuation) or [pair.continuation]
    known = set(words(pair.prompt))
    each = tuple(-0.1 if word in known else -1.0 for word in asked)
    return Score(log_probability=sum(each), token_log_probabilities=each, model=model.name, usage=usage)


def _choice(selection: Selection, model: LanguageModel, usage: Usage) -> Choice:
    """The option that the reply begins with, otherwise the first."""
    reply = reply_to(selection.request).lower()
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


class WordModels(DryRunItems):
    """Stands in for an encoder, the evidence policy and the verdict model, by words in common.

    >>> scores = WordModels().weigh([PolicyState("The ferry sank.", (), ("It rained.", "A ferry sank."))])
    >>> scores[0].candidates
    (0.0, 2.0)
    """

    dimensions = DIMENSIONS

    def encode(self, texts: Sequence[str], *, progress: Progress | None = None) -> NDArray[np.float32]:
        import numpy as np

        rows = np.zeros((len(texts), DIMENSIONS), dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            for word in words(text) or [text]:
                row[zlib.crc32(word.encode()) % DIMENSIONS] += 1.0
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        return np.asarray(rows / np.maximum(lengths, 1e-9), dtype=np.float32)

    def _scores(self, verb: str, items: Sequence[Any]) -> list[Any]:
        return [_weighed(item) if verb == "weigh" else _judged(item) for item in items]


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


class StandInSession(Session):
    """A session whose encoder is never opened, whichever a study names."""

    def with_encoder(self, encoder: Encoder | str) -> Self:
        return super().with_encoder(WordModels())


def stand_in_session(model: LanguageModel, replies: Replies, settings: Settings) -> Session:
    """Return a session that calls no model: the language model is only asked for its limits."""
    verdict_name = settings.verdict_model
    judged_by_model = verdict_name == "model"
    return StandInSession(
        wrapped(model, replies),
        encoder=WordModels(),
        policy=WordModels(),
        verdict=None if judged_by_model else WordModels(VERDICT_LIMITS.get(verdict_name)),
        settings=settings.model_copy(update={"cache": False, "judge_model": None}),
    )
