"""What a sentence cannot ground: a difference that nobody computed, words without content, another thing of
the same name.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from probative.text.english.word_lists import COMMON, stem
from probative.text.words import words

_DIFFERENCE = re.compile(
    r"\W*(?:by\s+)?how\s+(?:much|many)\s+(?:[a-z]+\s+)?(?:more|less|fewer|[a-z]{2,}er)\b.*\bthan\b"
    r"|.*\bdifference\s+(?:in|of|between)\b",
    re.IGNORECASE,
)
_EMPTY = re.compile(
    r"(?:\W*\b(?:an?|the|of|and|to|in|is|was|for|on|that|with|as|by|at|from|its?|his|her|their|this|which|were|be|are|or"
    r"|not|ha[ds]|have|been|will|can|may|but|into|onto|over|under|than|then|there|also)\b)+\W*",
    re.IGNORECASE,
)


def asks_difference(question: str) -> bool:
    """Return whether a question asks how much two values differ.

    >>> asks_difference("How much louder is normal mode than night mode?")
    True
    >>> asks_difference("How many people earn more than 500 pounds?")
    False
    """
    return _DIFFERENCE.match(question) is not None


def says_nothing(answer: str) -> bool:
    """Return whether an answer has only words that say nothing by themselves.

    >>> says_nothing("in the"), says_nothing("in the hall"), says_nothing("no"), says_nothing("Thea")
    (True, False, False, False)
    """
    return _EMPTY.fullmatch(answer) is not None


def other_of_its_kind(question: str, cited: Sequence[str], others: Sequence[str]) -> tuple[str, str] | None:
    """Return the thing that a question asks about and the other one that the cited sentences speak of: "moon
    key" and "lock key", where another sentence names the first.

    >>> others = ["Press the moon key at night."]
    >>> other_of_its_kind("How long must the moon key be held?", ["Hold the lock key for 3 s."], others)
    ('moon key', 'lock key')
    >>> other_of_its_kind("How long must the moon key be held?", ["Hold the moon key for 3 s."], others)
    """
    said = [words(sentence) for sentence in cited]
    elsewhere = [words(sentence) for sentence in others]
    stems = {stem(word) for sentence in said for word in sentence}
    asked = words(question)
    for first, noun in pairwise(asked):
        if not (_is_content(first) and _is_content(noun)) or stem(first) in stems:
            continue
        if not any(_before(noun, sentence) == first for sentence in elsewhere):
            continue
        for sentence in said:
            other = _before(noun, sentence)
            if other is not None and _is_content(other):
                return f"{first} {noun}", f"{other} {noun}"
    return None


def _before(noun: str, sentence: Sequence[str]) -> str | None:
    """Return the word before a noun in a sentence."""
    place = next((at for at, word in enumerate(sentence) if word == noun and at), None)
    return None if place is None else sentence[place - 1]


def _is_content(word: str) -> bool:
    return word not in COMMON and word.isalpha() and len(word) > 2
