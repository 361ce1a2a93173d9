"""What the words of a statement say about it: that something is not so, that it needs the sentence before,
that it replaces an earlier one, and from when it holds.
"""

from __future__ import annotations

import re

from probative.text.dates import Date
from probative.text.english.dates import date_spans
from probative.text.words import any_of

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


_CHANGED = (
    "(?:rais|lower|chang|increas|reduc|extend|shorten|abolish|mov|revis|amend|postpon)ed|put off|taken over"
)
_REPLACES = re.compile(
    r"\b(?:replac(?:es?|ed|ing)|supersed(?:es?|ed|ing)|repeal(?:s|ed)|no longer|not any ?more|since then|"
    rf"(?:from )?now on|is amended|are amended|(?:has|have) (?:been |now )*(?:{_CHANGED})|"
    r"(?:may|must|is|are|can) now)\b",
    re.IGNORECASE,
)
_OF_A_DOCUMENT = re.compile(r"\b(?:replac(?:es?|ing)|supersed(?:es?|ed|ing)|repeal(?:s|ed))\b", re.IGNORECASE)
_BEGINS = re.compile(
    r"\b(?:(?:with effect )?from|effective(?: from)?|since|as of|as from|starting)(?: the)? $",
    re.IGNORECASE,
)
_LASTING = re.compile(
    r"\b(?:is|are|do|does|may|must|can|shall|should|will)\b|^(?:who|what|(?:which|what|how many) \w+) \w+s\b",
    re.IGNORECASE,
)
_PAST = re.compile(r"\b(?:was|were|did|had|born|(?:1\d|20)\d\d)\b", re.IGNORECASE)


def replacing_words(sentence: str, passage: str = "") -> str:
    """Return the words by which a sentence, or the document that it is from, replaces something; or nothing.

    >>> replacing_words("Dogs may no longer be brought in."), replacing_words("Dogs may be brought in.")
    ('no longer', '')
    >>> replacing_words("It costs €6.", "It costs €6. Order 12 is repealed.")
    'repealed'
    """
    found = _REPLACES.search(sentence) or _OF_A_DOCUMENT.search(passage)
    return "" if found is None else found.group()


def valid_from(sentence: str) -> tuple[Date, str] | None:
    """Return the date from which a sentence says that something holds, and the words that say so.

    >>> valid_from("From 1 May 2024 it costs €6."), valid_from("It was built in 2024.")
    (((2024, 5, 1), 'From 1 May 2024'), None)
    """
    for start, end, date in date_spans(sentence):
        found = _BEGINS.search(sentence[:start])
        if found is not None:
            return date, sentence[found.start() : end]
    return None


def asks_lasting(question: str) -> bool:
    """Return whether a question asks what holds now, so that a later statement replaces an earlier one.

    >>> asks_lasting("What is the fee?"), asks_lasting("Who heads it?"), asks_lasting("Who won the cup?")
    (True, True, False)
    """
    return _LASTING.search(question) is not None and _PAST.search(question) is None
