"""The parts of a sentence, and which of them say how an amount changes."""

from __future__ import annotations

import re

from probative.text.word_lists import any_of

_JOINT = re.compile(
    r"(?i)\s*[;:–—]\s+|,\s+|\s+(?=(?:and|but|while|whereas|against|compared\s+(?:with|to))\b)"
)

# In lower case: Skarn Fell is a name.
_CHANGE = re.compile(
    rf"\b(?:mov(?:e|es|ed|ing)|add(?:s|ed)?|transfer(?:s|red)?|{any_of('quantities.changes')})\b"
)


def segments_of(sentence: str) -> list[str]:
    """Return a sentence cut at its commas and at the words that join its parts.

    >>> segments_of("It holds £3,420 in the till and £1,150 in the safe.")
    ['It holds £3,420 in the till', 'and £1,150 in the safe.']
    """
    return [part for part in _JOINT.split(sentence) if part.strip()]


def is_change(text: str) -> bool:
    """Return whether a text says by how much an amount changes, and not how large it is.

    >>> is_change("and £200 was moved to the safe"), is_change("and £200 in the safe")
    (True, False)
    """
    return _CHANGE.search(text) is not None
