"""Compute what a small model guesses: compare the numbers and dates of a claim with those of the evidence.

Only where it is certain which values are meant: each thing that the claim compares has exactly one value of
the right kind in the sentences that name it.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Mapping, Sequence
from typing import TypeVar

from probative.text import dates, english, quantities
from probative.text.dates import Date
from probative.text.quantities import order
from probative.text.words import words
from probative.verdict.comparison import compare
from probative.verdict.judgement import Computed, StatedValue

# A sentence is about what a dated claim is about if it shares this part of the claim's words.
MIN_SHARED = 0.6
# How well a verb must fit that of the claim, if a sentence has several dates (see `event_strength`).
SAME_EVENT = 2
Key = TypeVar("Key", bound=Hashable)


def compute(claim: str, sentences: Sequence[str], context: Sequence[str] = ()) -> Computed | None:
    """Return whether the values of the evidence bear a claim out; None if there is nothing to compute, or if
    it is not certain which values are meant. A date of the claim that is in `context`, such as the title of
    the evidence, need not be in a sentence.

    >>> evidence = ["Mount Ode is 1,912 m high.", "Skarn Fell reaches 2,040 m."]
    >>> compute("Mount Ode is higher than Skarn Fell.", evidence).note
    'computed: Mount Ode 1,912 m, Skarn Fell 2,040 m, so the claim does not hold'
    """
    for rule in (compare, _date_limit):
        result = rule(claim, sentences)
        if result is not None:
            return result
    return _other_date(claim, sentences, context) or _other_amount(claim, sentences)


def _only(values: Mapping[Key, int]) -> tuple[Key, int] | None:
    """Return the only value with the index of its sentence; None if there is none, or several."""
    return next(iter(values.items())) if len(values) == 1 else None


def _date_limit(claim: str, sentences: Sequence[str]) -> Computed | None:
    """Compare the only date of the sentences about a claim with the date that it must be before or after."""
    limit = english.claimed_date_limit(claim)
    if limit is None:
        return None
    # Where a claim has other numbers, too, the date may not be what it is about.
    alone = sum(map(str.isdigit, words(claim))) <= sum(map(bool, (limit.date[0], limit.date[2])))
    date, index = _only_date(claim, sentences, by_verb=alone) or (limit.date, 0)
    before = dates.earlier(date, limit.date)
    if before is None or english.is_doubtful_date(sentences[index]):
        return None
    text = f"{dates.spelled(date)} is {'before' if before else 'after'} {dates.spelled(limit.date)}"
    return Computed(
        before != limit.later, text, (index,), stated=_dated_claim(claim, limit.date, date, index)
    )


def _dated_claim(claim: str, limit: Date, date: Date, index: int) -> tuple[StatedValue, ...]:
    """Return a claim with the date of the evidence in place of its limit, and the index of its sentence.

    >>> _dated_claim("The park opened before 1950.", (1950, 0, 0), (1940, 0, 0), 0)
    (StatedValue(text='The park opened in 1940.', sentence=0, others=()),)
    """
    named = re.search(rf"(?i)\b(?:before|after|since|until|by)\b[^,.;]*?\b{abs(limit[0])}\b", claim)
    if named is None:
        return ()
    preposition = "on" if date[2] else "in"
    text = f"{claim[: named.start()]}{preposition} {dates.in_words(date)}{claim[named.end() :]}"
    return (StatedValue(text, index),)


def _only_date(claim: str, sentences: Sequence[str], *, by_verb: bool = False) -> tuple[Date, int] | None:
    """Return the only date in the sentences about a claim, with the index of its sentence; with `by_verb`,
    also the only one of what the claim says to have happened.
    """
    near = _near(claim, sentences)
    every = {date: index for index in near for date in english.dates_in(sentences[index])}
    verb = next((entry.verb for entry in english.dates_with_verbs(claim)), "") if by_verb else ""
    of_event = {
        entry.date: index
        for index in near
        for entry in english.dates_with_verbs(sentences[index])
        if verb and entry.sure and english.event_strength(entry.verb, verb) >= SAME_EVENT
    }
    return _only(every) or _only(of_event)


def _near(claim: str, sentences: Sequence[str]) -> list[int]:
    """Return the sentences that share most of the words of a claim."""
    claimed = frozenset(word for word in words(claim) if not word.isdigit())
    return [
        index
        for index, sentence in enumerate(sentences)
        if len(claimed) > 1 and len(claimed & frozenset(words(sentence))) >= MIN_SHARED * len(claimed)
    ]


def _other_date(claim: str, sentences: Sequence[str], context: Sequence[str]) -> Computed | None:
    """Say that the sentences about a claim have one date, and that it is not the claim's."""
    claimed = english.claimed_date(claim)
    dated = _only_date(claim, sentences) if claimed is not None else None
    if claimed is None or dated is None or dates.earlier(dated[0], claimed) is None:
        return None
    if any(dates.agree(date, claimed) for text in context for date in english.dates_in(text)):
        return None
    text = f"the evidence has {dates.spelled(dated[0])}, and the claim {dates.spelled(claimed)}"
    return Computed(False, text, (dated[1],), certain=False)


def _other_amount(claim: str, sentences: Sequence[str]) -> Computed | None:
    """Say that the only amount in the sentences about a claim lies outside of the bound that it names."""
    spans = english.quantities_in(claim)
    if len(spans) != 1 or spans[0].quantity.exact or english.is_negated(claim) or english.dates_in(claim):
        return None
    claimed, noun = spans[0].quantity, english.stems_of(spans[0].counted.partition(" ")[0])
    amount, index = _only(
        {
            span.quantity: index
            for index in _near(claim, sentences)
            for span in english.quantities_in(sentences[index])
            if quantities.comparable(span.quantity, claimed)
            and (claimed.unit or noun & english.stems_of(span.counted))
        }
    ) or (claimed, 0)
    if not order(amount, claimed):
        return None
    text = f"the evidence has {quantities.spelled(amount)}, and the claim {quantities.spelled(claimed)}"
    return Computed(False, text, (index,), certain=False)
