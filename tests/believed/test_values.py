"""Values that tempt are not believed; those that a sentence plainly states are."""

from __future__ import annotations

import pytest

from probative import Session

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    ("question", "passages", "right"),
    [
        (
            "Which tower is taller, Alder Mast or Birch Mast?",
            [
                "Alder Mast was drawn as a tower of 240 m, yet only 70 m of it were ever built.",
                "Birch Mast is 110 m tall.",
            ],
            "Birch Mast",
        ),
        (
            "Which studio has more employees, Quill or Ferrum?",
            ["Quill intends to take on 300 employees next year.", "Ferrum has 45 employees."],
            None,
        ),
        (
            "Which village has more inhabitants, Osten or Vik?",
            ["Osten had 9,000 inhabitants in 1880 and has 700 today.", "Vik has 2,100 inhabitants."],
            "Vik",
        ),
        pytest.param(
            "Which gallery has more paintings, the Rolfe or the Stenna?",
            ["The Rolfe lost 350 of its 400 paintings in a flood.", "The Stenna has 120 paintings."],
            "the Stenna",
            marks=pytest.mark.xfail(reason="the small model takes 400 for what it has", strict=False),
        ),
        pytest.param(
            "Which club won more medals, Tarn or Hove?",
            ["Tarn won three gold and four silver medals.", "Hove won five medals."],
            "Tarn",
            marks=pytest.mark.xfail(reason="the small model reads one number of several", strict=False),
        ),
    ],
)
def test_a_tempting_value_is_not_believed(
    session: Session, question: str, passages: list[str], right: str | None
) -> None:
    answer = session.ask(question, passages=passages)
    assert answer.verdict != "supported" or answer.answer == right


def test_what_is_plainly_stated_is_supported(session: Session) -> None:
    passages = ["Alder Mast is a tower of 240 m.", "Birch Mast is 110 m tall."]
    answer = session.ask("Which tower is taller, Alder Mast or Birch Mast?", passages=passages)
    assert (answer.answer, answer.verdict) == ("Alder Mast", "supported")
    assert answer.certainty is not None
    assert answer.certainty != 0.95


def test_five_million_dollars_are_written_short(session: Session) -> None:
    passages = ["The barge Lorna was bought for $5m in 2019.", "The barge Minna was bought for $900,000."]
    answer = session.ask("Which barge cost more, Lorna or Minna?", passages=passages)
    assert answer.answer in (None, "Lorna")
    if answer.computation is not None:
        assert "$900,000 >" not in answer.computation.rule
