"""A value as a sentence gives it."""

from __future__ import annotations

from dataclasses import dataclass

from probative.scope.answer.compare.evidence import ChainSentence
from probative.text import english
from probative.text.analysis import Attribute
from probative.text.dates import Date
from probative.text.quantities import Quantity

Parsed = Date | Quantity | frozenset[str] | str


@dataclass(frozen=True)
class SentenceValue:
    """A value, as it is shown, the index of the passage whose sentence gives it, and this sentence.

    `read`: the model named it, and the sentence only contains it. `derived`: the value in words, if it does
    not stand in the sentence but follows from it (a price less a discount, the time between two times);
    `stated`: then the words of the sentence that it follows from.
    """

    value: Parsed
    shown: str
    index: int
    text: str = ""
    read: bool = False
    derived: str = ""
    stated: str = ""


def has_cue(attribute: Attribute, entry: ChainSentence) -> bool:
    """Return whether a sentence has a word of the attribute."""
    return not attribute.cues or not attribute.cues.isdisjoint(english.stems_of(entry.text))


def has_words(attribute: Attribute, entry: ChainSentence) -> bool:
    """Return whether a sentence has all words that the attribute needs."""
    return attribute.words <= english.stems_of(entry.text)
