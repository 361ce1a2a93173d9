"""What a language model replied in English: an answer, yes or no, or that it does not know."""

from __future__ import annotations

import re
from typing import cast

from probative.text.analysis import Polarity
from probative.text.word_lists import any_of, word_map
from probative.text.words import clean

# A longer reply is no phrase for a relation.
MAX_RELATION_WORDS = 8

_UNKNOWN = re.compile(
    r"\W*(?:(?:it |the answer )?(?:is )?(?:unknown|not (?:given|known|stated))|no answer|"
    r"(?:the|these) (?:texts?|passages?) (?:do|does) not .*|i (?:do not|don['’]t|cannot|can['’]t) "
    r"(?:know|say|tell|answer).*)\W*",
    re.IGNORECASE | re.DOTALL,
)
_CITATION = re.compile(r"\[(\d{1,4}(?:\s*[,;]\s*\d{1,4})*)\]")

_POLAR_WORDS = "yes|no|maybe|true|false|unsure|uncertain|not true"
# "No idea", "no clear answer", "yes or no" contain the words and are no answer.
_NOT_FOLLOWED_BY = rf"(?!\s*(?:/|\bor\b|\band\b)|\s+(?:{any_of('replies.not_answers')})\b)"
_LEAD = r"(?:(?:so|therefore|thus|hence|in short)\W+)?(?:(?:the|my|a|final|correct|short|best)\s+)*"
_FIRST = re.compile(
    rf"^\W*{_LEAD}(?:answer|verdict|statement)?\W*(?:is|would be|should be)?\W*\b({_POLAR_WORDS})\b"
    rf"{_NOT_FOLLOWED_BY}",
    re.IGNORECASE | re.MULTILINE,
)
_STATED = re.compile(
    rf"(?i)\b(?:answer|verdict)\s+(?:\w+\s+){{0,4}}?(?:is|be)\W+({_POLAR_WORDS})\b{_NOT_FOLLOWED_BY}"
)
_LAST = re.compile(rf"(?i)(?<!\bor)(?<!\band)(?<!/)[\s\W]({_POLAR_WORDS})\W*$")
_MEANING = cast(dict[str, Polarity], word_map("polarities"))
# A reply that says that two things are not related.
_NO_RELATION = re.compile(
    r"(?i)(?:there is |has |have )?(?:none|no|not|n/?a|unknown|unrelated|null)\b.{0,40}"
)
# A sentence about the task instead of a phrase.
_ABOUT_BOTH = re.compile(
    r"(?i)\b(?:the|these) two\b|\bboth\b.*\bare\b|\b(?:not|are|is) related\b|\beach other\b"
)
_ANSWER_LEAD = re.compile(
    r"(?i)^(?:the |my |final |correct |right |best )*(?:answer|choice|option)?\s*(?:is|:|=)?\s*"
)


def read_answer(reply: str) -> str | None:
    """Return the answer in a reply without citations and frame; None if the reply says that it is unknown.

    >>> read_answer("Answer: Bergen [2]."), read_answer("Unknown.")
    ('Bergen', None)
    """
    text = re.sub(r"\s+([.,;!?])", r"\1", _CITATION.sub("", reply)).strip()
    text = re.sub(r"^(?:answer|a)\s*:\s*", "", " ".join(text.split()), flags=re.I).rstrip(".").strip()
    return None if not text or _UNKNOWN.fullmatch(text) else text


def read_yes_or_no(reply: str) -> bool | None:
    """Return whether the first yes or no of a reply is yes; None if it contains neither.

    >>> read_yes_or_no("Yes."), read_yes_or_no("No, it does not"), read_yes_or_no("Maybe")
    (True, False, None)
    """
    first = re.search(r"\b(yes|no)\b", reply.lower())
    return None if first is None else first[1] == "yes"


def read_polarity(reply: str) -> Polarity | None:
    """Return the yes, no or maybe that a reply begins or ends with, or calls its answer; None otherwise.

    >>> [read_polarity(text) for text in ("Yes, it is.", "False", "It depends. Maybe", "Indeed")]
    ['yes', 'no', 'maybe', None]
    >>> [read_polarity(text) for text in ("I have no idea", "No clear answer.", "One cannot say yes or no")]
    [None, None, None]
    >>> read_polarity("It heats well, so the answer is: no."), read_polarity("Yes or no: no")
    ('no', 'no')
    """
    match = _FIRST.search(reply) or _STATED.search(reply) or _LAST.search(reply)
    return None if match is None else _MEANING[match[1].lower()]


def read_relation(reply: str, head: str, tail: str) -> str | None:
    """Return the phrase for how two things are related, without quotation marks and their own names; None if
    the reply says that they are not, or is no phrase.

    >>> read_relation('"is a kind of".', "moss", "plant"), read_relation("Moss needs rain.", "moss", "rain")
    ('is a kind of', 'needs')
    >>> read_relation("None", "moss", "tax"), read_relation("(moss, needs, water)", "moss", "water")
    (None, 'needs')
    """
    line = next((line for line in reply.splitlines() if line.strip()), "")
    text = clean(re.sub(r"^(?:answer|relation(?:ship)?)\s*:\s*", "", line.strip(), flags=re.IGNORECASE))
    text = text.strip(" \t\"'“”‘’`*_()[].,;:")
    text = re.sub(rf"^(?:an?|the)?\s*{re.escape(head)}\b[\s,|]*", "", text, flags=re.IGNORECASE)
    text = re.sub(rf"[\s,|]*\b(?:an?|the)?\s*{re.escape(tail)}$", "", text, flags=re.IGNORECASE)
    text = text.strip(" \"'“”,;:|")
    words = text.split()
    if not words or len(words) > MAX_RELATION_WORDS:
        return None
    return None if _NO_RELATION.fullmatch(text) or _ABOUT_BOTH.search(text) else " ".join(words)


def without_lead(reply: str) -> str:
    """Return a reply without words such as "The correct answer is" at its beginning.

    >>> without_lead("The correct answer is B) cork"), without_lead("cork")
    ('B) cork', 'cork')
    """
    return _ANSWER_LEAD.sub("", reply, count=1)
