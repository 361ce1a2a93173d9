"""A language model as verdict model, for `verdict="model"`.

A model that can choose gives the probabilities of the three words, and the pieces that share most words with
the claim count as deciding. Any other model writes its verdict, how sure it is, and the deciding letters.
"""

from __future__ import annotations

import hashlib
import string
from collections.abc import Sequence
from typing import Annotated, Literal

from pydantic import BaseModel, Field

from probative.errors import CapabilityError, ModelError
from probative.models.contract import Capability, LanguageModel, results_or_errors
from probative.models.structured import Parsed, generate_objects
from probative.models.task_prompts import VERDICTS, lines_in, task_request
from probative.models.types import Choice, Request
from probative.models.verdict import (
    CountedVerdict,
    Judging,
    VerdictItem,
    VerdictScores,
    checked_items,
)
from probative.text.prompts import fenced, fill, read_prompt
from probative.text.words import words
from probative.types import total

WORDS = ("supported", "contradicted", "insufficient")
LETTERS = string.ascii_uppercase
"""The letters that name the pieces of evidence, in order."""
OBJECT_TOKENS = 120
_PARTS = ("verdict", "verdict_word", "verdict_object")


class WrittenVerdict(BaseModel):
    """What a model writes that cannot choose."""

    verdict: Literal["supported", "contradicted", "insufficient"]
    confidence: Annotated[float, Field(ge=0.0, le=1.0)]
    deciding: list[str]


class ModelVerdict(CountedVerdict):
    """Asks a language model for verdicts. Cache, budget and trace are those of the language model."""

    def __init__(self, model: LanguageModel) -> None:
        super().__init__()
        self._model = model
        self.name = model.name

    @property
    def fingerprint(self) -> str:
        """Identifies the model and the prompt."""
        prompts = "".join(read_prompt("probative.models", name) for name in _PARTS)
        return f"{self._model.fingerprint}:{hashlib.sha256(prompts.encode()).hexdigest()[:12]}"

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Return the number of tokens of each text."""
        return [self._model.count_tokens(text) for text in texts]

    def judge_each(self, items: Sequence[VerdictItem]) -> list[Judging | ModelError]:
        """Return the scores and the cost of each item, or its error."""
        items = checked_items(items)
        outcomes: list[Judging | ModelError] | None = None
        if Capability.CHOOSE in self._model.capabilities:
            try:
                outcomes = self._chosen(items)
            except CapabilityError:  # a server may turn out to give no log-probabilities
                outcomes = None
        if outcomes is None or any(isinstance(outcome, CapabilityError) for outcome in outcomes):
            outcomes = self._written(items)
        self._count(total(outcome.usage for outcome in outcomes if outcome.usage is not None))
        return outcomes

    def _chosen(self, items: Sequence[VerdictItem]) -> list[Judging | ModelError]:
        """Return the verdicts by the probabilities of words; the tuned reader is asked in its own form."""
        if self._model.reader:
            requests = [task_request("verdict", item.claim, lines_in(item), max_tokens=4) for item in items]
            options = VERDICTS
        else:
            requests = [_request(item, "verdict_word", max_tokens=8) for item in items]
            options = WORDS
        choices = results_or_errors(lambda: self._model.choose(requests, options), len(items))
        return [
            choice if isinstance(choice, ModelError) else _by_words(item, choice)
            for item, choice in zip(items, choices, strict=True)
        ]

    def _written(self, items: Sequence[VerdictItem]) -> list[Judging | ModelError]:
        """Return the verdicts that the model writes as objects; an unreadable one is repaired once."""
        requests = [_request(item, "verdict_object", max_tokens=OBJECT_TOKENS) for item in items]
        replies = results_or_errors(
            lambda: generate_objects(self._model, requests, WrittenVerdict), len(items)
        )
        return [
            reply if isinstance(reply, ModelError) else _by_object(item, reply)
            for item, reply in zip(items, replies, strict=True)
        ]


def _request(item: VerdictItem, reply: str, *, max_tokens: int) -> Request:
    evidence = "\n".join(
        f"{letter}. {fenced(text)}" for letter, text in zip(LETTERS, item.evidence, strict=False)
    )
    prompt = fill(
        read_prompt("probative.models", "verdict"),
        evidence=evidence,
        claim=fenced(item.claim),
        reply=read_prompt("probative.models", reply),
    )
    return Request.user(prompt, max_tokens=max_tokens)


def _by_words(item: VerdictItem, choice: Choice) -> Judging:
    supported, contradicted, insufficient = choice.probabilities
    scores = VerdictScores(supported, contradicted, insufficient, _shares(_overlaps(item)))
    return Judging(scores, choice.usage)


def _by_object(item: VerdictItem, reply: Parsed[WrittenVerdict]) -> Judging:
    """Return the scores of a written verdict; the other two verdicts share the rest evenly."""
    written = reply.value
    others = (1.0 - written.confidence) / 2
    supported, contradicted, insufficient = (
        written.confidence if word == written.verdict else others for word in WORDS
    )
    named = {letter.strip().rstrip(".").upper() for letter in written.deciding}
    marked = [float(letter in named) for letter, _ in zip(LETTERS, item.evidence, strict=False)]
    deciding = _shares(marked if any(marked) else _overlaps(item))
    return Judging(VerdictScores(supported, contradicted, insufficient, deciding), reply.usage)


def _overlaps(item: VerdictItem) -> list[float]:
    """Return how many words each piece of evidence shares with the claim."""
    claim = set(words(item.claim))
    return [float(len(claim & set(words(text)))) for text in item.evidence]


def _shares(weights: Sequence[float]) -> tuple[float, ...]:
    """Return the weights divided by their sum; even shares if all are 0.

    >>> _shares([1.0, 3.0]), _shares([0.0, 0.0])
    ((0.25, 0.75), (0.5, 0.5))
    """
    whole = sum(weights)
    return tuple(weight / whole if whole else 1 / len(weights) for weight in weights)
