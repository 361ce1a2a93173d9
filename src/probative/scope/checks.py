"""The checks that an answer must pass to be supported, each with one number.

Terminal, page, HTML and JSON show this list, and the reason why an answer is not supported is the first check
that fails.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

from probative.scope.certainty import CertaintyModel
from probative.scope.signals import Signals
from probative.types import Value

CheckName = Literal[
    "language", "consistent", "complete", "grounded", "entailed", "answerable", "kind", "certain"
]
# The checks that rest on what the models say about an answer.
BY_MODELS: tuple[CheckName, ...] = ("entailed", "answerable", "kind", "certain")
# The lowest mean probability, over the readings of the tuned reader, that there is an answer.
MIN_ANSWERABLE = 0.4


class AnswerCheck(Value):
    """One check of an answer.

    - `name`: what was checked; `text`: the outcome in words.
    - `value`: its number, from 0 to 1, and `needed`: the lowest number that passes; None if it has none.
    """

    name: CheckName
    passed: bool
    text: str
    value: float | None = None
    needed: float | None = None

    @property
    def number(self) -> str:
        """The number in words.

        >>> AnswerCheck(name="certain", passed=False, text="too uncertain", value=0.35, needed=0.6).number
        '35%, and 60% is needed'
        """
        if self.value is None:
            return ""
        if self.passed or self.needed is None:
            return f"{self.value:.0%}"
        digits = 0 if self.needed - self.value >= 0.01 else 1
        return f"{self.value:.{digits}%}, and {self.needed:.{digits}%} is needed"

    @property
    def reason(self) -> str:
        """The outcome with its number."""
        return f"{self.text} ({self.number})" if self.number else self.text


def first_failed(checks: Sequence[AnswerCheck]) -> AnswerCheck | None:
    """Return the check that an answer fails first; None if it passes all."""
    return next((check for check in checks if not check.passed), None)


def value_of(checks: Sequence[AnswerCheck], name: CheckName) -> float | None:
    """Return the number of a check; None if the check was not made or has none."""
    return next((check.value for check in checks if check.name == name), None)


def model_checks(
    model: CertaintyModel, signals: Signals, min_certainty: float | None = None
) -> tuple[AnswerCheck, ...]:
    """Return what the models say about an answer with these signals, compared with what is needed.

    Of a computed answer, the values must be entailed, each by its own passage: what code compares or adds up
    stands in no sentence, and a model that reads denies much of it.
    """
    checks = [_entailed(model, signals), *(() if signals.computed else _of_read(signals))]
    threshold = model.min_certainty if min_certainty is None else min_certainty
    certainty = model.certainty(signals)
    certain = certainty >= threshold
    text = "the answer is certain enough" if certain else "the answer is too uncertain"
    return (
        *checks,
        AnswerCheck(name="certain", passed=certain, text=text, value=certainty, needed=threshold or None),
    )


def _entailed(model: CertaintyModel, signals: Signals) -> AnswerCheck:
    if signals.agreed is None:
        text = "the verdict model could not be asked whether the chain entails the answer"
        return AnswerCheck(name="entailed", passed=False, text=text)
    denied = signals.denied or 0.0
    needed = max(model.min_entailed, denied)
    passed = signals.agreed >= needed
    text = "the verdict model finds the answer in the chain"
    if signals.computed:
        text = "each value is supported by its passage" if passed else "a value is hardly supported"
    elif not passed:
        text = "the verdict model does not find the answer in the chain"
        text += ": it reads something else there" if denied > signals.agreed else ""
    return AnswerCheck(name="entailed", passed=passed, text=text, value=signals.agreed, needed=needed)


def _of_read(signals: Signals) -> Iterator[AnswerCheck]:
    if signals.any_answer is not None:
        passed = signals.any_answer >= MIN_ANSWERABLE
        text = f"the reader {'' if passed else 'hardly '}finds an answer in the chain"
        yield AnswerCheck(
            name="answerable", passed=passed, text=text, value=signals.any_answer, needed=MIN_ANSWERABLE
        )
    if signals.fits_kind is not None:
        passed = signals.fits_kind > 0.0
        text = f"the answer is {'' if passed else 'not '}of the kind that the question asks for"
        yield AnswerCheck(name="kind", passed=passed, text=text)
