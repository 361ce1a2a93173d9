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
    """Return which of two statements is in force when the question asks; None if nothing decides.

    Of a question with a date, only the dates from which the statements hold decide. Of one about what holds
    now, words such as "no longer" count next, then the dates of the documents. Later documents do not change
    what happened.
    """
    day = asked_day(question)
    if day is None:
        return None
    begins = english.valid_from(own.text), english.valid_from(other.text)
    coming = [begin is not None and dates.earlier(day, begin[0]) is True for begin in begins]
    if any(coming):
        if all(coming):
            return None
        begin = begins[coming.index(True)]
        reason = "" if begin is None else f"the other holds only {begin[1][:1].lower()}{begin[1][1:]}"
        return InForce((own, other)[coming.index(False)].index, reason, by_words=True)
    if day != _today() and not all(begins):
        return None
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
    if day != _today():
        return None
    written = [_date(run, sentence) for sentence in (own, other)]
    if not all(written) or written[0].startswith(written[1]) or written[1].startswith(written[0]):
        return None
    later = int(written[1] > written[0])
    reason = f"dated {written[later]}, the other {written[1 - later]}"
    return InForce((own, other)[later].index, reason, by_words=False)


def asked_day(question: str) -> Date | None:
    """Return the day that a question asks about: its only date, or today if it asks what holds now.

    >>> asked_day("What was the fee in May 2020?"), asked_day("Who won the cup?")
    ((2020, 5, 0), None)
    """
    named = english.dates_in(question)
    if len(named) == 1:
        return named[0]
    return _today() if english.asks_lasting(question) else None


def holds_only_later(sentence: str, question: str) -> str | None:
    """Return the words by which a sentence holds only from a later day than the question asks about.

    >>> holds_only_later("From 1 May 2024 it costs €6.", "What was the price in 2020?")
    'From 1 May 2024'
    """
    day, begin = asked_day(question), english.valid_from(sentence)
    return begin[1] if day and begin and dates.earlier(day, begin[0]) else None


def _today() -> Date:
    today = date.today()
    return today.year, today.month, today.day


def _replacing(run: Run, sentence: PassageSentence) -> str:
    return english.replacing_words(sentence.text, run.pool.passages[sentence.index].text)


def _date(run: Run, sentence: PassageSentence) -> str:
    return getattr(run.pool.passages[sentence.index], "date", None) or ""
