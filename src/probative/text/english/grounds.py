"""What a sentence cannot ground: a difference that nobody computed."""

from __future__ import annotations

import re

from probative.text.english.arithmetic import ASKS_EXCESS

_DIFFERENCE = re.compile(
    r"(?i)\W*(?:by\s+)?how\s+(?:much|many)\s+(?:[a-z]+\s+)?(?:more|less|fewer|[a-z]{2,}er)\b.*\bthan\b"
    r"|.*\bdifference\s+(?:in|of|between)\b"
)


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
