"""What a sentence cannot ground: a difference that nobody computed, words without content, another thing of
the same name.
"""

from __future__ import annotations

import re

from probative.text.english.arithmetic import ASKS_EXCESS
from probative.text.english.compound import find_verb
from probative.text.english.dates import dates_in
from probative.text.word_lists import any_of

_DIFFERENCE = re.compile(
    r"(?i)\W*(?:by\s+)?how\s+(?:much|many)\s+(?:[a-z]+\s+)?(?:more|less|fewer|[a-z]{2,}er)\b.*\bthan\b"
    r"|.*\bdifference\s+(?:in|of|between)\b"
)
_EMPTY = re.compile(rf"(?i)(?:\W*\b(?:{any_of('answers.empty')})\b)+\W*")
_TOTAL = re.compile(
    r"(?i)\b(?:the most (?:that|one|he|she|it|they|we|you)|maximum|in total|in all|altogether|at most)\b"
)
_RATE = re.compile(rf"(?i)\b(?:each|every|per)\s+(?:[a-z]+\s+){{0,2}}?(?:{any_of('rates.units')})s?\b")


def asks_total(question: str) -> bool:
    """Return whether a question asks for the whole of an amount, or for its limit.

    >>> asks_total("What is the most that the tenant could owe?"), asks_total("How much is the fine per day?")
    (True, False)
    """
    return _TOTAL.search(question) is not None and _RATE.search(question) is None


def states_rate(text: str) -> bool:
    """Return whether a sentence gives an amount for each day, person or other unit.

    >>> states_rate("For each full day of delay he pays 40 crowns."), states_rate("It costs 40 crowns.")
    (True, False)
    """
    return _RATE.search(text) is not None


def is_dateline(text: str) -> bool:
    """Return whether a text only says where and when something was written.

    >>> is_dateline("Wenlow, 7 May 2025."), is_dateline("It opened on 7 May 2025."), is_dateline("Wenlow.")
    (True, False, False)
    """
    without_month = re.sub(r"\bMay\b", "", text)
    return bool(dates_in(text)) and ":" not in text and find_verb(without_month) is None


def asks_difference(question: str) -> bool:
    """Return whether a question asks how much two values differ.

    >>> asks_difference("How much louder is normal mode than night mode?")
    True
    >>> asks_difference("By how much did the sales of Alba exceed the budget?")
    True
    >>> asks_difference("How many people earn more than 500 pounds?")
    False
    """
    return any(form.match(question) for form in (_DIFFERENCE, ASKS_EXCESS))


def says_nothing(answer: str) -> bool:
    """Return whether an answer has only words that say nothing by themselves.

    >>> says_nothing("in the"), says_nothing("in the hall"), says_nothing("no"), says_nothing("Thea")
    (True, False, False, False)
    """
    return _EMPTY.fullmatch(answer) is not None
