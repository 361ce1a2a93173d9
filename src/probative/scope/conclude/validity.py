"""Which of two statements about the same thing is in force."""

from __future__ import annotations

from datetime import date
from typing import NamedTuple

from probative.scope.run import Run
from probative.scope.sentences import PassageSentence
from probative.text import dates, english
from probative.text.dates import Date


class InForce(NamedTuple):
    """The passage whose statement replaces the other, why, and whether its words say so."""

    passage: int
    reason: str
    by_words: bool


def in_force(run: Run, own: PassageSentence, other: PassageSentence, question: str) -> InForce | None:
    """Return which of two statements replaces the other; None if nothing decides.

    Only for a question about what holds now: later documents do not change what happened. The dates from
    which the statements hold count first, then words such as "no longer", then the dates of the documents.
    """
    if not english.asks_lasting(question):
        return None
    begins = english.valid_from(own.text), english.valid_from(other.text)
    coming = [begin is not None and _first_day(begin[0]) > date.today() for begin in begins]
    if any(coming):
        if all(coming):
            return None
        begin = begins[coming.index(True)]
        reason = "" if begin is None else f"the other holds only {begin[1][:1].lower()}{begin[1][1:]}"
        return InForce((own, other)[coming.index(False)].index, reason, by_words=True)
    replacing = _replacing(run, own), _replacing(run, other)
    if begins[0] and begins[1]:
        compared = dates.order(begins[0][0], begins[1][0])
        later = None if not compared else int(compared < 0)
        reasons = [begins[0][1], begins[1][1]]
    else:
        reasons = [
            f"“{words}”" if words else "" if begin is None else begin[1]
            for words, begin in zip(replacing, begins, strict=True)
        ]
        later = None if bool(reasons[0]) == bool(reasons[1]) else int(bool(reasons[1]))
    if later is not None:
        return InForce((own, other)[later].index, reasons[later], by_words=True)
    written = [_date(run, sentence) for sentence in (own, other)]
    if not all(written) or written[0].startswith(written[1]) or written[1].startswith(written[0]):
        return None
    later = int(written[1] > written[0])
    reason = f"dated {written[later]}, the other {written[1 - later]}"
    return InForce((own, other)[later].index, reason, by_words=False)


def _first_day(day: Date) -> date:
    year, month, number = day
    try:
        return date(year, month or 1, number or 1)
    except ValueError:  # a year before Christ, or a day that no month has
        return date.min


def _replacing(run: Run, sentence: PassageSentence) -> str:
    return english.replacing_words(sentence.text, run.pool.passages[sentence.index].text)


def _date(run: Run, sentence: PassageSentence) -> str:
    return getattr(run.pool.passages[sentence.index], "date", None) or ""
