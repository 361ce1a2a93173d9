"""Questions as plans: what is looked up for which option, and what is computed from it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from probative.text import english


@pytest.mark.parametrize(
    ("question", "asked", "last"),
    [
        ("Who was born first, Ada Berg or Jon Vik?", "When was {} born?", "compare earlier which"),
        ("Did Lark or Heron sink first?", "When did {} sink?", "compare earlier which"),
        ("Was Ada Berg or Jon Vik born earlier?", "When was {} born?", "compare earlier which"),
        ("Who is older, Ada Berg or Jon Vik?", "When was {} born?", "compare earlier which"),
        ("Which ship, Lark or Heron, is heavier?", "How much does {} weigh?", "compare more which"),
        ("Which is less expensive, Lark or Heron?", "How much does {} cost?", "compare less which"),
        (
            "Which club won more gold medals, Lark or Heron?",
            "How many gold medals does {} have?",
            "compare more which",
        ),
        (
            "Which flat has the lower monthly rent, Lark or Heron?",
            "What is the monthly rent of {}?",
            "compare less which",
        ),
        (
            "Which ship had the smaller crew, Lark or Heron?",
            "How large is the crew of {}?",
            "compare less which",
        ),
        (
            "Which firm had the higher revenue in 2018, Lark or Heron?",
            "What is the revenue of {} in 2018?",
            "compare more which",
        ),
        (
            "Which club has more boats today, Lark or Heron?",
            "How many boats does {} have today?",
            "compare more which",
        ),
        ("Are Lark and Heron both ships in the same port?", "In which port is {}?", "compare same whether"),
        ("Do Lark and Heron share the same port?", "What is the port of {}?", "compare same whether"),
        (
            "Do moss and fern belong to the same family?",
            "To which family does {} belong?",
            "compare same whether",
        ),
        (
            "Are Lark and Heron from different countries?",
            "Which country is {} from?",
            "compare different whether",
        ),
        (
            "Do Lark and Heron have the same number of berths?",
            "How many berths does {} have?",
            "compare same whether",
        ),
        ("Is Lark cheaper in winter than Heron?", "How much does {} cost in winter?", "compare less whether"),
        (
            "Which is shallower at low water, Lark or Heron?",
            "How deep is {} at low water?",
            "compare less which",
        ),
        ("Is Lark longer than Heron?", "How long is {}?", "compare more whether"),
        ("Did Lark sell more tickets than Heron?", "How many tickets did {} sell?", "compare more whether"),
        ("Was Lark built before Heron?", "When was {} built?", "compare earlier whether"),
        ("How many metres longer is Lark than Heron?", "How long is {}?", "difference more"),
        ("How many seats do Lark and Heron have in total?", "How many seats does {} have?", "sum"),
        ("How many sheep do Lark and Heron keep together?", "How many sheep does {} keep?", "sum"),
    ],
)
def test_each_option_is_asked_the_same(question: str, asked: str, last: str) -> None:
    plan = english.decompose(question)
    assert plan is not None
    names = sorted(
        name for name in ("Lark", "Heron", "Ada Berg", "Jon Vik", "moss", "fern") if name in question
    )
    assert sorted(step.of or "" for step in plan.look_ups) == names
    assert [step.ask for step in plan.look_ups] == [
        asked.replace("{}", step.of or "") for step in plan.look_ups
    ]
    step = plan.steps[-1]
    assert " ".join(filter(None, (step.do, step.by, step.reply))) == last


def test_a_limit_is_given() -> None:
    given = english.decompose("Is Lark longer than 30 metres?")
    assert given is not None
    assert [(step.do, step.ask or step.value) for step in given.steps[:-1]] == [
        ("look_up", "How long is Lark?"),
        ("given", "30 m"),
    ]


def test_an_age_is_the_time_between_two_dates() -> None:
    age = english.decompose("How old was Ada Berg when she was elected mayor in May 1950?")
    assert age is not None
    assert [step.ask for step in age.look_ups] == [
        "When was Ada Berg born?",
        "When was Ada Berg elected mayor in May 1950?",
    ]


@pytest.mark.parametrize(
    "question",
    [
        "Who built the Lark?",
        "Who was not born first, Ada Berg or Jon Vik?",
        "Was the first or the last ship built earlier, Lark or Heron?",
        "Who was older when they died, Ada Berg or Jon Vik?",
        "Who lived longer, Ada Berg or Jon Vik?",
        "Who lived the longest, Ada Berg or Jon Vik?",
        "Which lies on the Sava, Molde or Narvik?",
        "Which town lies further north, Molde or Narvik?",
        "Who is the older brother of Ada Berg and Jon Vik?",
        "Who was born in a town first mentioned in 1200, Ada Berg or Jon Vik?",
        "Are both Lark and Heron ships?",
        "Is moss a plant?",
    ],
)
def test_other_questions_have_no_plan(question: str) -> None:
    assert english.decompose(question) is None


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("Which film has the director who died later, Lark or Heron?", None),
        ("Which film whose director is younger, Lark or Heron?", None),
        ("Which film's director is older, Lark or Heron?", None),
        ("Whose director is older, Lark's or Heron's?", None),
        ("Which ship has the older captain, Lark or Heron?", None),
        (
            "Are the builders of the Lark and the Heron from different towns?",
            "Which town is the builders of {} from?",
        ),
        ("Do Lark and Heron have directors of the same nationality?", None),
        ("Are Lark and Heron by directors from the same country?", None),
        (
            "How many seats do the halls of Lark and Heron have in total?",
            "How many seats does the halls of {} have?",
        ),
        ("How many rooms do the inn of Ask and the Rose have in total?", "How many rooms does {} have?"),
        ("Are the captain of Lark and Ole Vik from the same town?", "Which town is {} from?"),
        ("Which film has the director born first, Lark or Heron?", None),
        ("Which film has the director that was born first, Lark or Heron?", None),
        ("Which film had a director that died first, Lark or Heron?", None),
        ("Which film has the director with the longer career, Lark or Heron?", None),
        ("For which film is the director older, Lark or Heron?", None),
        ("In which film was the director born first, Lark or Heron?", None),
        ("Who lived to be older, Ada Berg or Jon Vik?", None),
        ("Who died younger, Ada Berg or Jon Vik?", None),
        ("Who lived for longer, Ada Berg or Jon Vik?", None),
        ("Which town has a larger fleet, Lark or Heron?", "How large is the fleet of {}?"),
        ("What's longer, Lark or Heron?", "How long is {}?"),
        ("Is the director of Lark older than the director of Heron?", None),
        ("Are the directors of Lark and Heron from different countries?", None),
        ("Was the pier of Lark built before the pier of Heron?", "When was {} built?"),
        ("Do Lark and Heron have the same director?", "What is the director of {}?"),
        ("Which film has more directors, Lark or Heron?", "How many directors does {} have?"),
        ("Which singer is older, Ada Berg or Jon Vik?", "When was {} born?"),
    ],
)
def test_what_belongs_to_the_things_is_not_taken_for_theirs(question: str, asked: str | None) -> None:
    plan = english.decompose(question)
    look_ups = [] if plan is None else plan.look_ups
    assert bool(look_ups) == (asked is not None)
    assert all(step.ask == (asked or "").replace("{}", step.of or "") for step in look_ups)


WORDS = """which who is are how much many more than or and first older the same town A Berg , ? between of in
total difference 140 euros under born died cost"""


@given(st.lists(st.sampled_from(WORDS.split()), max_size=25))
def test_any_mixture_of_words_has_a_plan_or_none(words: list[str]) -> None:
    question = " ".join(words)
    plan = english.decompose(question)
    if plan is not None and not plan.parts:
        assert len(plan.steps) > 1
        assert all((step.of or "") in question for step in plan.steps)


def test_a_question_about_more_things_than_a_plan_has_steps_has_no_plan() -> None:
    options = ", ".join(f"Lake Number{letter}" for letter in "ABCDEFGHIJKLMNOP")
    assert english.decompose(f"Which is deeper, {options} or Lake Zed?") is None
