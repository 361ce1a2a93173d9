"""Code that compares values: which is larger, whether they are the same, how far apart they are."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import NamedTuple

from probative.scope.compute.evidence import Parsed, SentenceValue
from probative.text import dates, english, quantities
from probative.text.analysis import Attribute, Decomposition, Task
from probative.text.dates import Date, earlier, lived_longer
from probative.text.quantities import Order, Quantity
from probative.text.words import words

# The unit behind a number, perhaps with a rate of two words ("95 euros per night").
_UNIT = re.compile(r"(?<=\d)\s*[^\W\d_]+(?=$|\s+\w+\s+\w+$)")
_SIGNS: dict[Order, str] = {-1: "<", 0: "=", 1: ">"}


class Decision(NamedTuple):
    """The result, or None if the values do not decide; and the rule, or why not."""

    answer: str | None
    rule: str


def _decide_order(
    parts: Decomposition, attribute: Attribute, options: Sequence[str], values: Sequence[SentenceValue]
) -> Decision:
    """Return the option with the largest (or smallest) value; none if two may share it."""
    largest = parts.largest != attribute.inverted
    values = [_in_rate(value, values[-1]) for value in values]
    best = 0
    for index in range(1, len(values)):
        result = compare_values(values[index].value, values[best].value)
        if result is not None and result == (1 if largest else -1):
            best = index
    signs = []
    for index, value in enumerate(values):
        if index == best:
            continue
        result = compare_values(values[best].value, value.value)
        if result != (1 if largest else -1):
            return Decision(None, _undecided(values[best], value, result))
        signs.append(f"{values[best].shown} {_sign(values[best].value, result)} {value.shown}")
    return Decision(options[best], "; ".join(signs))


def _decide_limit(
    parts: Decomposition, attribute: Attribute, options: Sequence[str], values: Sequence[SentenceValue]
) -> Decision:
    """Return yes or no: whether the first value is larger (or smaller) than the second, the limit."""
    value, limit = _for_same(values[0], values[1]), _for_same(values[1], values[0])
    result = compare_values(value.value, limit.value)
    largest = parts.largest != attribute.inverted
    if result is None:
        return Decision(None, _undecided(value, limit, result))
    holds = result == (1 if largest else -1) or (parts.inclusive and result == 0)
    answer = "yes" if holds else "no"
    return Decision(answer, f"{value.shown} {_sign(value.value, result)} {limit.shown}")


def _in_rate(value: SentenceValue, other: SentenceValue) -> SentenceValue:
    """Return a rate for a time as a rate for the time of the other; every other value as it is."""
    if not (isinstance(value.value, Quantity) and isinstance(other.value, Quantity) and value.value.per):
        return value
    return _for_same(value, other)


def _for_same(value: SentenceValue, other: SentenceValue) -> SentenceValue:
    """Return a value as a rate for what the other is for; an amount without a rate is taken for the same rate
    as the limit that it is compared with.
    """
    if not (isinstance(value.value, Quantity) and isinstance(other.value, Quantity)):
        return value
    if not value.value.per:
        return replace(value, value=replace(value.value, per=other.value.per))
    converted = quantities.rate_as(value.value, other.value.per)
    if converted == value.value or value.index < 0:
        return value
    return replace(value, value=converted, shown=f"{value.shown} = {quantities.spelled(converted)}")


def as_limit(value: SentenceValue) -> SentenceValue:
    """Return an amount as a limit: "at most 140 euros" is the limit of 140 euros."""
    if not isinstance(value.value, Quantity) or value.value.exact:
        return value
    bounds = [bound for bound in (value.value.low, value.value.high) if bound is not None]
    return (
        value
        if len(bounds) != 1
        else replace(value, value=replace(value.value, low=bounds[0], high=bounds[0]))
    )


def _decide_amount(
    parts: Decomposition, attribute: Attribute, options: Sequence[str], values: Sequence[SentenceValue]
) -> Decision:
    """Return an amount that follows from a sentence: a price less a discount, the time between two times."""
    return Decision(values[0].derived, values[0].shown)


def _decide_same(
    parts: Decomposition, attribute: Attribute, options: Sequence[str], values: Sequence[SentenceValue]
) -> Decision:
    """Return yes or no: whether all values are the same (or, where that is asked, different)."""
    first = values[0]
    all_same = True
    for other in values[1:]:
        same = _equal(attribute, first.value, other.value)
        if same is None:
            return Decision(None, _undecided(first, other, None))
        all_same = all_same and same
    shown = (" = " if all_same else " ≠ ").join(value.shown for value in values)
    return Decision("yes" if all_same == parts.positive else "no", shown)


def _decide_difference(
    parts: Decomposition, attribute: Attribute, options: Sequence[str], values: Sequence[SentenceValue]
) -> Decision:
    """Return the difference of two values, in the unit of the question or of the first value."""
    first, second = values[0].value, values[1].value
    if isinstance(first, Quantity) and isinstance(second, Quantity):
        difference = quantities.subtract(first, second)
        if difference is None:
            return Decision(None, _undecided(values[0], values[1], None))
        if difference.low is not None and difference.low < 0:
            difference = quantities.exactly(-difference.low, difference.unit)
        if parts.unit is not None and quantities.comparable(difference, quantities.exactly(1, parts.unit)):
            difference = quantities.convert(difference, parts.unit)
        answer = _in_words_of(values[0], difference)
        return Decision(answer, f"{values[0].shown} − {values[1].shown} = {answer}")
    if isinstance(first, tuple) and isinstance(second, tuple):
        return _years(min(first, second), max(first, second), whole=True)
    return Decision(None, _undecided(values[0], values[1], None))


def _decide_total(
    parts: Decomposition, attribute: Attribute, options: Sequence[str], values: Sequence[SentenceValue]
) -> Decision:
    """Return the sum of the values, in the unit of the first."""
    total: Quantity | None = None
    for value in values:
        if not isinstance(value.value, Quantity):
            return Decision(None, f"{value.shown} cannot be added")
        total = value.value if total is None else quantities.add(total, value.value)
        if total is None:
            return Decision(None, f"{value.shown} cannot be added to {values[0].shown}")
    assert total is not None
    answer = _in_words_of(values[0], total)
    return Decision(answer, f"{' + '.join(value.shown for value in values)} = {answer}")


def _in_words_of(value: SentenceValue, result: Quantity) -> str:
    """Return a result with its unit as the text of a value writes it ("45 metres")."""
    unit = _UNIT.search(value.shown)
    same_unit = isinstance(value.value, Quantity) and value.value.unit == result.unit
    if unit is None or not same_unit or quantities.dimension_of(result.unit) in ("number", "clock"):
        return quantities.spelled(result)
    return f"{quantities.spelled(replace(result, unit='', per=''))} {unit.group().strip()}"


def decide_age(birth: SentenceValue, event: SentenceValue) -> Decision:
    """Return the full years from a birth to an event."""
    assert isinstance(birth.value, tuple)
    assert isinstance(event.value, tuple)
    return _years(birth.value, event.value, whole=False)


def longest_life(lives: Sequence[Sequence[SentenceValue]], *, longest: bool) -> int | None:
    """Return the row of the life, a birth and a death, that is longer (or shorter) than every other one."""
    spans = [(birth.value, death.value) for birth, death in lives]
    for row, span in enumerate(spans):
        others = (other for index, other in enumerate(spans) if index != row)
        if all(lived_longer(span, other) is longest for other in others):  # type: ignore[arg-type]
            return row
    return None


def compare_values(first: Parsed, second: Parsed) -> Order | None:
    """Return -1, 0 or 1; None if the two cannot be compared or are too rough."""
    if isinstance(first, Quantity) and isinstance(second, Quantity):
        return quantities.order(first, second)
    if isinstance(first, tuple) and isinstance(second, tuple):
        is_earlier = earlier(first, second)
        if is_earlier is None:
            return 0 if first == second else None
        return -1 if is_earlier else 1
    return None


def _sign(value: Parsed, result: Order) -> str:
    if isinstance(value, tuple):
        return {-1: "is before", 0: "is the same as", 1: "is after"}[result]
    return _SIGNS[result]


def _undecided(first: SentenceValue, second: SentenceValue, result: Order | None) -> str:
    if result == 0:
        return f"both are the same: {first.shown}"
    return f"{first.shown} and {second.shown} cannot be compared"


def _equal(attribute: Attribute, first: Parsed, second: Parsed) -> bool | None:
    """Return whether two values are the same; None if they are too rough or not of one kind."""
    if isinstance(first, frozenset) and isinstance(second, frozenset):
        return _share_country(first, second)
    if isinstance(first, str) and isinstance(second, str):
        own, other = set(words(first)), set(words(second))
        return own <= other or other <= own
    if isinstance(first, tuple) and isinstance(second, tuple):
        return _equal_dates(attribute.name, first, second)
    result = compare_values(first, second)
    return None if result is None else result == 0


def _share_country(first: frozenset[str], second: frozenset[str]) -> bool | None:
    """Return whether two things have a country in common; None if one country may be part of another."""
    if first & second:
        return True
    pairs = [english.same_country(frozenset({own}), frozenset({other})) for own in first for other in second]
    return None if None in pairs else False


def _equal_dates(part: str, first: Date, second: Date) -> bool | None:
    """Return whether two dates fall in one year, month, day or decade."""
    if part == "decade":
        return first[0] // 10 == second[0] // 10
    depth = {"year": 1, "month": 2}.get(part, 3)
    for own, other in zip(first[:depth], second[:depth], strict=True):
        if not own or not other:
            return None
        if own != other:
            return False
    return True


def _years(start: Date, end: Date, *, whole: bool) -> Decision:
    """Return the years from one date to another: by the calendar if the days are known, otherwise by the
    years alone (`whole`), or not at all if the missing days could change the result.
    """
    years = end[0] - start[0] - (1 if start[0] < 0 < end[0] else 0)
    shown = f"{dates.spelled(end)} − {dates.spelled(start)}"
    if years < 0:
        return Decision(None, f"{dates.spelled(end)} is before {dates.spelled(start)}")
    if start[1] and end[1]:
        if end[1:] < start[1:] and (end[1] != start[1] or (start[2] and end[2])):
            years -= 1
        elif end[1] == start[1] and not (start[2] and end[2]):
            return Decision(f"{years - 1} or {years} years", f"{shown}, without the days")
        return Decision(_spelled_years(years), f"{shown} = {_spelled_years(years)}")
    if whole:
        return Decision(_spelled_years(years), f"{shown} = {_spelled_years(years)}")
    return Decision(f"{years - 1} or {years} years", f"{shown}, without the days")


def _spelled_years(years: int) -> str:
    return f"{Fraction(years)} year{'' if years == 1 else 's'}"


Decider = Callable[[Decomposition, Attribute, Sequence[str], Sequence[SentenceValue]], Decision]
DECIDERS: dict[Task, Decider] = {
    "order": _decide_order,
    "limit": _decide_limit,
    "same": _decide_same,
    "difference": _decide_difference,
    "total": _decide_total,
    "amount": _decide_amount,
}
"""How each task is decided from the parts of the question, the attribute, the options and their values."""
