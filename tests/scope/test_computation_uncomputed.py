"""Questions whose answer has to be computed, told from those whose answer stands in a sentence."""

from __future__ import annotations

import math

import pytest

from probative.scope.conclude.computation import ComputationModel, computation_model, runs_of, uncomputed


def test_the_probability_adds_up_the_weights_of_the_runs_that_a_question_has_each_once() -> None:
    """By hand: −1 + 2 ("how many") + 0.5 ("more"), which stands there twice; "kegs" has no weight."""
    model = ComputationModel(weights={"how many": 2.0, "more": 0.5}, bias=-1.0, limit=0.5, rows="none")
    expected = 1.0 / (1.0 + math.exp(-1.5))
    assert model.probability("How many more and more kegs?") == pytest.approx(expected)
    assert model.probability("Kegs?") == pytest.approx(1.0 / (1.0 + math.exp(1.0)))


def test_numbers_and_names_are_alike_and_several_in_a_row_are_one() -> None:
    assert set(runs_of("Did Ada Lund sell 40 kegs?")) == set(runs_of("Did Bo sell 1,900 kegs?"))


@pytest.mark.parametrize(
    "question",
    [
        "By how many litres did the sales of March exceed those of April?",
        "How many kegs did both breweries sell in total?",
        "How many years passed between the fire and the new roof?",
        "Is the notice of the mill the same as that of the brewery?",
        "Does the brewer earn more per week than the miller?",
    ],
)
def test_a_difference_a_total_a_span_of_time_or_a_comparison_has_to_be_computed(question: str) -> None:
    assert uncomputed(question, "40") == computation_model().probability(question) > 0.5


@pytest.mark.parametrize(
    "question", ["Who brewed the first keg?", "When did the roof burn?", "How high is the brewery's chimney?"]
)
def test_what_a_sentence_states_has_not(question: str) -> None:
    assert uncomputed(question, "40") < 0.2


def test_a_question_without_words_is_none() -> None:
    assert uncomputed("?", "40") < 0.5


def test_a_name_had_not_to_be_computed() -> None:
    question = "Does the brewer earn more per week than the miller?"
    assert uncomputed(question, "Ada Lund") == 0.0
    assert uncomputed(question, "No") == uncomputed(question, "two crowns") > 0.5
