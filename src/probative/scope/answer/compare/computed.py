"""The result of a computation: the answer with the values that decide it, or what is missing."""

from __future__ import annotations

from dataclasses import dataclass

from probative.scope.answer.compare.sentence_value import SentenceValue
from probative.scope.result import ComputedValue
from probative.text.analysis import Attribute
from probative.text.dates import in_words


@dataclass(frozen=True)
class ComputedAnswer:
    """The computed answer, the values that it rests on, and the rule that decided ("1,912 m > 1,740 m").

    Without an answer, `missing` names each value that the chain does not give ("height: Mount Ode"), or
    `reason` says why the values cannot be compared. The indexes of the values are those of the pool.
    """

    answer: str | None
    reason: str
    values: tuple[ComputedValue, ...] = ()
    missing: tuple[str, ...] = ()
    supporting: tuple[int, ...] = ()

    @property
    def citations(self) -> tuple[int, ...]:
        """The passages that give the values, each once, and then those that lead to them."""
        own = (value.index for value in self.values if value.index is not None)
        return tuple(dict.fromkeys((*own, *self.supporting)))


def shown_value(name: str, subject: str, attribute: Attribute, value: SentenceValue | None) -> ComputedValue:
    """Return a value as a result shows it: whose it is, its sentence, and the question that asks for it."""
    if value is None:
        return ComputedValue(name=name, attribute=attribute.name)
    return ComputedValue(
        name=name,
        attribute=attribute.name,
        value=value.shown,
        index=value.index,
        sentence=value.text or None,
        question=attribute.ask(subject),
        read=value.read,
        # A reader of the sentence knows no "1900-05-05".
        stated=in_words(value.value) if isinstance(value.value, tuple) else value.stated or None,
    )
