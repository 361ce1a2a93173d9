"""Which of two was first, by the dates of the passages."""

from __future__ import annotations

import pytest

from probative import Passage, ask
from probative.models.contract import Encoder
from probative.scope.comparing import compare
from probative.testing import ScriptedModel

SHIPS = [
    Passage(title="Lark (ketch)", text="The Lark is a 1911 ketch built by Ada Berg."),
    Passage(title="Heron", text="Heron is a yawl of 1931, built by Ole Lund."),
    Passage(title="Ole Lund", text="Ole Lund (3 June 1870 – 4 May 1940) was a shipwright."),
    Passage(title="Ada Berg", text="Ada Berg( 13 May 188018 January 1959) was a shipwright."),
]


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Which ship has the builder who was born first, Lark or Heron?", "Heron"),
        ("Which ship has the builder who died later, Lark or Heron?", "Lark"),
        ("Which ship was built earlier, Lark or Heron?", "Lark"),
        ("Who is younger, Ada Berg or Ole Lund?", "Ada Berg"),
    ],
)
def test_dates_decide(question: str, answer: str) -> None:
    found = compare(question, [0, 1, 2, 3], SHIPS)
    assert found is not None
    assert found.answer == answer


@pytest.mark.parametrize(
    "question",
    [
        "Who built the Lark first?",  # nothing to compare with
        "Was the first or the last ship built earlier, Lark or Heron?",  # both directions
        "Which is longer, Lark or Heron?",  # not a matter of dates
        "Who was born first, Ada Berg or Kari Moe?",  # one of them is not there
    ],
)
def test_what_the_dates_do_not_tell_is_left_to_the_model(question: str) -> None:
    assert compare(question, [0, 1, 2, 3], SHIPS) is None


def test_countries_decide() -> None:
    texts = [
        Passage(title="Lark", text="Lark is a Danish film directed by Ada Berg."),
        Passage(title="Heron", text="Heron is a Danish film directed by Ole Lund."),
        Passage(title="Ole Lund", text="Ole Lund is a Norwegian director."),
        Passage(title="Ada Berg", text="Ada Berg is a director from Denmark."),
    ]
    places = [0, 1, 2, 3]
    assert compare("Are Lark and Heron from the same country?", places, texts).answer == "yes"
    question = "Do the directors of Lark and Heron have the same nationality?"
    found = compare(question, places, texts)
    assert found.answer == "no"
    assert set(found.citations) == {2, 3}
    assert compare(question, places[:3], texts) is None  # nothing about Ada Berg


def test_equal_years_decide_nothing() -> None:
    texts = [Passage(title="Lark", text="A 1911 ketch."), Passage(title="Heron", text="A 1911 yawl.")]
    assert compare("Which was built first, Lark or Heron?", [0, 1], texts) is None


def test_the_passages_that_decide_are_cited_and_no_model_is_asked(encoder: Encoder) -> None:
    model = ScriptedModel(generate=[])
    question = "Who was born first, Ada Berg or Ole Lund?"
    answer = ask(
        question, passages=SHIPS[2:], model=model, preset="words", encoder=encoder, answer_anyway=True
    )
    assert answer.answer == "Ole Lund"
    assert any("told without the model" in note for note in answer.notes)
    assert model.asked == []
