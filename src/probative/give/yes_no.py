"""Yes, no or maybe in what a model wrote; nothing where it says none of them."""

from __future__ import annotations

import re
from typing import Literal

Said = Literal["yes", "no", "maybe"]

_WORDS = "yes|no|maybe|true|false|unsure|uncertain|not true"
# "No idea", "no clear answer", "yes or no": words, and no answer.
_NOT = (
    r"(?!\s*(?:/|\bor\b|\band\b)|\s+(?:idea|clear|clue|evidence|information|answer|way|one|doubt|data|"
    r"knowledge|opinion|definite|simple|direct|specific|known)\b)"
)
_LEAD = r"(?:(?:so|therefore|thus|hence|in short)\W+)?(?:(?:the|my|a|final|correct|short|best)\s+)*"
_FIRST = re.compile(
    rf"^\W*{_LEAD}(?:answer|verdict|statement)?\W*(?:is|would be|should be)?\W*\b({_WORDS})\b{_NOT}",
    re.IGNORECASE | re.MULTILINE,
)
_STATED = re.compile(
    rf"\b(?:answer|verdict)\s+(?:\w+\s+){{0,4}}?(?:is|be)\W+({_WORDS})\b{_NOT}", re.IGNORECASE
)
_LAST = re.compile(rf"(?<!\bor)(?<!\band)(?<!/)[\s\W]({_WORDS})\W*$", re.IGNORECASE)
_MEANT: dict[str, Said] = {
    "true": "yes",
    "false": "no",
    "not true": "no",
    "unsure": "maybe",
    "uncertain": "maybe",
}


def polar_word(text: str) -> Said | None:
    """The word that a reply begins or ends with, or calls its answer; None where it says none.

    >>> polar_word("Yes, it is."), polar_word("False"), polar_word("It depends. Maybe"), polar_word("Indeed")
    ('yes', 'no', 'maybe', None)
    >>> polar_word("I have no idea"), polar_word("No clear answer."), polar_word("One cannot say yes or no")
    (None, None, None)
    >>> polar_word("It heats well, so the answer is: no."), polar_word("Yes or no: no")
    ('no', 'no')
    """
    found = _FIRST.search(text) or _STATED.search(text) or _LAST.search(text)
    if found is None:
        return None
    word = found[1].lower()
    return _MEANT.get(word, word)  # type: ignore[arg-type]
