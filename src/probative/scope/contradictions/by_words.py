"""Passages that may contradict each other: nearly the same sentence about the same thing, with another value.

Found by words alone; whether both can hold, the verdict model decides.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Literal, NamedTuple

from probative.scope.question import Question
from probative.scope.run import sentences_of
from probative.text import english
from probative.text.words import words
from probative.types import Passage

ConflictKind = Literal["date", "number", "name", "negation", "value"]
"""What differs; `value`: the asked value, as the verdict model reads it."""

# The share of the longer sentence's words, values apart, that the other must contain.
MIN_SHARE = 0.7
# Fewer common words than this, the subject apart, say nothing.
MIN_COMMON = 1
# Sentences about other subjects, or none, must be the same nearly word for word.
MIN_SHARE_OTHER_SUBJECT = 0.9
MIN_COMMON_OTHER_SUBJECT = 5
# With more values that differ, two sentences are about different things.
MAX_VALUES = 2
MAX_CONFLICTS = 20


class Statement(NamedTuple):
    """A sentence of a passage: its words without values and subject, its values, and what it is about."""

    text: str
    words: frozenset[str]
    dates: frozenset[str]
    numbers: frozenset[str]
    names: frozenset[str]
    negated: bool
    subject: str
    subject_name: str


class Difference(NamedTuple):
    """The values by which two statements differ."""

    kind: ConflictKind
    says: str
    instead: str


@dataclass(frozen=True)
class Contradiction:
    """A passage of the chain and another passage that gives another date, number or name, or the opposite.

    `blocking`: it touches what is asked, so that no answer is given.
    """

    index: int
    other: int
    kind: ConflictKind
    says: str
    instead: str
    text: str
    other_text: str
    blocking: bool = False

    def touches_answer(self, question: Question) -> bool:
        """Return whether the contradiction may change the answer. A date or a number does not if a name is
        asked for and the question contains neither value.
        """
        if self.kind not in ("date", "number") or question.kind in ("date", "number", "yes-no", "choice"):
            return True
        return self.says in question.text or self.instead in question.text


def find_conflicts(chain: Sequence[int], passages: Sequence[Passage]) -> list[Contradiction]:
    """Return where a passage of the chain and another passage may contradict each other.

    >>> texts = ["The Lark was built in Bergen in 1842.", "The Lark was built in Bergen in 1824."]
    >>> conflict, = find_conflicts([0], [Passage(text=text) for text in texts])
    >>> conflict.says, conflict.instead
    ('1842', '1824')
    """
    statements = [_statements(passage) for passage in passages]
    pairs = (
        (index, other)
        for place, index in enumerate(chain)
        for other in range(len(passages))
        if other not in (*chain[:place], index)
    )
    conflicts = (
        Contradiction(index, other, *difference, first.text, second.text)
        for index, other in pairs
        for first in statements[index]
        for second in statements[other]
        if (difference := _difference(first, second)) is not None
    )
    return list(islice(conflicts, MAX_CONFLICTS))


def same_words(first: str, second: str) -> bool:
    """Return whether two sentences have the same words in the same order, whatever their case.

    >>> same_words("THE MILL opened.", "The mill opened!")
    True
    """
    return re.findall(r"\w+", first.lower()) == re.findall(r"\w+", second.lower())


def _difference(first: Statement, second: Statement) -> Difference | None:
    """Return the values by which two statements differ that say nearly the same of the same thing."""
    if same_words(first.text, second.text) or not _comparable(first, second):
        return None
    if first.subject != second.subject:
        # Who it was is the difference: everything else must be equal.
        names = first.subject_name, second.subject_name
        one, other = (set(words(name)) for name in names)
        differ = one - other and other - one and _values(first) == _values(second)
        return Difference("name", *names) if differ else None
    if first.dates != second.dates and first.numbers != second.numbers:
        return None  # another number at another time
    if first.negated or second.negated:
        return _other_polarity(first, second)  # "not built in 1900" gives no other year than 1842
    return _other_value(first, second)


def _comparable(first: Statement, second: Statement) -> bool:
    """Return whether two statements have enough words in common to be about the same thing."""
    common = first.words & second.words
    share = len(common) / max(1, len(first.words), len(second.words))
    same_names = bool(set(first.names) & set(second.names))  # "the ferry Lark" begins with no name
    if first.subject == second.subject and (first.subject or same_names):
        return len(common) >= MIN_COMMON and share >= MIN_SHARE
    agreeing = len(common) + sum(
        len(own & other) for own, other in zip(_values(first), _values(second), strict=True)
    )
    return agreeing >= MIN_COMMON_OTHER_SUBJECT and share >= MIN_SHARE_OTHER_SUBJECT


def _values(statement: Statement) -> tuple[frozenset[str], frozenset[str], frozenset[str]]:
    return statement.dates, statement.numbers, statement.names


def _other_value(first: Statement, second: Statement) -> Difference | None:
    """Return the first kind of value of which each statement has its own."""
    kinds: tuple[ConflictKind, ...] = ("date", "number", "name")
    for kind, own, other in zip(kinds, _values(first), _values(second), strict=True):
        apart = _dates_apart(own, other) if kind == "date" else (own - other, other - own)
        if all(apart) and (not own & other or max(map(len, apart)) <= MAX_VALUES):
            return Difference(kind, ", ".join(sorted(apart[0])), ", ".join(sorted(apart[1])))
    return None


def _other_polarity(first: Statement, second: Statement) -> Difference | None:
    """Return the difference of two statements of which only one is negated."""
    if first.negated == second.negated or _values(first) != _values(second):
        return None
    says, instead = ("not so", "so") if first.negated else ("so", "not so")
    return Difference("negation", says, instead)


def _statements(passage: Passage) -> list[Statement]:
    subject = english.subject(passage) if passage.title else ""
    return [_statement(text, subject) for text in sentences_of(passage)]


def _statement(text: str, passage_subject: str) -> Statement:
    sentence = Passage(text=text)
    own_subject = english.subject(sentence)
    values = english.values_in(text)
    names = frozenset(
        name for name in values.names if " ".join(words(name)) not in (own_subject, passage_subject)
    )
    apart = (*values.dates, *values.numbers, *names, own_subject, passage_subject)
    return Statement(
        text=text,
        words=frozenset(words(text)) - {word for value in apart for word in words(value)},
        dates=values.dates,
        numbers=values.numbers,
        names=names,
        negated=english.is_negated(text),
        subject=passage_subject or own_subject,
        subject_name=english.subject_name(sentence),
    )


def _dates_apart(own: frozenset[str], other: frozenset[str]) -> tuple[frozenset[str], frozenset[str]]:
    """Return the dates that only one of the two has; "1901" and "3 May 1901" may be the same day."""
    return (
        frozenset(date for date in own if not _fits(date, other)),
        frozenset(date for date in other if not _fits(date, own)),
    )


def _fits(date: str, others: frozenset[str]) -> bool:
    """Return whether a date is one of the others, given more or less exactly."""
    parts = set(re.findall(r"\w+", date))
    return any(
        parts <= other_parts or other_parts <= parts
        for other_parts in (set(re.findall(r"\w+", other)) for other in others)
    )
