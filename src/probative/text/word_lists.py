"""The word lists beside this file, and the stems of English words."""

from __future__ import annotations

import re
from importlib.resources import files

_ENDINGS = ("ing", "edly", "ed", "es", "s", "ly")


def read_words(name: str) -> list[str]:
    """Return the words of the list called `name`."""
    path = files("probative.text.english") / "wordlists" / f"{name}.txt"
    return path.read_text(encoding="utf-8").split()


def word_set(text: str) -> frozenset[str]:
    """Return the words of a text, which are separated by spaces.

    >>> sorted(word_set("come open"))
    ['come', 'open']
    """
    return frozenset(text.split())


def read_lines(name: str) -> list[str]:
    """Return the lines of the list called `name`."""
    path = files("probative.text.english") / "wordlists" / f"{name}.txt"
    return path.read_text(encoding="utf-8").splitlines()


COMMON = frozenset(read_words("common_words"))
"""Words that occur in every English text and question, and distinguish sentences least."""
IRREGULAR_PASTS = {
    past: base for base, *pasts in map(str.split, read_lines("irregular_verbs")) for past in pasts or [base]
}
"""Past forms without "-ed", and their base forms."""


def stem(word: str) -> str:
    """Return a word in lower case without its common English ending.

    >>> [stem(word) for word in ("stories", "story", "stopped", "making", "make")]
    ['story', 'story', 'stop', 'mak', 'mak']
    """
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            word = word[: -len(ending)]
            doubled = len(word) > 3 and word[-1] == word[-2] and word[-1] not in "lsz"
            if ending in ("ing", "ed") and doubled:
                word = word[:-1]
            break
    return word[:-1] if word.endswith("e") and len(word) > 3 else word


def stems_of(text: str) -> frozenset[str]:
    """Return the stems of all words of a text.

    >>> sorted(stems_of("It seats 1,100 people."))
    ['it', 'peopl', 'seat']
    """
    return frozenset(stem(word) for word in re.findall(r"[^\W\d_]+", text.lower()))
