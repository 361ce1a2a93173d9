"""Questions that point at an earlier turn are told from those that can be read by themselves."""

from __future__ import annotations

import pytest

from probative.text import english


@pytest.mark.parametrize(
    ("question", "pointer"),
    [
        ("And when was it opened?", "it"),
        ("Who was she?", "she"),
        ("How many passengers did it carry in 2024?", "it"),
        ("When did that happen?", "that"),
        ("And in 2024?", "And in 2024?"),
        ("What about the tea room?", "What about"),
        ("Who designed its brake?", "its"),
        ("Who lost his hat?", None),
        ("What is its length?", "its"),
        ("When was the society that runs it founded?", None),
        ("Is it true that the lift opened in 1891?", None),
        ("How long does it take to reach the top?", None),
        ("And when was the tea room opened?", None),
        ("Where did Ole Brandt keep his boat?", None),
        ("哪一天开放？", None),
    ],
)
def test_questions_that_point_back(question: str, pointer: str | None) -> None:
    assert english.points_back(question) == pointer
