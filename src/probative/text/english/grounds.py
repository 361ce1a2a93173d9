"""What a sentence cannot ground: a difference that nobody computed, words without content, another thing of
the same name.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from probative.text.english.arithmetic import ASKS_EXCESS
from probative.text.english.compound import find_verb
from probative.text.english.dates import dates_in
from probative.text.word_lists import COMMON, any_of, stem
from probative.text.words import words

_DIFFERENCE = re.compile(
    r"(?i)\W*(?:by\s+)?how\s+(?:much|many)\s+(?:[a-z]+\s+)?(?:more|less|fewer|[a-z]{2,}er)\b.*\bthan\b"
    r"|.*\bdifference\s+(?:in|of|between)\b"
)
_EMPTY = re.compile(rf"(?i)(?:\W*\b(?:{any_of('answers.empty')})\b)+\W*")
_TOTAL = re.compile(
    r"(?i)\b(?:the most (?:that|one|he|she|it|they|we|you)|maximum|in total|in all|altogether|at most)\b"
)
_RATE = re.compile(rf"(?i)\b(?:each|every|per)\s+(?:[a-z]+\s+){{0,2}}?(?:{any_of('rates.units')})s?\b")


def asks_total(question: str) -> bool:
    """Return whether a question asks for the whole of an amount, or for its limit.

    >>> asks_total("What is the most that the tenant could owe?"), asks_total("How much is the fine per day?")
    (True, False)
    """
    return _TOTAL.search(question) is not None and _RATE.search(question) is None


def states_rate(text: str) -> bool:
    """Return whether a sentence gives an amount for each day, person or other unit.

    >>> states_rate("For each full day of delay he pays 40 crowns."), states_rate("It costs 40 crowns.")
    (True, False)
    """
    return _RATE.search(text) is not None


def is_dateline(text: str) -> bool:
    """Return whether a text only says where and when something was written.

    >>> is_dateline("Wenlow, 7 May 2025."), is_dateline("It opened on 7 May 2025."), is_dateline("Wenlow.")
    (True, False, False)
    """
    without_month = re.sub(r"\bMay\b", "", text)
    return bool(dates_in(text)) and ":" not in text and find_verb(without_month) is None


def asks_difference(question: str) -> bool:
    """Return whether a question asks how much two values differ.

    >>> asks_difference("How much louder is normal mode than night mode?")
    True
    >>> asks_difference("By how much did the sales of Alba exceed the budget?")
    True
    >>> asks_difference("How many people earn more than 500 pounds?")
    False
    """
    return any(form.match(question) for form in (_DIFFERENCE, ASKS_EXCESS))


def asks_share(question: str) -> bool:
    """Return whether a question asks for a percentage.

    >>> asks_share("What percentage were children?"), asks_share("How many were children?")
    (True, False)
    """
    return (
        re.search(r"%|\b(?:per ?cent(?:age)?|share|proportion|rate)\b", question, re.IGNORECASE) is not None
    )


def says_nothing(answer: str) -> bool:
    """Return whether an answer has only words that say nothing by themselves.

    >>> says_nothing("in the"), says_nothing("in the hall"), says_nothing("no"), says_nothing("Thea")
    (True, False, False, False)
    """
    return _EMPTY.fullmatch(answer) is not None


def other_of_its_kind(question: str, cited: Sequence[str], others: Sequence[str]) -> tuple[str, str] | None:
    """Return the thing that a question asks about and the other one that the cited sentences speak of: "moon
    key" and "lock key", where another sentence names the first.

    >>> others = ["Press the moon key at night."]
    >>> other_of_its_kind("How long must the moon key be held?", ["Hold the lock key for 3 s."], others)
    ('moon key', 'lock key')
    >>> other_of_its_kind("How long must the moon key be held?", ["Hold the moon key for 3 s."], others)
    """
    cited_words = [words(sentence) for sentence in cited]
    elsewhere = [words(sentence) for sentence in others]
    stems = {stem(word) for sentence in cited_words for word in sentence}
    asked = words(question)
    for first, noun in pairwise(asked):
        if not (_is_content(first) and _is_content(noun)) or stem(first) in stems:
            continue
        if not any(_before(noun, sentence) == first for sentence in elsewhere):
            continue
        for sentence, text in zip(cited_words, cited, strict=True):
            other = _before(noun, sentence)
            # "the spring once fed" and "the spring fed": the other word is the question's, too.
            if other is not None and _is_content(other) and other not in asked:
                return _as_written(question, first, noun), _as_written(text, other, noun)
    return None


def _as_written(text: str, *chosen: str) -> str:
    """Return words in the spelling of a text."""
    spelling = {word: token for token in re.findall(r"\w+", text) for word in words(token)}
    return " ".join(spelling.get(word, word).lower() for word in chosen)


def _before(noun: str, sentence: Sequence[str]) -> str | None:
    """Return the word before a noun in a sentence."""
    position = next((at for at, word in enumerate(sentence) if word == noun and at), None)
    return None if position is None else sentence[position - 1]


def _is_content(word: str) -> bool:
    return word not in COMMON and word.isalpha() and len(word) > 2
