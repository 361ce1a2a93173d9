"""Mentions of a phrase in a text, found and replaced as whole words, whatever their case; and the form of an
answer, which a wrong answer must share with the right one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from probative.bench.metrics import normalise_answer
from probative.text.words import words

_ARTICLE = re.compile(r"^(?:the|a|an)\s+", re.IGNORECASE)
_AFTER_ARTICLE = re.compile(r"\b(?:the|a|an)\s+$", re.IGNORECASE)

Phrase = str | Sequence[str]
"""A phrase, or several spellings of one."""

_MONTHS = "january|february|march|april|may|june|july|august|september|october|november|december"
_DATE = re.compile(rf"\b(?:{_MONTHS})\b.*\d|\d.*\b(?:{_MONTHS})\b", re.IGNORECASE)
_YEAR = re.compile(r"(?:1[0-9]|20)\d\d")
_NUMBER = re.compile(r"\$?[\d.,]+(?:\s*(?:%|[a-z]+))?", re.IGNORECASE)


def mention_pattern(phrase: Phrase) -> re.Pattern[str]:
    """Return the pattern of a phrase in any of its spellings, without an article at its start."""
    spellings = [phrase] if isinstance(phrase, str) else [text for text in phrase if text.strip()]
    # Of two spellings that begin alike, the longer one is the mention.
    spellings.sort(key=len, reverse=True)
    bare = [_ARTICLE.sub("", " ".join(spelling.split())) or spelling for spelling in spellings]
    spaced = "|".join(r"\s+".join(map(re.escape, spelling.split())) for spelling in bare)
    return re.compile(rf"(?<!\w)(?:{spaced})(?!\w)", re.IGNORECASE)


def mentions(phrase: Phrase, text: str) -> bool:
    """Return whether a text contains a phrase as whole words.

    >>> mentions("the Sea Lark", "Brandt sold the sea lark."), mentions("Lark", "Larkspur grows.")
    (True, False)
    """
    return bool("".join(phrase).strip()) and mention_pattern(phrase).search(text) is not None


def mentions_words(phrase: str, text: str) -> bool:
    """Return whether a text contains a phrase, or all its content words.

    >>> mentions_words("owner of the ferry", "The ferry has one owner."), mentions_words("ferry", "A boat.")
    (True, False)
    """
    wanted = set(words(phrase))
    return mentions(phrase, text) or (bool(wanted) and wanted <= set(words(text)))


def replace_mentions(phrase: Phrase, other: str, pieces: Sequence[str]) -> tuple[str, ...]:
    """Return the pieces with another phrase in place of each mention; after an article, without its own.

    >>> replace_mentions("Molde", "Bergen", ["Molde is wet.", "It rains."])
    ('Bergen is wet.', 'It rains.')
    >>> replace_mentions("ferry", "a boat", ["The ferry left."])
    ('The boat left.',)
    >>> replace_mentions(["3 May", "May 3"], "1 June", ["It sank on 3 May.", "May 3 was a Monday."])
    ('It sank on 1 June.', '1 June was a Monday.')
    """
    pattern = mention_pattern(phrase)
    bare = _ARTICLE.sub("", other)

    def replacement(match: re.Match[str]) -> str:
        return bare if _AFTER_ARTICLE.search(match.string, 0, match.start()) else other

    return tuple(pattern.sub(replacement, piece) for piece in pieces)


def answer_form(answer: str) -> str:
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
