"""How surely an answer is right: a small logistic model over the signals.

    certainty = 1 / (1 + exp(−(bias + Σ weight · (form(signal) − mean) / scale)))

A signal that is not known counts as its mean. The weights were fitted by `python -m training.certainty` on
questions that nothing was trained on; `certainty.json` says on which. There are three models: for answers of
the tuned reader from one passage, for those from several (which have other signals), and one of the signals
that every model's answer has. Computed answers have a model of their own, over how surely their values are
stated.
"""

from __future__ import annotations

import math
from functools import cache
from importlib.resources import files
from typing import Literal

from pydantic import Field

from probative.scope.signals import Signals
from probative.types import Value

Form = Literal["logit", "log", "plain"]
# Probabilities nearer to 0 or 1 than this count as this.
CLIP = 0.005
# Probabilities below this count as this, where their logarithm is taken.
FLOOR = 1e-9


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
        return logistic(self.bias + math.fsum(term.value(signals) for term in self.terms))


class CertaintyModels(Value):
    """The models for the answers of the tuned reader, from one passage and from several, the one for computed
    answers, and the one for all other answers.
    """

    one: CertaintyModel
    several: CertaintyModel
    computed: CertaintyModel
    other: CertaintyModel

    def model_for(self, signals: Signals, *, reader: bool = True) -> CertaintyModel:
        """Return the model for an answer, of the tuned reader or of another model."""
        if signals.computed:
            return self.computed
        if not reader:
            return self.other
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
    if form == "log":
        return math.log(max(FLOOR, value))
    clipped = min(1.0 - CLIP, max(CLIP, value))
    return math.log(clipped / (1.0 - clipped))


def logistic(value: float) -> float:
    """Return the probability of a logit.

    >>> logistic(0.0)
    0.5
    """
    return 1.0 / (1.0 + math.exp(-max(-30.0, min(30.0, value))))
