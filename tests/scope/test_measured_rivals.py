"""Amounts in other passages that exclude the answer, in any words; and those that do not."""

from __future__ import annotations

import pytest
from runs import make_run

from probative.scope.measured_rivals import measured_rivals
from probative.scope.rivals import possible_rivals
from probative.scope.sentences import passage_sentences


@pytest.mark.parametrize(
    ("question", "own", "other", "answer", "rival"),
    [
        (
            "When does the Ferrow Museum close?",
            "The Ferrow Museum closes at 6 pm.",
            "The Ferrow Museum is open until 8 pm.",
            "6 pm",
            "8 pm",
        ),
        (
            "Until when is the Orrin Library open on Saturdays?",
            "The Orrin Library is open on Saturdays until 6 pm.",
            "On Saturdays the Orrin Library closes at 4 pm.",
            "6 pm",
            "4 pm",
        ),
        (
            "How long is the Soran Tunnel?",
            "The Soran Tunnel is 4.2 km long.",
            "With a length of 5.1 kilometres, the Soran Tunnel is the longest of all.",
            "4.2 km",
            "5.1 kilometres",
        ),
        (
            "How much is a day ticket for the pool?",
            "A day ticket for the pool costs 6 euros.",
            "Visitors pay 8 euros for a day ticket to the pool.",
            "6 euros",
            "8 euros",
        ),
    ],
)
def test_another_amount_for_the_same_thing_is_a_rival(
    question: str, own: str, other: str, answer: str, rival: str
) -> None:
    run = make_run(question, [own, other])
    (sentence,) = passage_sentences(run, [0])
    assert [found.value for found in measured_rivals(run, sentence, answer, [1])] == [rival]


@pytest.mark.parametrize(
    ("question", "own", "other", "answer"),
    [
        (  # another end of the day
            "When does the Ferrow Museum close?",
            "The Ferrow Museum closes at 6 pm.",
            "The Ferrow Museum opens at 9 am.",
            "6 pm",
        ),
        (  # on another day
            "When does the Marl Café open on Sundays?",
            "On Sundays the Marl Café opens at 10 am.",
            "On Mondays the Marl Café opens at 8 am.",
            "10 am",
        ),
        (  # the same length
            "How long is the Soran Tunnel?",
            "The Soran Tunnel is 4.2 km long.",
            "The Soran Tunnel has a length of 4,200 metres.",
            "4.2 km",
        ),
        (  # a part of it
            "How high is the Stern Tower?",
            "The Stern Tower is 72 metres high.",
            "The viewing platform of the Stern Tower is 58 metres high.",
            "72 metres",
        ),
        (  # another thing
            "How high is the Stern Tower?",
            "The Stern Tower is 72 metres high.",
            "The Kell Tower is 58 metres high.",
            "72 metres",
        ),
    ],
)
def test_an_amount_of_something_else_is_no_rival(question: str, own: str, other: str, answer: str) -> None:
    run = make_run(question, [own, other])
    (sentence,) = passage_sentences(run, [0])
    assert list(measured_rivals(run, sentence, answer, [1])) == []


def test_the_date_of_a_part_is_no_rival_of_the_date_of_the_whole() -> None:
    texts = [
        "The Ferrow Museum opened in 1931.",
        "The new wing of the Ferrow Museum opened in 1998.",
        "The Ferrow Museum was opened to visitors in 1936.",
    ]
    run = make_run("When did the Ferrow Museum open?", texts)
    own = passage_sentences(run, [0])[0]
    assert [rival.value for rival in possible_rivals(run, own, "1931")] == ["1936"]
