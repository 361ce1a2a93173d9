"""Answers that stand in a sentence and still are none: refused by rule, whatever the models say."""

from __future__ import annotations

import pytest

from probative.cli.inputs.passages import is_wrapped
from probative.text import english


@pytest.mark.parametrize(
    ("question", "is_difference"),
    [
        ("How much quieter is the new fan than the old one?", True),
        ("How many litres more does the tank hold than the jug?", True),
        ("What is the difference in price between the two boats?", True),
        ("How much does the larger boat cost?", False),
        ("How many members are older than eighty?", False),
        ("How much more will the roof cost?", False),
    ],
)
def test_a_difference_is_told_from_an_amount(question: str, is_difference: bool) -> None:
    assert english.asks_difference(question) is is_difference


def test_lists_of_passages_are_not_taken_for_wrapped_text() -> None:
    assert not is_wrapped(["Velm: a market town", "Tassby: a mine", "Orra: a river", "Sken: a river"])
    assert not is_wrapped(["a wrapped line", "of text."])


def test_the_number_of_a_clause_is_no_value() -> None:
    question = english.parse_question("How many boats may a berth hold?")
    assert english.answer_candidates(["2.4 A berth holds at most 3 boats."], question) == ["3"]
    assert english.answer_candidates(["The berth is 2.4 metres wide."], question) == ["2.4 metres"]
