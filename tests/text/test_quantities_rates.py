"""Rates: what an amount is for."""

from __future__ import annotations

import pytest

from probative.text import english
from probative.text.quantities import exactly, order


@pytest.mark.parametrize(
    ("text", "amount", "unit", "per"),
    [
        ("560 euros per week", 560, "EUR", "wk"),
        ("95 euros a night", 95, "EUR", "d"),
        ("a monthly rent of 780 euros", 780, "EUR", "mo"),
        ("€490 for seven nights", 70, "EUR", "d"),
        ("80 km per hour", 80, "km/h", ""),
        ("12 euros per person", 12, "EUR", "person"),
        ("17,950 in 2020", 17950, "", ""),
    ],
)
def test_amounts_say_what_they_are_for(text: str, amount: int, unit: str, per: str) -> None:
    quantity = english.quantities_in(text)[0].quantity
    assert (quantity.low, quantity.unit, quantity.per) == (amount, unit, per)


def test_rates_for_times_are_compared_and_others_are_not() -> None:
    week, night, person = (
        english.quantities_in(text)[0].quantity
        for text in ("560 euros per week", "95 euros per night", "9 euros per person")
    )
    assert order(week, night) == -1
    assert order(week, person) is None
    assert order(week, exactly(560, "EUR")) is None
