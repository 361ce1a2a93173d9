"""Negation in English. A word that denies a claim may be harmless elsewhere, so there are three widths."""

from __future__ import annotations

import re

_NEGATION = re.compile(r"\b(?:not|never|no longer|nobody|cannot)\b|n['’]t\b", re.IGNORECASE)
_DENIAL = re.compile(r"\b(?:not|never|neither|nor|different|lie|myth|false)\b|n['’]t\b", re.IGNORECASE)
_CLAIM_NEGATION = re.compile(
    r"\b(?:not|no|never|none|neither|nor|without|cannot|nobody|nothing|incapable|unable|fail(?:s|ed)?)\b|n't\b"
)
_NUMBER = re.compile(r"\d(?:[\d.,]*\d)?")


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


def contradicts(claim: str, text: str) -> bool:
    """Return whether the claim and the text each give a number that the other does not, or only one of the
    two is negated.

    >>> contradicts("It opened in 1911.", "It opened in 1913."), contradicts("It opened.", "It never opened.")
    (True, True)
    """
    claim, text = _plain(claim), _plain(text)
    claimed, stated = set(_NUMBER.findall(claim)), set(_NUMBER.findall(text))
    other_number = bool(claimed - stated) and bool(stated - claimed)
    return other_number or bool(_CLAIM_NEGATION.search(claim)) != bool(_CLAIM_NEGATION.search(text))


def without_thousands(text: str) -> str:
    """Return a text without the commas inside numbers.

    >>> without_thousands("1,200 feet, 3 masts")
    '1200 feet, 3 masts'
    """
    return re.sub(r"(?<=\d),(?=\d{3})", "", text)


def _plain(text: str) -> str:
    """Return a text in lower case, with plain apostrophes and without commas inside numbers."""
    return without_thousands(text.lower().replace("’", "'"))
