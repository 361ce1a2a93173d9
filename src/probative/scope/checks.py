"""The signals that say how surely an answer is right, and the checks that it must pass to be supported.

Terminal, page, HTML and JSON show the list of checks; the first that fails is the reason why an answer is not
supported.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from probative.types import Value

CheckName = Literal[
    "language", "consistent", "complete", "grounded", "entailed", "answerable", "certain", "sources"
]


class Signals(Value):
    """What speaks for an answer, each from 0 to 1 apart from numbers of things; None if it is not known.

    - `chain_answerable`: 1 − P(unknown) of the reader of the chain.
    - `completeness`: the evidence policy's probability that the chain is enough.
    - `probability`: of the answer among the reader's alternatives.
    - `entailed`, `denied`: the verdict model's probability that the chain supports or contradicts the answer.
    - `other_entailed`: its highest probability that the chain supports another candidate, for a chain of
      several passages.
    - `hops`: the number of passages in the chain.
    - `computed`: whether code computed the answer. Then `entailed` is that of the value supported least,
      `denied` that of the value contradicted most, and `values_entailed` is the geometric mean of all.
    - `polar`: whether the answer is yes or no.
    - `uncomputed`: of a number, a date, yes or no that was read, the probability that it had to be
      computed.
    """

    chain_answerable: float | None = None
    completeness: float | None = None
    probability: float | None = None
    entailed: float | None = None
    denied: float | None = None
    other_entailed: float | None = None
    hops: float | None = None
    computed: float = 0.0
    values_entailed: float | None = None
    polar: float = 0.0
    uncomputed: float = 0.0


def joined_signals(*parts: Signals) -> Signals:
    """Return the signals that some of the parts know; a later part counts more.

    >>> joined_signals(Signals(entailed=1.0), Signals(denied=0.5)).denied
    0.5
    """
    return Signals(**{name: getattr(part, name) for part in parts for name in part.model_fields_set})


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
        """The number in words; none for a failed check without a lowest number: its text says why it failed.

        >>> AnswerCheck(name="certain", passed=False, text="too uncertain", value=0.35, needed=0.6).number
        '35%, and 60% is needed'
        """
        if self.value is None or (self.needed is None and not self.passed):
            return ""
        if self.passed or self.needed is None:
            return f"{self.value:.0%}"
        digits = 0 if self.needed - self.value >= 0.01 else 1
        return f"{self.value:.{digits}%}, and {self.needed:.{digits}%} is needed"

    @property
    def reason(self) -> str:
        """The outcome with its number."""
        return f"{self.text} ({self.number})" if self.number else self.text


def failed(name: CheckName, text: str, value: float | None = None) -> AnswerCheck:
    """Return a check that an answer does not pass."""
    return AnswerCheck(name=name, passed=False, text=text, value=value)


def first_failed(checks: Sequence[AnswerCheck]) -> AnswerCheck | None:
    """Return the check that an answer fails first; None if it passes all."""
    return next((check for check in checks if not check.passed), None)
