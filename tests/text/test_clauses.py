"""What a clause is about, which verb a date belongs to, and what an amount is for."""

from __future__ import annotations

import pytest

from probative.text import english
from probative.text.quantities import exactly, order


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("The Oak Bridge is long.", "own"),
        ("In 1903 it was opened.", "own"),
        ("The bridge was painted.", "own"),
        ("After long delays the Oak Bridge opened.", "own"),
        ("Its towers are high.", "part"),
        ("The towers of the Oak Bridge are high.", "part"),
        ("The Oak Bridge's towers are high.", "part"),
        ("A new lane opened in 1998.", "part"),
        ("It lies north of the Oak Bridge.", "other"),
        ("The painter Ada Berg was born there.", "other"),
    ],
)
def test_a_clause_is_about_what_it_begins_with(text: str, kind: str) -> None:
    assert english.topics_of(text, "Oak Bridge")[0].kind == kind


@pytest.mark.parametrize(
    ("text", "governed"),
    [
        ("It was begun in 1895 and opened in 1899.", [(1895, "begun"), (1899, "opened")]),
        ("It was planned in 1910, but it opened only in 1936.", [(1910, "planned"), (1936, "opened")]),
        ("In 1889 building began, and in 1903 the bridge opened.", [(1889, "building"), (1903, "opened")]),
        ("She married in 1946.", [(1946, "married")]),
    ],
)
def test_a_date_belongs_to_its_verb(text: str, governed: list[tuple[int, str]]) -> None:
    assert [(entry.date[0], entry.verb) for entry in english.dates_with_verbs(text)] == governed


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
