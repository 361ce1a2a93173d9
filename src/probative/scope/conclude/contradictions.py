"""Passages that contradict each other: nearly the same sentence about the same thing, with another value.

They are found by words alone; whether both can hold, the verdict model decides: it denies each by the other.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import islice
from typing import NamedTuple

from probative.engine.search import Search, judge
from probative.errors import WeightsError
from probative.models.verdict import VerdictItem
from probative.scope.finding import ConflictKind, Contradiction, Finding
from probative.scope.run import Run
from probative.scope.sentences import name_the_same, titled
from probative.text import english
from probative.text.labels import passage_label
from probative.text.sentences import sentences_of
from probative.text.words import words
from probative.types import Passage

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
Pair = tuple[str, str]
# How surely each of two sentences must be denied by the other. Of the 50 pairs of our own that cannot both
# hold, 47 reach it; of the 68 that can, 14 do, most of them parts of a thing or events that may have happened
# twice. It was chosen on these pairs.
MIN_DENIED = 0.7


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


def contradictions_of(run: Run, indexes: Sequence[int]) -> tuple[Contradiction, ...]:
    """Return what may contradict these passages, unless the options say not to look."""
    if not run.options.conflicts:
        return ()
    origins = run.pool.origins
    return tuple(
        entry
        for entry in find_conflicts(indexes, run.pool.passages)
        if origins[entry.index] != origins[entry.other]  # parts of one passage
        and name_the_same(run, *sides(run, entry))
    )


def describe(run: Run, entry: Contradiction) -> str:
    """Return both sides of a contradiction in words."""
    first, second = (passage_label(run.pool.origins[index]) for index in (entry.index, entry.other))
    return f"the passages contradict one another: {first} says {entry.says}, {second} says {entry.instead}"


def sides(run: Run, entry: Contradiction) -> tuple[str, str]:
    """Return both sentences of a contradiction with the titles of their passages."""
    titles = (run.pool.passages[index].title for index in (entry.index, entry.other))
    first, second = map(titled, titles, (entry.text, entry.other_text))
    return first, second


def serious_contradictions(run: Run, finding: Finding) -> list[Contradiction]:
    """Return the contradictions that may change the answer: of passages that carry a node of the question."""
    row_of = {index: row for row, index in enumerate(run.pool.judged)}
    names = finding.chain.judgements.names
    return [
        entry
        for entry in finding.contradictions
        if entry.touches_answer(run.question)
        and entry.index in row_of
        and any(name.startswith("node: ") for name in names(row_of[entry.index]))
    ]


def confirmed(run: Run, finding: Finding) -> Search[tuple[Contradiction, ...]]:
    """Return the contradictions of a finding that the verdict model confirms, one for each pair of passages.

    Without the verdict model, all of them: what differs in a value is shown rather than left out.
    """
    by_words = finding.contradictions
    try:
        exclusive = yield from exclude_each_other([sides(run, entry) for entry in by_words])
    except WeightsError as error:
        run.note(f"contradictions are found by words alone: {error.what}")
        exclusive = [True] * len(by_words)
    first: dict[tuple[int, int], Contradiction] = {}
    for entry, holds in zip(by_words, exclusive, strict=True):
        if holds:
            first.setdefault((entry.index, entry.other), entry)
    return tuple(first.values())


def exclude_each_other(pairs: Sequence[Pair]) -> Search[list[bool]]:
    """Return for each pair of sentences whether the verdict model denies each of them by the other one."""
    if not pairs:
        return []
    items = [
        VerdictItem(claim, (evidence,))
        for first, second in pairs
        for claim, evidence in ((first, second), (second, first))
    ]
    scores = yield from judge(items, step="conflicts")
    return [
        min(scores[row].contradicted, scores[row + 1].contradicted) >= MIN_DENIED
        for row in range(0, len(scores), 2)
    ]


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
        for position, index in enumerate(chain)
        for other in range(len(passages))
        if other not in (*chain[:position], index)
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
        first_words, second_words = (set(words(name)) for name in names)
        neither_contains = first_words - second_words and second_words - first_words
        differ = neither_contains and _values(first) == _values(second)
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
        len(values & others) for values, others in zip(_values(first), _values(second), strict=True)
    )
    return agreeing >= MIN_COMMON_OTHER_SUBJECT and share >= MIN_SHARE_OTHER_SUBJECT


def _values(statement: Statement) -> tuple[frozenset[str], frozenset[str], frozenset[str]]:
    return statement.dates, statement.numbers, statement.names


def _other_value(first: Statement, second: Statement) -> Difference | None:
    """Return the first kind of value of which each statement has its own."""
    kinds: tuple[ConflictKind, ...] = ("date", "number", "name")
    for kind, values, others in zip(kinds, _values(first), _values(second), strict=True):
        apart = values - others, others - values
        if kind == "date":
            apart = _dates_apart(values, others)
        if all(apart) and (not values & others or max(map(len, apart)) <= MAX_VALUES):
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


def _dates_apart(dates: frozenset[str], others: frozenset[str]) -> tuple[frozenset[str], frozenset[str]]:
    """Return the dates that only one of the two has; "1901" and "3 May 1901" may be the same day."""
    return (
        frozenset(date for date in dates if not _fits(date, others)),
        frozenset(date for date in others if not _fits(date, dates)),
    )


def _fits(date: str, others: frozenset[str]) -> bool:
    """Return whether a date is one of the others, given more or less exactly."""
    parts = set(re.findall(r"\w+", date))
    return any(
        parts <= other_parts or other_parts <= parts
        for other_parts in (set(re.findall(r"\w+", other)) for other in others)
    )
