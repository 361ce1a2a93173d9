"""Percentages that look like counts: "25 percent were children" does not say how many children there were."""

from __future__ import annotations

from collections.abc import Sequence

from probative.scope.run import Run
from probative.scope.sentences import PassageSentence
from probative.text import english


def is_only_share(run: Run, answer: str, sentences: Sequence[PassageSentence]) -> bool:
    """Return whether an answer is a plain number that stands in the sentences only as a percentage, and the
    question asks for no percentage.
    """
    plain = english.quantities_in(answer)
    if len(plain) != 1 or plain[0].quantity.unit or english.asks_share(run.question.text):
        return False
    units = [
        span.quantity.unit
        for sentence in sentences
        for span in english.quantities_in(sentence.text)
        if span.quantity.low == plain[0].quantity.low
    ]
    return bool(units) and all(unit == "%" for unit in units)
