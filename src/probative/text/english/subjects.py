"""What an English passage is about."""

from __future__ import annotations

import re

from probative.text.word_lists import COMMON
from probative.text.words import words
from probative.types import Passage

_NAME = re.compile(
    r"[^\W\d_a-zà-ÿ][\w'’.-]*(?:\s+(?:(?:of|the|de|van|von)\s+)?[^\W\d_a-zà-ÿ][\w'’.-]*|\s+\d+\b)*"
)


def subject(passage: Passage) -> str:
    """Return the content words of the title, or of the name that a passage begins with.

    >>> subject(Passage(text="He sailed.", title="Ole Brandt (captain)"))
    'ole brandt'
    >>> subject(Passage(text="The Sea Lark was built in 1842.")), subject(Passage(text="It was old."))
    ('sea lark', '')
    """
    name = subject_name(passage)
    return " ".join(words(name)) or name.lower()


def subject_name(passage: Passage) -> str:
    """Return the title without brackets, or the name that a passage begins with."""
    if passage.title:
        return re.sub(r"\s*\(.*?\)", "", passage.title).strip() or passage.title
    match = _NAME.match(passage.text.strip())
    if match is None:
        return ""
    first, _, rest = match.group().partition(" ")
    return rest if first.lower() in COMMON else match.group()


def starts_with_name(text: str, name: str) -> bool:
    """Return whether a text begins with a name, perhaps behind "the".

    >>> starts_with_name("The Lark was old.", "Lark"), starts_with_name("The Larks are old.", "Lark")
    (True, False)
    """
    return re.match(rf"\W*(?:the )?{re.escape(name)}(?!\w)", text, re.IGNORECASE) is not None
