"""Whether a question can be read without the turns before it, by rules for English."""

from __future__ import annotations

import re

_JOINT = re.compile(r"^\W*(?:(?:and|but|or|so|then|also|ok|okay)\b[\s,]*)+", re.IGNORECASE)
_ABOUT = re.compile(r"(?:what|how) about\b", re.IGNORECASE)
_ASKS = re.compile(
    r"\b(?:who|whom|whose|what|which|when|where|why|how|is|are|was|were|do|does|did|has|have|had|can|could|may"
    r"|will|would|should|name|list)\b",
    re.IGNORECASE,
)
_POINTER = re.compile(
    r"\b(?:it|he|him|she|they|them|hers|theirs)\b|\b(?P<owner>its|his|her|their)\b"
    r"|\b(?:that|this|these|those)(?=\W*$|\s+(?:is|was|are|were|has|had|did|does|do|happen|mean|cost|ones?)\w*\b)"
    r"|\b(?:there|then)(?=\W*$)|\bthe (?:other|same|former|latter)(?: ones?)?(?=\W*$)",
    re.IGNORECASE,
)
# "Is it true that …", "How long does it take to …": the word stands for nothing.
_DUMMY = re.compile(
    r"\bit\s+(?:true|correct|known|possible|necessary|allowed|permitted|likely|safe|rain|snow)"
    r"|\b(?:does|did|will|would)\s+it\s+take\b|\b(?:is|was)\s+it\s+(?:the|a|an|in|on|at)\b",
    re.IGNORECASE,
)
# What a pronoun behind it may stand for: a noun with its article, or a name.
_NOUN = re.compile(r"\b(?:[Tt]he|[Aa]n?|[Ee]ach|[Ee]very|[Bb]oth)\s+[^\W\d_]{3,}|\s[A-Z]\w+")
_ASKED_NOUN = re.compile(
    r"\b(?:which|what)\s+(?!is\b|are\b|was\b|were\b|did\b|does\b)[^\W\d_]{3,}", re.IGNORECASE
)
_ASKED_PERSON = re.compile(r"\bwho\b", re.IGNORECASE)


def points_back(question: str) -> str | None:
    """Return the words of a question that point at an earlier turn, or None if it can be read by itself.

    >>> points_back("And when was it opened?"), points_back("What about the tea room?"), points_back("Why?")
    ('it', 'What about', 'Why?')
    >>> points_back("When was the lift opened, and who opened it?"), points_back("Which car lost its brake?")
    (None, None)
    """
    text = question.strip()
    core = _JOINT.sub("", text)
    about = _ABOUT.match(core)
    if about is not None:
        return about.group()
    # "Why?", "And in 2024?"; other scripts may write a whole question without a space.
    if core.isascii() and (len(core.split()) <= 1 or (core != text and _ASKS.search(core) is None)):
        return text
    return next((match.group() for match in _POINTER.finditer(core) if _is_open(core, match)), None)


def _is_open(text: str, pointer: re.Match[str]) -> bool:
    """Return whether nothing before a pronoun can be what it stands for."""
    if any(dummy.start() <= pointer.start() < dummy.end() for dummy in _DUMMY.finditer(text)):
        return False
    before = text[: pointer.start()]
    owner = (pointer["owner"] or "").lower()
    if owner and _ASKED_NOUN.search(before):
        return False
    if owner and owner != "its" and _ASKED_PERSON.search(before):
        return False
    return _NOUN.search(before) is None
