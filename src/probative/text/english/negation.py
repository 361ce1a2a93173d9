"""Negation in English. A word that denies a claim may be harmless elsewhere, so there are two widths."""

from __future__ import annotations

import re

_NEGATION = re.compile(r"(?i)\b(?:not|never|no longer|nobody|cannot)\b|n['’]t\b")
_DENIAL = re.compile(r"(?i)\b(?:not|never|neither|nor|different|lie|myth|false)\b|n['’]t\b")


def is_negated(text: str) -> bool:
    """Return whether a text says that something is not so.

    >>> is_negated("It never sailed."), is_negated("It sailed.")
    (True, False)
    """
    return _NEGATION.search(text) is not None


def is_denied(text: str) -> bool:
    """Return whether a text denies something or calls it false.

    >>> is_denied("That she sailed is a myth."), is_denied("She sailed.")
    (True, False)
    """
    return _DENIAL.search(text) is not None
