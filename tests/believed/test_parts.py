"""Questions for two things, and for a difference, with the embedded model."""

from __future__ import annotations

import pytest

from probative import Session

pytestmark = pytest.mark.slow


def test_both_answers_are_given(session: Session) -> None:
    passages = ["Serenity was painted by Ole Bergland in May 1901. It hangs in Molde."]
    answer = session.ask("Who painted Serenity, and in which month?", passages=passages)
    assert answer.verdict == "supported"
    assert (answer.answer or "").startswith("Ole Bergland; May")


def test_one_part_alone_is_not_supported(session: Session) -> None:
    passages = ["Serenity was painted by Ole Bergland. It hangs in Molde."]
    answer = session.ask("Who painted Serenity, and in which month?", passages=passages)
    assert (answer.verdict, answer.answer, answer.candidate) == ("insufficient", None, "Ole Bergland")
    assert any("in which month" in entry for entry in answer.missing)


def test_a_difference_is_computed_or_refused(session: Session) -> None:
    passages = ["Alba Tea had a revenue of 12 million euros.", "Brio Tea had a revenue of 7 million euros."]
    answer = session.ask("By how much did Alba Tea's revenue exceed Brio Tea's?", passages=passages)
    assert answer.answer in (None, "5,000,000 EUR", "5 million euros")
    whole = session.ask(
        "By how much did the cost exceed the budget?", passages=["The cost was 9 euros, the budget 7."]
    )
    assert whole.verdict != "supported"
