"""Answers that stand in a sentence and still are none: refused by rule, whatever the models say."""

from __future__ import annotations

from probative.cli.inputs.passages import is_wrapped
from probative.text import english


def test_lists_of_passages_are_not_taken_for_wrapped_text() -> None:
    assert not is_wrapped(["Velm: a market town", "Tassby: a mine", "Orra: a river", "Sken: a river"])
    assert not is_wrapped(["a wrapped line", "of text."])


def test_the_number_of_a_clause_is_no_value() -> None:
    question = english.parse_question("How many boats may a berth hold?")
    assert english.answer_candidates(["2.4 A berth holds at most 3 boats."], question) == ["3"]
    assert english.answer_candidates(["The berth is 2.4 metres wide."], question) == ["2.4 metres"]
