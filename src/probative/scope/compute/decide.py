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
from probative.text.dates import Date, Order, lived_longer
from probative.text.quantities import Quantity
from probative.text.words import words

# The unit behind a number, perhaps with a rate of two words ("95 euros per night").
_UNIT = re.compile(r"(?<=\d)\s*[^\W\d_]+(?=$|\s+\w+\s+\w+$)")
_SIGNS: dict[Order, str] = {-1: "<", 0: "=", 1: ">"}


class Comparison(NamedTuple):
    """What is asked: the parts of the question, the attribute, and the options with their values."""

    parts: Decomposition
    attribute: Attribute
    options: Sequence[str]
    values: Sequence[SentenceValue]

    @property
    def largest(self) -> bool:
        """Whether the larger value is asked for."""
        return self.parts.largest != self.attribute.inverted


class Decision(NamedTuple):
    """The result, or None if the values do not decide; and the rule, or why not."""

    answer: str | None
    rule: str


def _decide_order(asked: Comparison) -> Decision:
    """Return the option with the largest (or smallest) value; none if two may share it."""
    values = [_in_rate(value, asked.values[-1]) for value in asked.values]
    sign = 1 if asked.largest else -1
    best = 0
    for index in range(1, len(values)):
        if compare_values(values[index].value, values[best].value) == sign:
            best = index
    signs = []
    for index, value in enumerate(values):
        if index == best:
            continue
        result = compare_values(values[best].value, value.value)
        if result is None or result != sign:
            return Decision(None, _undecided(values[best], value, result))
        signs.append(f"{values[best].shown} {_sign(values[best].value, result)} {value.shown}")
    return Decision(asked.options[best], "; ".join(signs))


def _decide_limit(asked: Comparison) -> Decision:
    """Return yes or no: whether the first value is larger (or smaller) than the second, the limit."""
    first, second = asked.values
    value, limit = _for_same(first, second), _for_same(second, first)
    result = compare_values(value.value, limit.value)
    if result is None:
        return Decision(None, _undecided(value, limit, result))
    holds = result == (1 if asked.largest else -1) or (asked.parts.inclusive and result == 0)
    return Decision("yes" if holds else "no", f"{value.shown} {_sign(value.value, result)} {limit.shown}")


def _in_rate(value: SentenceValue, other: SentenceValue) -> SentenceValue:
    """Return a rate for a time as a rate for the time of the other; every other value as it is."""
    if not (isinstance(value.value, Quantity) and isinstance(other.value, Quantity) and value.value.per):
        return value
    return _for_same(value, other)


def _for_same(value: SentenceValue, other: SentenceValue) -> SentenceValue:
    """Return a value as a rate for what the other is for; an amount gets the rate of the other."""
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
    if len(bounds) != 1:
        return value
    return replace(value, value=replace(value.value, low=bounds[0], high=bounds[0]))


def _decide_amount(asked: Comparison) -> Decision:
    """Return an amount that follows from a sentence: a price less a discount, the time between two times."""
    return Decision(asked.values[0].derived, asked.values[0].shown)


def _decide_same(asked: Comparison) -> Decision:
    """Return yes or no: whether all values are the same (or, where that is asked, different)."""
    first, *others = asked.values
    all_same = True
    for other in others:
        same = _equal(asked.attribute, first.value, other.value)
        if same is None:
            return Decision(None, _undecided(first, other, None))
        all_same = all_same and same
    shown = (" = " if all_same else " ≠ ").join(value.shown for value in asked.values)
    return Decision("yes" if all_same == asked.parts.positive else "no", shown)


def _decide_difference(asked: Comparison) -> Decision:
    """Return the difference of two values, in the unit of the question or of the first value."""
    start, end = asked.values
    first, second, unit = start.value, end.value, asked.parts.unit
    if isinstance(first, tuple) and isinstance(second, tuple):
        return _years(min(first, second), max(first, second), whole=True)
    difference = None
    if isinstance(first, Quantity) and isinstance(second, Quantity):
        difference = quantities.subtract(first, second)
    if difference is None:
        return Decision(None, _undecided(start, end, None))
    difference = quantities.absolute(difference)
    if unit is not None and quantities.comparable(difference, quantities.exactly(1, unit)):
        difference = quantities.convert(difference, unit)
    answer = _in_words_of(start, difference)
    return Decision(answer, f"{start.shown} − {end.shown} = {answer}")


def _decide_total(asked: Comparison) -> Decision:
    """Return the sum of the values, in the unit of the first."""
    first = asked.values[0]
    total: Quantity | None = None
    for value in asked.values:
        if not isinstance(value.value, Quantity):
            return Decision(None, f"{value.shown} cannot be added")
        total = value.value if total is None else quantities.add(total, value.value)
        if total is None:
            return Decision(None, f"{value.shown} cannot be added to {first.shown}")
    assert total is not None
    answer = _in_words_of(first, total)
    return Decision(answer, f"{' + '.join(value.shown for value in asked.values)} = {answer}")


def _in_words_of(value: SentenceValue, result: Quantity) -> str:
    """Return a result with its unit as the text of a value writes it ("45 metres")."""
    unit = _UNIT.search(value.shown)
    same_unit = isinstance(value.value, Quantity) and value.value.unit == result.unit
    # "$7m" ends in a letter that is no unit of its own.
    if unit is not None:
        alone = english.quantities_in(f"7 {unit.group().strip()}")
        same_unit = same_unit and bool(alone) and alone[0].quantity.unit == result.unit
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
        return dates.order(first, second)
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
        first_words, second_words = set(words(first)), set(words(second))
        return first_words <= second_words or second_words <= first_words
    if isinstance(first, tuple) and isinstance(second, tuple):
        return _equal_dates(attribute.name, first, second)
    result = compare_values(first, second)
    return None if result is None else result == 0


def _share_country(first: frozenset[str], second: frozenset[str]) -> bool | None:
    """Return whether two things have a country in common; None if one country may be part of another."""
    if first & second:
        return True
    pairs = [english.same_country(frozenset({a}), frozenset({b})) for a in first for b in second]
    return None if None in pairs else False


def _equal_dates(part: str, first: Date, second: Date) -> bool | None:
    """Return whether two dates fall in one year, month, day or decade."""
    if part == "decade":
        return first[0] // 10 == second[0] // 10
    depth = {"year": 1, "month": 2}.get(part, 3)
    for part_of_first, part_of_second in zip(first[:depth], second[:depth], strict=True):
        if not part_of_first or not part_of_second:
            return None
        if part_of_first != part_of_second:
            return False
    return True


def _years(start: Date, end: Date, *, whole: bool) -> Decision:
    """Return the years between two dates: by the calendar if the days are known, or the years (`whole`)."""
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


DECIDERS: dict[Task, Callable[[Comparison], Decision]] = {
    "order": _decide_order,
    "limit": _decide_limit,
    "same": _decide_same,
    "difference": _decide_difference,
    "total": _decide_total,
    "amount": _decide_amount,
}
"""How each task is decided."""
