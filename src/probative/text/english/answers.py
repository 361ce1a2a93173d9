"""Answers in English: what a reply gives for one, its parts, and one form for what is written differently."""

from __future__ import annotations

import re

from probative.text.dates import MONTHS
from probative.text.english.quantities import without_thousands
from probative.text.word_lists import word_list, word_set

_ARTICLES = word_set("articles")
_NUMBER_WORDS = {word: str(number) for number, word in enumerate(word_list("numbers"))}
_ORDINAL_WORDS = {word: str(number) for number, word in enumerate(word_list("ordinals"), 1)}
_TENS = {word: str(number) for number, word in enumerate(["ten", *word_list("tens"), "hundred"], 1)}
_MONTH = "|".join(MONTHS)
_MONTH_FIRST = re.compile(rf"(?i)\b({_MONTH})\.? (\d{{1,2}})(?:st|nd|rd|th)?(?=\W|$)(?! ?(?:{_MONTH}))")
_DAY_FIRST = re.compile(rf"(?i)\b(\d{{1,2}})(?:st|nd|rd|th)?(?: of)? ({_MONTH})\b")
_ISO = re.compile(r"\b(\d{4})-(\d{2})-(\d{2})\b")
# Scripts without spaces between words: each character counts as a word.
_WORD = re.compile(
    r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]|\d+(?:\.\d+)?|[^\W\d_]+|\d"
)
_UNKNOWN = re.compile(
    r"\W*(?:(?:it |the answer )?(?:is )?(?:unknown|not (?:given|known|stated))|no answer|"
    r"(?:the|these) (?:texts?|passages?) (?:do|does) not .*|i (?:do not|don['’]t|cannot|can['’]t) "
    r"(?:know|say|tell|answer).*)\W*",
    re.IGNORECASE | re.DOTALL,
)
_CITATION = re.compile(r"\[(\d{1,4}(?:\s*[,;]\s*\d{1,4})*)\]")
_POSSESSIVE = re.compile(r"['’]s\b")


def normal_form(text: str) -> tuple[str, ...]:
    """Return the words of a text in one form: without articles, plural endings and commas in numbers, with
    numbers as digits and the parts of a date in one order.

    >>> normal_form("The Sea Larks"), normal_form("May 3rd, 1901") == normal_form("3 May 1901")
    (('sea', 'lark'), True)
    >>> normal_form("twelve ferries"), normal_form("1,200 m")
    (('12', 'ferry'), ('1200', 'm'))
    """
    text = _POSSESSIVE.sub("", without_thousands(text).lower())
    text = _ISO.sub(lambda match: _written(*match.groups()), text)
    text = _DAY_FIRST.sub(r"\1 \2", text)
    text = _MONTH_FIRST.sub(r"\2 \1", text)
    return tuple(_normal(word) for word in _WORD.findall(text) if word not in _ARTICLES)


def _written(year: str, month: str, day: str) -> str:
    """Return the numbers of a date as prose gives them; numbers that are no date stay as they are."""
    if not 1 <= int(month) <= 12:
        return f"{year}-{month}-{day}"
    return f"{int(day)} {MONTHS[int(month) - 1]} {year}"


def _normal(word: str) -> str:
    if word[0].isdigit():
        return word
    if word in _TENS:
        return f"{_TENS[word]}0"
    return _NUMBER_WORDS.get(word) or _ORDINAL_WORDS.get(word) or _singular(word)


def _singular(word: str) -> str:
    """Return a word without a plural ending."""
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 4 and word.endswith(("sses", "xes", "ches", "shes")):
        return word[:-2]
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


def answer_parts(answer: str) -> list[str]:
    """Return the parts of an answer that lists several things, each of which may stand elsewhere.

    >>> answer_parts("Ada Berg, Jon Vik and Ole Brandt"), answer_parts("Molde")
    (['Ada Berg', 'Jon Vik', 'Ole Brandt'], ['Molde'])
    """
    return [part.strip() for part in re.split(r",|;|\band\b|&", answer) if part.strip()]


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
