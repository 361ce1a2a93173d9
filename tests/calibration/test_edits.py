"""Sentences with one thing changed are still English, and are false."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from probative.calibration.edits import FALSIFIED, negated, other_date, other_name, other_number, shortened

TEXT = ["The Lark was sold to Jon Vik in Bergen.", "Ida Lund met Mr Holm at Halden in 1950."]


@pytest.mark.parametrize(
    "sentence",
    [
        "The hall seats at least 80 guests.",  # at least 60 would be true
        "More than 80 guests came.",
        "The mill burnt in 1890.",  # a date
        "The lift opened on 13 June 1891.",
        "See section 4 of the rules.",
    ],
)
def test_numbers_that_cannot_be_changed_safely_stay(sentence: str) -> None:
    assert other_number(sentence, [], random.Random(1)) is None


@given(seed=st.integers(0, 500))
def test_another_number_is_another_one_of_the_same_length(seed: int) -> None:
    changed = other_number("The tank holds 1,450 litres of water.", [], random.Random(seed))
    assert changed is not None
    number = changed.removeprefix("The tank holds ").removesuffix(" litres of water.")
    assert len(number) == 5
    assert number[1] == ","
    assert number != "1,450"


@given(seed=st.integers(0, 500))
def test_another_date_keeps_the_decade_of_a_year(seed: int) -> None:
    changed = other_date("The mill was built in 1894.", [], random.Random(seed))
    assert changed is not None
    assert changed.startswith("The mill was built in 189")
    assert changed != "The mill was built in 1894."


def test_another_month_takes_the_place_of_the_month() -> None:
    changed = other_date("The ferry stops on 3 May 1950.", [], random.Random(1))
    assert changed is not None
    assert changed.startswith("The ferry stops on 3 ")
    assert changed.endswith(" 1950.")
    assert "May" not in changed


@pytest.mark.parametrize(
    ("sentence", "changed"),
    [
        ("The Heron was sold to Ada Berg.", "The Heron was sold to Jon Vik."),
        ("The Heron lies in Molde.", "The Heron lies in Bergen."),
        ("The Heron was built by Ada Berg.", None),  # nobody built anything in the text
    ],
)
def test_a_name_is_replaced_by_one_with_the_same_part(sentence: str, changed: str | None) -> None:
    assert other_name(sentence, TEXT, random.Random(1)) == changed


@pytest.mark.parametrize(
    ("sentence", "changed"),
    [
        ("The crane was repaired.", "The crane was not repaired."),
        ("The board had agreed to it.", "The board had not agreed to it."),
        ("The club has a boat.", None),  # "has not a boat" is not English
        ("If the wind is strong, the ferry stays.", None),
        ("No ferry was late.", None),
        ("Only members were admitted.", None),
        ("The load must be at least 5 tonnes.", None),
    ],
)
def test_only_the_main_verb_is_denied(sentence: str, changed: str | None) -> None:
    assert negated(sentence, [], random.Random(1)) == changed


@pytest.mark.parametrize(
    ("sentence", "short"),
    [
        ("The Lark (built in Molde) was sold to Ada Berg.", "The Lark was sold to Ada Berg."),
        ("On 3 May 1950, the ferry left for Bergen.", "The ferry left for Bergen."),
        ("The tank was filled from the lake, which the Elv feeds.", "The tank was filled from the lake."),
        ("The ferry left.", None),
    ],
)
def test_a_shorter_sentence_says_less(sentence: str, short: str | None) -> None:
    assert shortened(sentence) == short


@given(seed=st.integers(0, 300), kind=st.sampled_from(sorted(FALSIFIED)))
def test_a_changed_sentence_differs_in_one_place(seed: int, kind: str) -> None:
    sentence = "The Heron was sold to Ada Berg for 450 crowns in May 1894."
    changed = FALSIFIED[kind](sentence, TEXT, random.Random(seed))
    assert changed is not None
    assert changed != sentence
    before, after = sentence.split(), changed.split()
    same = len(set(before) & set(after))
    assert len(before) - same <= 2
    assert len(after) - len(before) in (0, 1)
