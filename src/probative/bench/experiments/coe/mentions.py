"""Mentions of a phrase in a text: found, counted and replaced as whole words, whatever their case."""

from __future__ import annotations

import re
from collections.abc import Sequence

from probative.text.words import words

_ARTICLE = re.compile(r"^(?:the|a|an)\s+", re.IGNORECASE)
_AFTER_ARTICLE = re.compile(r"\b(?:the|a|an)\s+$", re.IGNORECASE)


def mention_pattern(phrase: str) -> re.Pattern[str]:
    """Return the pattern of a phrase, without an article at its start."""
    bare = _ARTICLE.sub("", " ".join(phrase.split())) or phrase
    spaced = r"\s+".join(re.escape(word) for word in bare.split())
    return re.compile(rf"(?<!\w){spaced}(?!\w)", re.IGNORECASE)


def mentions(phrase: str, text: str) -> bool:
    """Return whether a text contains a phrase as whole words.

    >>> mentions("the Sea Lark", "Brandt sold the sea lark."), mentions("Lark", "Larkspur grows.")
    (True, False)
    """
    return bool(phrase.strip()) and mention_pattern(phrase).search(text) is not None


def mentions_words(phrase: str, text: str) -> bool:
    """Return whether a text contains a phrase, or all its content words.

    >>> mentions_words("owner of the ferry", "The ferry has one owner."), mentions_words("ferry", "A boat.")
    (True, False)
    """
    wanted = set(words(phrase))
    return mentions(phrase, text) or (bool(wanted) and wanted <= set(words(text)))


def replace_mentions(phrase: str, other: str, pieces: Sequence[str]) -> tuple[str, ...]:
    """Return the pieces with another phrase in place of each mention; after an article, without its own.

    >>> replace_mentions("Molde", "Bergen", ["Molde is wet.", "It rains."])
    ('Bergen is wet.', 'It rains.')
    >>> replace_mentions("ferry", "a boat", ["The ferry left."])
    ('The boat left.',)
    """
    pattern = mention_pattern(phrase)
    bare = _ARTICLE.sub("", other)

    def replacement(match: re.Match[str]) -> str:
        return bare if _AFTER_ARTICLE.search(match.string, 0, match.start()) else other

    return tuple(pattern.sub(replacement, piece) for piece in pieces)
