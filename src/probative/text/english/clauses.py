"""Sentences that need the one before: they call their subject "it", or are about its part ("Its towers")."""

from __future__ import annotations

import re

from probative.text.word_lists import any_of

# "In 1903 it was opened": a pronoun that begins the sentence, or stands behind its adverbial.
_PRONOUN = re.compile(
    rf"(?i)\W*(?:(?:{any_of('clauses.joints')})\b[\s,]*)?(?:(?:{any_of('adverbial')})\b[^,;.]{{1,60}}?[,\s]\s*)?"
    rf"(?:{any_of('clauses.pronouns')})\b(?!\s+(?:of\b|(?-i:[A-Z])))"
)


def needs_sentence_before(text: str) -> bool:
    """Return whether a sentence says only by a pronoun what it is about.

    >>> [needs_sentence_before(text) for text in ("In 1903 it was opened.", "Its towers are high.")]
    [True, True]
    >>> needs_sentence_before("A wing was added.")
    False
    """
    return _PRONOUN.match(text) is not None
