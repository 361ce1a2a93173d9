"""Whether an answer is of the kind that a question asks for."""

from __future__ import annotations

import re

from probative.text.analysis import ParsedQuestion
from probative.text.english.answer_forms import normal_form
from probative.text.english.spans import may_contain_date, spans_of

_DATE_WORD = re.compile(
    r"\b(?:january|february|march|april|may|june|july|august|september|october|november|december|monday|tuesday|"
    r"wednesday|thursday|friday|saturday|sunday|spring|summer|autumn|winter|century|noon|midnight|\d{1,2}[:.]\d{2}|"
    r"\d{1,2} ?(?:am|pm|a\.m|p\.m)|\d{4}s?|bc|morning|afternoon|evening|night|noon|today|tomorrow|yesterday|"
    r"(?:hour|day|week|month|year)s?|daily|weekly|monthly|yearly|always|never|before|after|during|until|when)\b",
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
    >>> fits_kind("in the morning", when), fits_kind("the secretary", parse_question("Who has the key?"))
    (True, None)
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
        if any(letter.isdigit() for letter in answer):
            return False
        # "the secretary", "on board": without a name, the words do not say what kind it is.
        return True if any(letter.isupper() for letter in answer) else None
    return None
