"""Questions as parts: the task, the options, and the question that each option is asked."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from probative.text import english


@pytest.mark.parametrize(
    ("question", "task", "options", "asked"),
    [
        ("Who was born first, Ada Berg or Jon Vik?", "order", ("Ada Berg", "Jon Vik"), "When was {} born?"),
        ("Did Lark or Heron sink first?", "order", ("Lark", "Heron"), "When did {} sink?"),
        ("Was Ada Berg or Jon Vik born earlier?", "order", ("Ada Berg", "Jon Vik"), "When was {} born?"),
        ("Between Lark and Heron, which is longer?", "order", ("Lark", "Heron"), "How long is {}?"),
        ("Which ship, Lark or Heron, is heavier?", "order", ("Lark", "Heron"), "How much does {} weigh?"),
        ("Which is less expensive, Lark or Heron?", "order", ("Lark", "Heron"), "How much does {} cost?"),
        ("Who lived longer, Ada Berg or Jon Vik?", "lives", ("Ada Berg", "Jon Vik"), "When was {} born?"),
        (
            "Do Lark and Heron share the same port?",
            "same",
            ("Lark", "Heron"),
            "What is the port of {}?",
        ),
        (
            "Do moss and fern belong to the same family?",
            "same",
            ("moss", "fern"),
            "To which family does {} belong?",
        ),
        (
            "Are Lark and Heron from different countries?",
            "same",
            ("Lark", "Heron"),
            "Which country is {} from?",
        ),
        ("Is Lark longer than 30 metres?", "limit", ("Lark",), "How long is {}?"),
        ("Is Lark longer than Heron?", "limit", ("Lark", "Heron"), "How long is {}?"),
        ("How many metres longer is Lark than Heron?", "difference", ("Lark", "Heron"), "How long is {}?"),
        ("How much do Lark and Heron weigh together?", "total", ("Lark", "Heron"), "What is"),
        ("At what age did Ada Berg die?", "age", ("Ada Berg",), "When was {} born?"),
    ],
)
def test_a_question_is_taken_apart(question: str, task: str, options: tuple[str, ...], asked: str) -> None:
    parts = english.decompose(question)
    assert parts is not None
    assert (parts.task, parts.options) == (task, options)
    if asked != "What is":
        assert parts.attributes[0].question == asked


@pytest.mark.parametrize(
    "question",
    [
        "Who built the Lark?",
        "Who was not born first, Ada Berg or Jon Vik?",
        "Was the first or the last ship built earlier, Lark or Heron?",
        "Who was older when they died, Ada Berg or Jon Vik?",
        "Who lived longer in Oslo, Ada Berg or Jon Vik?",
        "Which lies on the Sava, Molde or Narvik?",
        "Which town lies further north, Molde or Narvik?",
        "Who is the older brother of Ada Berg and Jon Vik?",
        "Who was born in a town first mentioned in 1200, Ada Berg or Jon Vik?",
        "Are both Lark and Heron ships?",
        "Is moss a plant?",
    ],
)
def test_other_questions_are_left_alone(question: str) -> None:
    assert english.decompose(question) is None


@pytest.mark.parametrize(
    ("question", "role"),
    [
        ("Which film has the director who died later, Lark or Heron?", "director"),
        ("Which film whose director is younger, Lark or Heron?", "director"),
        ("Are the builders of the Lark and the Heron of different nationalities?", "builder"),
        (
            "Do the director of Lark and the director of Heron share the same nationality?",
            "director",
        ),
        ("Do Lark and Heron have the same director?", None),
        ("Which film has more directors, Lark or Heron?", None),
        ("Which singer is older, Ada Berg or Jon Vik?", None),
    ],
)
def test_a_role_between_option_and_value_is_found(question: str, role: str | None) -> None:
    parts = english.decompose(question)
    assert parts is not None
    assert parts.role == role


WORDS = """which who is are how much many more than or and first older the same town A Berg , ? between of in
total difference 140 euros under born died cost"""


@given(
    st.lists(
        st.sampled_from(WORDS.split()),
        max_size=25,
    )
)
def test_any_mixture_of_words_is_parsed_or_left_alone(words: list[str]) -> None:
    question = " ".join(words)
    parts = english.decompose(question)
    if parts is not None:
        assert parts.attributes
        assert all(option in question for option in parts.options)
        assert all(attribute.ask("X") for attribute in parts.attributes if attribute.question)
