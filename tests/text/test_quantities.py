"""Quantities: laws that hold for all of them, and an independent check of numbers in words and of units."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from probative.text.english.quantities import quantities_in, read_number_words
from probative.text.quantities import (
    CURRENCIES,
    UNITS,
    Quantity,
    add,
    comparable,
    convert,
    dimension_of,
    exactly,
    order,
    roughly,
    subtract,
)

AMOUNTS = st.fractions(min_value=-(10**9), max_value=10**9, max_denominator=1000)
SYMBOLS = st.sampled_from(sorted(UNITS))

_SMALL = """zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen
sixteen seventeen eighteen nineteen"""
_TENS = "- - twenty thirty forty fifty sixty seventy eighty ninety"


def quantity_of(text: str) -> Quantity:
    """Return the only quantity of a text."""
    (span,) = quantities_in(text)
    return span.quantity


def spoken(number: int) -> str:
    """Return a number in words, written independently of the parser: largest part first."""
    small = _SMALL.split()
    tens = _TENS.split()
    for value, name in ((10**9, "billion"), (10**6, "million"), (1000, "thousand"), (100, "hundred")):
        if number >= value:
            rest = number % value
            joint = " and " if value == 100 else " "
            return f"{spoken(number // value)} {name}" + (f"{joint}{spoken(rest)}" if rest else "")
    if number >= 20:
        return tens[number // 10] + (f"-{small[number % 10]}" if number % 10 else "")
    return small[number]


@given(st.integers(min_value=0, max_value=10**12 - 1))
def test_a_number_in_words_is_read_back(number: int) -> None:
    assert read_number_words(spoken(number)) == number


@given(st.integers(min_value=1, max_value=999_999))
def test_a_number_in_words_inside_a_sentence_is_found_whole(number: int) -> None:
    assert quantity_of(f"The hall has {spoken(number)} seats.") == exactly(number)


@given(st.integers(min_value=0, max_value=10**9), st.sampled_from(["m", "km", "kg", "ft", "ha", "mph", "%"]))
def test_digits_with_and_without_commas_are_the_same(number: int, unit: str) -> None:
    plain, with_commas = quantity_of(f"{number} {unit}"), quantity_of(f"{number:,} {unit}")
    assert plain == with_commas == exactly(number, unit)


@given(AMOUNTS, SYMBOLS, AMOUNTS, SYMBOLS)
def test_the_order_of_two_is_the_opposite_of_the_order_of_both_swapped(
    first: Fraction, unit: str, second: Fraction, other: str
) -> None:
    one, two = exactly(first, unit), exactly(second, other)
    forward, backward = order(one, two), order(two, one)
    assert (forward is None) == (backward is None) == (not comparable(one, two))
    assert forward is None or backward is None or forward == -backward


@given(AMOUNTS, SYMBOLS, SYMBOLS)
def test_converting_there_and_back_changes_nothing(amount: Fraction, unit: str, other: str) -> None:
    quantity = exactly(amount, unit)
    if comparable(quantity, exactly(0, other)):
        there = convert(quantity, other)
        assert convert(there, unit) == quantity
        assert order(quantity, there) == 0


@given(AMOUNTS, AMOUNTS, SYMBOLS)
def test_what_is_added_can_be_subtracted(first: Fraction, second: Fraction, unit: str) -> None:
    total = add(exactly(first, unit), exactly(second, unit))
    if dimension_of(unit) in ("temperature", "clock"):
        assert total is None
    else:
        assert total is not None
        assert subtract(total, exactly(second, unit)) == exactly(first, unit)


@given(AMOUNTS.filter(lambda amount: amount > 0))
def test_a_rough_value_is_never_told_apart_from_one_within_its_width(amount: Fraction) -> None:
    assert order(roughly(amount), exactly(amount)) is None
    assert order(roughly(amount), exactly(amount * 2)) == -1


@pytest.mark.parametrize(
    ("text", "other", "result"),
    [  # worked out by hand
        ("5,900 feet", "1,912 metres", -1),  # 1,798 m
        ("140 miles", "212 km", 1),  # 225 km
        ("4 pounds", "2.4 kg", -1),  # 1.8 kg
        ("100 acres", "41 hectares", -1),  # 40.5 ha
        ("98.6 °F", "37 °C", 0),
        ("0 °C", "30 °F", 1),
        ("60 mph", "26 m/s", 1),  # 26.8 m/s
        ("12 thousand", "11,999", 1),
        ("1 hour 52 minutes", "111 minutes", 1),
        ("5 ft 11 in", "181 cm", -1),  # 180.34 cm
        ("40 euros", "38 dollars", None),
        ("about 310", "312", None),
        ("more than 500", "400", 1),
        ("more than 500", "600", None),
        ("20 to 25 %", "19%", 1),
        ("6:30", "8 p.m.", -1),
        ("noon", "12:00", 0),
        ("3 km", "3 kg", None),
    ],
)
def test_quantities_of_different_units_are_compared(text: str, other: str, result: int | None) -> None:
    first, second = quantity_of(text), quantity_of(other)
    assert first is not None
    assert second is not None
    assert order(first, second) == result


def test_every_length_and_mass_agrees_with_published_factors() -> None:
    """The factors in metres and kilograms of the international yard and pound, computed as floats."""
    published = {"in": 0.0254, "ft": 12 * 0.0254, "yd": 36 * 0.0254, "mi": 5280 * 12 * 0.0254, "nmi": 1852.0}
    published |= {"oz": 0.45359237 / 16, "lb": 0.45359237, "st": 14 * 0.45359237}
    published |= {"ft²": (12 * 0.0254) ** 2, "mi²": 1609.344**2, "acre": 1609.344**2 / 640}
    published |= {"mph": 1609.344 / 3600, "kn": 1852 / 3600, "km/h": 1 / 3.6}
    for unit, factor in published.items():
        assert math.isclose(float(UNITS[unit].factor), factor, rel_tol=1e-9), unit


@given(st.text(alphabet="0123456789 .,:-–$€kmft%abouthr ", max_size=60))
def test_any_text_is_read_and_spans_are_in_order(text: str) -> None:
    spans = quantities_in(text)
    assert all(text[span.start : span.end].strip() == span.text.strip() for span in spans)
    assert all(first.end <= second.start for first, second in pairwise(spans))
    for span in spans:
        assert span.quantity.unit in UNITS or span.quantity.unit in CURRENCIES
        low, high = span.quantity.low, span.quantity.high
        assert low is None or high is None or low <= high


def test_bounds_without_an_end_are_kept() -> None:
    assert quantity_of("over a million people") == Quantity(Fraction(10**6), None)
    assert quantity_of("under 30 euros") == Quantity(None, Fraction(30), "EUR")
