"""Sentences that need the one before: they call their subject "it", or are about its part ("Its towers")."""

from __future__ import annotations

import re

from probative.text.word_lists import any_of

# "In 1903 the bridge …", "After long delays, the bridge …", "In Graz it …"
_ADVERBIAL = re.compile(
    rf"(?i)(?:{any_of('clauses.joints')})\b"
    rf"[\s,]*|(?:{any_of('adverbial')}|despite|according to)\b[^,;.]*?"
    r"(?:,\s*|\s+(?=(?:it|he|she|they|its|his|her|their|the|an?)\b))"
)
_PRONOUN = re.compile(rf"(?i)(?:{any_of('clauses.pronouns')})\b(?!\s+(?:of\b|(?-i:[A-Z])))")
_POSSESSIVE = re.compile(r"(?i)(?:its|his|her|their)\s+(?P<words>\w[\w'’-]*(?:\s+[\w'’-]+){0,2})")


def begins_with_pronoun(text: str) -> bool:
    """Return whether a sentence calls its subject "it", "he", "she" or "they".

    >>> begins_with_pronoun("In 1903 it was opened."), begins_with_pronoun("Its towers are high.")
    (True, False)
    """
    return _PRONOUN.match(_without_adverbials(text)) is not None


def begins_with_possessive(text: str) -> bool:
    """Return whether a sentence is about a part: "Its towers …".

    >>> begins_with_possessive("Its towers are high."), begins_with_possessive("A wing was added.")
    (True, False)
    """
    return _POSSESSIVE.match(_without_adverbials(text)) is not None


def _without_adverbials(clause: str) -> str:
    """Return a clause without the adverbials before its subject."""
    rest = clause.lstrip(" \t\n\"“‘'(,;:")
    for _ in range(3):
        shorter = _ADVERBIAL.sub("", rest, count=1) if _ADVERBIAL.match(rest) else rest
        if shorter == rest or not shorter.strip():
            break
        rest = shorter
    return rest
