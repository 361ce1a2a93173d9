"""How surely an answer is right: a small logistic model over the signals.

    certainty = 1 / (1 + exp(−(bias + Σ weight · (form(signal) − mean) / scale)))

A signal that is not known counts as its mean. The weights were fitted by `python -m training.certainty` on
questions that nothing was trained on; `certainty.json` says on which. There are three models: for answers of
the tuned reader from one passage, for those from several (which have other signals), and one of the signals
that every model's answer has.
"""

from __future__ import annotations

import math
from functools import cache
from importlib.resources import files
from typing import Literal

from pydantic import Field

from probative.scope.signals import Signals
from probative.types import Value

Form = Literal["logit", "plain"]
# Probabilities nearer to 0 or 1 than this count as this.
CLIP = 0.005
# How the reasons begin for which models refuse an answer.
UNVERIFIED = "the verdict model could not be asked"
NOT_ENTAILED = "the verdict model does not find the answer in the chain"
TOO_UNCERTAIN = "the answer is too uncertain"
HARDLY_ANSWERABLE = "the reader hardly finds an answer in the chain"
OTHER_KIND = "the answer is not of the kind that the question asks for"
REASONS = (UNVERIFIED, NOT_ENTAILED, TOO_UNCERTAIN, HARDLY_ANSWERABLE, OTHER_KIND)
# The lowest mean probability, over the readings of the tuned reader, that there is an answer.
MIN_ANSWERABLE = 0.4
# How often a computed answer is right whose values are entailed: 59 of 60 untouched questions.
COMPUTED = 0.95
# How surely the verdict model must find a value that the model named for a computation.
MIN_VALUE_ENTAILED = 0.5


class Term(Value):
    """One signal of the model: its form, its mean and deviation in this form, and its weight."""

    signal: str
    form: Form
    mean: float
    scale: float
    weight: float

    def value(self, signals: Signals) -> float:
        """Return what the signal adds to the logit; 0 if it is not known."""
        raw = getattr(signals, self.signal)
        return 0.0 if raw is None else self.weight * (shaped(raw, self.form) - self.mean) / self.scale


class CertaintyModel(Value):
    """The weights of one model. `rows` are the questions it was fitted on.

    An answer counts as supported from `min_certainty` on, if the verdict model's `entailed` is at least
    `min_entailed`.
    """

    terms: tuple[Term, ...]
    bias: float
    min_certainty: float = Field(ge=0, le=1)
    min_entailed: float = Field(ge=0, le=1)
    rows: str

    def certainty(self, signals: Signals) -> float:
        """Return the probability that an answer with these signals is right."""
        if signals.computed:
            doubtful = signals.entailed is not None and signals.entailed < MIN_VALUE_ENTAILED
            return COMPUTED * (signals.entailed or 0.0) if doubtful else COMPUTED
        return logistic(self.bias + math.fsum(term.value(signals) for term in self.terms))

    def refusal(self, signals: Signals, min_certainty: float | None = None) -> str | None:
        """Return why an answer with these signals is not supported; None if it is.

        Of a computed answer, only the values that the model named must be entailed, each by its own passage:
        what code compares or adds up stands in no sentence, and a model that reads denies much of it.
        """
        if signals.computed:
            return self._refusal_of_computed(signals, min_certainty)
        if signals.entailed is None:
            return f"{UNVERIFIED} whether the chain entails the answer"
        agreed, denied = signals.agreed or 0.0, signals.denied or 0.0
        if denied > agreed:
            return f"{NOT_ENTAILED}: it reads something else there (contradicted {denied:.0%})"
        if agreed < self.min_entailed:
            return f"{NOT_ENTAILED} (supported {agreed:.0%})"
        if signals.any_answer is not None and signals.any_answer < MIN_ANSWERABLE:
            return f"{HARDLY_ANSWERABLE} (answerable {signals.any_answer:.0%})"
        if signals.fits_kind == 0.0:
            return OTHER_KIND
        certainty = self.certainty(signals)
        threshold = self.min_certainty if min_certainty is None else min_certainty
        if certainty < threshold:
            return f"{TOO_UNCERTAIN}: {certainty:.0%}, and {threshold:.0%} is needed"
        return None

    def _refusal_of_computed(self, signals: Signals, min_certainty: float | None) -> str | None:
        if signals.entailed is not None and signals.entailed < MIN_VALUE_ENTAILED:
            return f"{NOT_ENTAILED}: a value is hardly supported by its passage ({signals.entailed:.0%})"
        certainty = self.certainty(signals)
        if min_certainty is not None and certainty < min_certainty:
            return f"{TOO_UNCERTAIN}: {certainty:.0%}, and {min_certainty:.0%} is needed"
        return None


class CertaintyModels(Value):
    """The models for the answers of the tuned reader, from one passage and from several, and the one for all
    other answers.
    """

    one: CertaintyModel
    several: CertaintyModel
    other: CertaintyModel

    def read(self, signals: Signals) -> CertaintyModel:
        """Return the model for an answer of the tuned reader."""
        return self.several if is_of_several(signals) else self.one


def is_of_several(signals: Signals) -> bool:
    """Return whether an answer rests on several passages."""
    return (signals.hops or 1.0) > 1.0


@cache
def certainty_models() -> CertaintyModels:
    """Return the models that ship with the package."""
    text = (files("probative.scope") / "certainty.json").read_text(encoding="utf-8")
    return CertaintyModels.model_validate_json(text)


def shaped(value: float, form: Form) -> float:
    """Return a signal in the form that the model adds up.

    >>> shaped(0.5, "logit"), shaped(3.0, "plain")
    (0.0, 3.0)
    """
    if form == "plain":
        return value
    clipped = min(1.0 - CLIP, max(CLIP, value))
    return math.log(clipped / (1.0 - clipped))


def logistic(value: float) -> float:
    """Return the probability of a logit.

    >>> logistic(0.0)
    0.5
    """
    return 1.0 / (1.0 + math.exp(-max(-30.0, min(30.0, value))))
