"""Passages that measure the asked value otherwise: "closes at 6 pm" and "is open until 8 pm".

By rule: both amounts measure the same thing (an end, a length, a price) of the same name, under the same
conditions, and cannot both be right.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from probative.scope.run import Run
from probative.scope.sentences import PassageSentence, passage_sentences
from probative.text.analysis import QuantitySpan
from probative.text.names import mentions
from probative.text.quantities import Quantity, comparable, dimension_of, order
from probative.text.topics import Topic, topic_at
from probative.text.words import words


class MeasuredRival(NamedTuple):
    """A sentence of another passage, and the amount in it that is not the answer."""

    sentence: PassageSentence
    value: str


def measured_rivals(
    run: Run, own: PassageSentence, answer: str, others: Sequence[int]
) -> Iterator[MeasuredRival]:
    """Yield the sentences that give another amount for what is asked than the sentence with the answer."""
    spans = run.analyzer.quantities_in(answer)
    if len(spans) != 1 or not spans[0].quantity.unit:
        return
    amount = spans[0].quantity
    dimension = dimension_of(amount.unit)
    asked = run.analyzer.measures_of(run.question.text, dimension)
    stated = _span_of(run, own.text, amount)
    if stated is None or not asked & run.analyzer.measures_of(own.text, dimension, stated.start):
        return
    conditions = run.analyzer.conditions_of(own.text)
    for sentence in passage_sentences(run, others):
        if run.analyzer.conditions_of(sentence.text) != conditions:
            continue
        if not same_subject(run, own, stated.start, sentence, None):
            continue
        amounts = [
            span
            for span in run.analyzer.quantities_in(sentence.text)
            if dimension_of(span.quantity.unit) == dimension
            and asked & run.analyzer.measures_of(sentence.text, dimension, span.start)
            and same_subject(run, own, stated.start, sentence, span.start)
        ]
        if len(amounts) == 1 and _excludes(amounts[0].quantity, stated.quantity):
            yield MeasuredRival(sentence, amounts[0].text)


def same_subject(
    run: Run, own: PassageSentence, start: int, sentence: PassageSentence, other_start: int | None
) -> bool:
    """Return whether two sentences are about the same thing: about every name of the question that the first
    is about, and about the same part of it; without names, about the question's words.

    Without `other_start`, only the names and words are looked at.
    """
    names = [
        name for name in _names(run) if mentions(own.whole, name) and not run.analyzer.conditions_of(name)
    ]
    if not names:
        wanted = run.question.parsed.words & set(words(own.whole))
        shared = wanted & set(words(sentence.whole))
        return len(shared) >= 2 and 3 * len(shared) >= 2 * len(wanted)
    if not all(mentions(sentence.whole, name) for name in names):
        return False
    if other_start is None:
        return True
    return all(
        _same_part(_topic(run, own, name, start), _topic(run, sentence, name, other_start)) for name in names
    )


def _names(run: Run) -> list[str]:
    """Return the names of the question without the word that it begins with, and without the words in lower
    case behind a name.
    """
    names = []
    for name in run.question.parsed.names:
        parts = name.split()
        while parts and parts[-1][:1].islower():
            parts.pop()
        if parts and not run.question.text.lstrip().startswith(name):
            names.append(" ".join(parts))
    return names


def part_of(run: Run, sentence: PassageSentence, name: str, position: int) -> frozenset[str]:
    """Return the part of a name that a sentence is about at a position; none for the name itself, and for a
    sentence that does not mention it.
    """
    if position < 0 or not mentions(sentence.text, name):
        return frozenset()
    topic = _topic(run, sentence, name, position)
    return topic.part if topic.kind == "part" else frozenset()


def _topic(run: Run, sentence: PassageSentence, name: str, position: int) -> Topic:
    kinds = run.analyzer.asked_kinds(run.question.text)
    return topic_at(run.analyzer.topics_of(sentence.text, name, kinds), position)


def _same_part(first: Topic, second: Topic) -> bool:
    """Return whether two clauses are about the name, or both about a part of it that has a word in common."""
    if first.kind == "other":  # the name stands in the sentence, which is about something else
        return True
    if "part" in (first.kind, second.kind):
        return first.kind == second.kind and bool(first.part & second.part)
    return second.kind == "own"


def _span_of(run: Run, text: str, amount: Quantity) -> QuantitySpan | None:
    """Return the amount in the sentence that contains the answer."""
    return next(
        (
            span
            for span in run.analyzer.quantities_in(text)
            if span.quantity.unit == amount.unit and span.quantity.low == amount.low
        ),
        None,
    )


def _excludes(first: Quantity, second: Quantity) -> bool:
    """Return whether two amounts cannot both be right; rounded in other units, they can."""
    if not comparable(first, second) or order(first, second) in (None, 0):
        return False
    if first.unit == second.unit or not first.exact or first.low is None:
        return True
    around = Quantity(first.low * 98 / 100, first.low * 102 / 100, first.unit, first.per)
    return order(around, second) is not None
