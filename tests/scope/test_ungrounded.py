"""Answers that stand in a sentence and still are none: refused by rule, whatever the models say."""

from __future__ import annotations

import pytest

from probative.cli.inputs.passages import is_wrapped
from probative.text.analyzer import analyzer_for

ANALYZER = analyzer_for()


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
    assert ANALYZER.asks_difference(question) is is_difference


def test_words_without_content_are_no_answer() -> None:
    assert ANALYZER.says_nothing("of the")
    assert not any(map(ANALYZER.says_nothing, ("the hall", "1931", "none", "both", "the 3rd")))


@pytest.mark.parametrize(
    ("question", "cited", "other"),
    [
        ("What does the night ticket cost?", "The day ticket costs 9 euros.", ("night ticket", "day ticket")),
        ("What does the night ticket cost?", "At night the ticket costs 9 euros.", None),
        ("What does the return ticket cost?", "The day ticket costs 9 euros.", None),
    ],
)
def test_another_thing_of_its_kind_is_named(question: str, cited: str, other: tuple[str, str] | None) -> None:
    """The third: no other sentence has a return ticket, so "ticket" may be meant."""
    beside = ["The night ticket is sold on board."]
    assert ANALYZER.other_of_its_kind(question, [cited], beside) == other


def test_lists_of_passages_are_not_taken_for_wrapped_text() -> None:
    assert not is_wrapped(["Velm: a market town", "Tassby: a mine", "Orra: a river", "Sken: a river"])
    assert not is_wrapped(["a wrapped line", "of text."])
