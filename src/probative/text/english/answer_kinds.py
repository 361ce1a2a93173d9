"""Whether an answer is of the kind that a question asks for."""

from __future__ import annotations

import re

from probative.text.analyzer import ParsedQuestion
from probative.text.english.answer_forms import normal_form
from probative.text.english.spans import may_contain_date, spans_of

_DATE_WORD = re.compile(
    r"\b(?:january|february|march|april|may|june|july|august|september|october|november|december|monday|tuesday|"
    r"wednesday|thursday|friday|saturday|sunday|spring|summer|autumn|winter|century|noon|midnight|\d{1,2}[:.]\d{2}|"
    r"\d{1,2} ?(?:am|pm)|\d{4}s?|bc)\b",
    re.IGNORECASE,
)


def fits_kind(answer: str, question: ParsedQuestion) -> bool | None:
    """Return whether an answer is of the kind that the question asks for; None if the kind says nothing.

    >>> from probative.text.english.questions import parse_question
    >>> when = parse_question("When was the Lark built?")
    >>> fits_kind("1842", when), fits_kind("Molde", when)
    (True, False)
    >>> fits_kind("Celsius", parse_question("How much does the ticket cost?"))
    False
    """
    polar = answer.strip().lower() in ("yes", "no")
    if question.kind == "yes-no":
        return polar
    if polar:
        return False
    if question.kind == "date":
        return may_contain_date(answer) or _DATE_WORD.search(answer) is not None
    if question.kind == "number":
        return next(spans_of(answer, "number"), None) is not None or any(
            word[0].isdigit() for word in normal_form(answer)
        )
    if question.kind in ("person", "place"):
        has_capital = any(letter.isupper() for letter in answer)
        return has_capital and not any(letter.isdigit() for letter in answer)
    return None
