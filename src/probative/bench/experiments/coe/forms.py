"""The form of an answer: what a wrong answer must share with the right one."""

from __future__ import annotations

import re
from typing import Literal

from probative.bench.metrics import normalise_answer

Form = Literal["yes-no", "date", "year", "number", "name", "phrase"]

_MONTHS = "january|february|march|april|may|june|july|august|september|october|november|december"
_DATE = re.compile(rf"\b(?:{_MONTHS})\b.*\d|\d.*\b(?:{_MONTHS})\b", re.IGNORECASE)
_YEAR = re.compile(r"(?:1[0-9]|20)\d\d")
_NUMBER = re.compile(r"\$?[\d.,]+(?:\s*(?:%|[a-z]+))?", re.IGNORECASE)


def answer_form(answer: str) -> Form:
    """Return the form of an answer.

    >>> [answer_form(text) for text in ("Yes", "3 May 1871", "1871", "39,134", "Ole Brandt", "a ferry")]
    ['yes-no', 'date', 'year', 'number', 'name', 'phrase']
    """
    text = answer.strip().rstrip(".")
    if text.lower() in ("yes", "no"):
        return "yes-no"
    if _DATE.search(text):
        return "date"
    if _YEAR.fullmatch(text):
        return "year"
    if _NUMBER.fullmatch(text):
        return "number"
    return "name" if text[:1].isupper() else "phrase"


def is_usable_wrong(wrong: str, answer: str, pieces: tuple[str, ...]) -> bool:
    """Return whether a wrong answer has the form of the right one, is another, and is not in the evidence.

    >>> is_usable_wrong("Bergen", "Molde", ("Built in Molde.",)), is_usable_wrong("1871", "Molde", ())
    (True, False)
    """
    first, second = normalise_answer(wrong), normalise_answer(answer)
    if not first or not second or answer_form(wrong) != answer_form(answer):
        return False
    if f" {first} " in f" {second} " or f" {second} " in f" {first} ":
        return False
    text = f" {normalise_answer(' '.join(pieces))} "
    return answer_form(answer) == "yes-no" or f" {first} " not in text
