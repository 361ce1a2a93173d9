"""Compute what a small model guesses: compare the numbers and dates of a claim with those of the evidence.

Only where it is certain which values are meant: each thing that the claim compares has exactly one value of
the right kind in the sentences that name it.
"""

from __future__ import annotations

from collections.abc import Sequence

from probative.text import dates, english, quantities
from probative.text.dates import Date
from probative.text.quantities import order
from probative.text.words import words
from probative.verdict.comparison import Amount, compare
from probative.verdict.judgement import Computed

# A sentence is about what a dated claim is about if it shares this part of the claim's words.
MIN_SHARED = 0.6
_TRENDS = {1: "rises", 0: "stays", -1: "falls"}
# How well a verb must fit that of the claim, if a sentence has several dates (see `event_strength`).
SAME_EVENT = 2


def compute(claim: str, sentences: Sequence[str], known: Sequence[str] = ()) -> Computed | None:
    """Return whether the values of the evidence bear a claim out; None if there is nothing to compute, or if
    it is not certain which values are meant. A date of the claim that is in `known`, such as the title of
    the evidence, need not be in a sentence.

    >>> evidence = ["Mount Ode is 1,912 m high.", "Skarn Fell reaches 2,040 m."]
    >>> compute("Mount Ode is higher than Skarn Fell.", evidence).note
    'computed: Mount Ode 1,912 m, Skarn Fell 2,040 m, so the claim does not hold'
    """
    for rule in (_trend, compare, _date_limit, _ratio, _decade):
        result = rule(claim, sentences)
        if result is not None:
            return result
    return _other_date(claim, sentences, known) or _other_amount(claim, sentences)


def _trend(claim: str, sentences: Sequence[str]) -> Computed | None:
    """Say whether something rises, falls or stays as a claim says."""
    claimed = english.claimed_trend(claim)
    if claimed is None:
        return None
    told = {
        index: direction
        for index, sentence in enumerate(sentences)
        if (direction := english.told_direction(sentence, claimed)) is not None
    }
    if len(set(told.values())) != 1:
        return None
    direction = next(iter(told.values()))
    text = f"the evidence says that it {_TRENDS[direction]}"
    return Computed(direction == claimed.direction, text, tuple(told))


def _date_limit(claim: str, sentences: Sequence[str]) -> Computed | None:
    limit = english.claimed_date_limit(claim)
    if limit is None:
        return None
    # Where a claim has other numbers, too, the date may not be what it is about.
    alone = sum(map(str.isdigit, words(claim))) <= sum(map(bool, (limit.date[0], limit.date[2])))
    dated = _only_date(claim, sentences, by_verb=alone)
    if dated is None:
        return None
    date, index = dated
    before = dates.earlier(date, limit.date)
    if before is None or english.is_doubtful_date(sentences[index]):
        return None
    side = "before" if before else "after"
    return Computed(
        before != limit.later, f"{dates.spelled(date)} is {side} {dates.spelled(limit.date)}", (index,)
    )


def _only_date(claim: str, sentences: Sequence[str], *, by_verb: bool) -> tuple[Date, int] | None:
    """Return the only date in the sentences about a claim, with the index of its sentence; with `by_verb`,
    also the only one of what the claim says to have happened.
    """
    near = _near(claim, sentences)
    every = {date: index for index in near for date in english.dates_in(sentences[index])}
    if len(every) == 1:
        return next(iter(every.items()))
    verb = next((entry.verb for entry in english.dates_with_verbs(claim)), "") if by_verb else ""
    of_event = {
        entry.date: index
        for index in near
        for entry in english.dates_with_verbs(sentences[index])
        if verb and entry.sure and english.event_strength(entry.verb, verb) >= SAME_EVENT
    }
    return next(iter(of_event.items())) if len(of_event) == 1 else None


def _near(claim: str, sentences: Sequence[str]) -> list[int]:
    """Return the sentences that share most of the words of a claim."""
    wanted = frozenset(word for word in words(claim) if not word.isdigit())
    return [
        index
        for index, sentence in enumerate(sentences)
        if len(wanted) > 1 and len(wanted & frozenset(words(sentence))) >= MIN_SHARED * len(wanted)
    ]


def _other_date(claim: str, sentences: Sequence[str], known: Sequence[str]) -> Computed | None:
    """Say that the sentences about a claim have one date, and that it is not the claim's."""
    claimed = english.claimed_date(claim)
    if claimed is None or any(
        dates.agree(date, claimed) for text in known for date in english.dates_in(text)
    ):
        return None
    dated = _only_date(claim, sentences, by_verb=False)
    if dated is None:
        return None
    date, index = dated
    if dates.earlier(date, claimed) is None:
        return None
    text = f"the evidence has {dates.spelled(date)}, and the claim {dates.spelled(claimed)}"
    return Computed(False, text, (index,), certain=False)


def _other_amount(claim: str, sentences: Sequence[str]) -> Computed | None:
    """Say that the only amount in the sentences about a claim lies outside of the bound that it names."""
    spans = english.quantities_in(claim)
    if len(spans) != 1 or spans[0].quantity.exact or english.is_negated(claim) or english.dates_in(claim):
        return None
    claimed, noun = spans[0].quantity, english.stems_of(spans[0].counted.partition(" ")[0])
    found = {
        span.quantity: index
        for index in _near(claim, sentences)
        for span in english.quantities_in(sentences[index])
        if quantities.comparable(span.quantity, claimed)
        and (claimed.unit or noun & english.stems_of(span.counted))
    }
    if len(found) != 1:
        return None
    ((amount, index),) = found.items()
    if not order(amount, claimed):
        return None
    text = f"the evidence has {quantities.spelled(amount)}, and the claim {quantities.spelled(claimed)}"
    return Computed(False, text, (index,), certain=False)


def _ratio(claim: str, sentences: Sequence[str]) -> Computed | None:
    ratio = english.claimed_ratio(claim)
    if ratio is None:
        return None
    counts = [_count(noun, sentences) for noun in (ratio.first, ratio.second)]
    first, second = counts
    if first is None or second is None or not second.amount.low or first.amount.low is None:
        return None
    holds = first.amount.low == ratio.factor * second.amount.low
    amounts = [f"{quantities.spelled(value.amount)}" for value in (first, second)]
    text = f"{amounts[0]} {ratio.first}, {amounts[1]} {ratio.second}"
    return Computed(holds, text, tuple(sorted({first.sentence, second.sentence})))


def _count(noun: str, sentences: Sequence[str]) -> Amount | None:
    """Return the only exact number that stands before a noun."""
    stems = english.stems_of(noun)
    values = {
        span.quantity: index
        for index, sentence in enumerate(sentences)
        for span in english.quantities_in(sentence)
        if not span.quantity.unit and span.quantity.exact and stems <= english.stems_of(span.counted)
    }
    return Amount(*next(iter(values.items()))) if len(values) == 1 else None


def _decade(claim: str, sentences: Sequence[str]) -> Computed | None:
    """Compare the decade of a death with the dates of a birth and a death in one sentence."""
    decade = english.claimed_decade(claim)
    if decade is None or "die" not in {word.removesuffix("d") for word in words(claim)}:
        return None
    lives = []
    for index, sentence in enumerate(sentences):
        birth, death = english.event_date(sentence, "birth"), english.event_date(sentence, "death")
        if birth is not None and death is not None:
            lives.append((index, birth, death))
    if len(lives) != 1:
        return None
    index, birth, death = lives[0]
    youngest, oldest = dates.age_between(birth, death)
    if youngest < 0 or oldest > dates.MAX_AGE:
        return None
    inside = decade <= youngest and oldest < decade + 10
    outside = oldest < decade or youngest >= decade + 10
    if not (inside or outside):
        return None
    text = f"{dates.spelled(birth)} to {dates.spelled(death)} are {oldest} years"
    return Computed(inside, text, (index,))
