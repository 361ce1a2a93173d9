"""What the learned policy is shown beside each sentence, and what standing near one that is taken counts."""

from __future__ import annotations

import math
from typing import Any

import pytest

from probative.engine.methods import Tools
from probative.engine.runner import run_searches
from probative.errors import InputError
from probative.mcse.evidence_policy import LearnedOptions, choose_evidence
from probative.mcse.next_sentence import find_neighbours
from probative.models.evidence_policy import (
    AFTER,
    BEFORE,
    SEP,
    Neighbours,
    PolicyScores,
    PolicyState,
    decision_sequences,
)
from probative.models.loading import load_policy
from probative.testing import ScriptedPolicy

TEXT = ["Ada kept a boat.", "It was red.", "She sold it.", "Herons eat fish."]
PAGES = ["Boat: It was red.", "Boat: Ada sold it.", "Heron: It eats fish."]


def test_each_sentence_has_those_before_and_after_it() -> None:
    assert find_neighbours(TEXT) == (
        Neighbours("", TEXT[1]),
        Neighbours(TEXT[0], TEXT[2]),
        Neighbours(TEXT[1], TEXT[3]),
        Neighbours(TEXT[2], ""),
    )


def test_sentences_with_titles_stand_for_themselves() -> None:
    assert find_neighbours(PAGES) == ()
    assert find_neighbours([*PAGES, "It rained."])  # one without a title: a text in which colons occur


def test_a_single_sentence_has_no_neighbours() -> None:
    assert find_neighbours(["Ada kept a boat."]) == ()
    assert find_neighbours([]) == ()


def test_neighbours_are_read_after_the_candidate_each_in_its_room() -> None:
    rows, _ = decision_sequences(
        [7], [], [[20], [21], [22]], neighbours=[([30] * 99, []), ([], [31] * 99), ([], [])]
    )
    assert rows[0][-33:] == [20, SEP, BEFORE, *[30] * 28, AFTER, SEP]
    assert rows[1][-25:] == [21, SEP, BEFORE, AFTER, *[31] * 20, SEP]
    assert rows[2][-2:] == [22, SEP]


@pytest.mark.model
def test_neighbours_are_given_for_every_candidate_or_for_none() -> None:
    with pytest.raises(InputError, match="for every candidate"):
        load_policy().weigh([PolicyState("the lark", (), ("a", "b"), (Neighbours("", "b"),))])


def asked(sentences: list[str], **options: Any) -> tuple[list[int], list[PolicyState]]:
    """The choice of two by a policy that likes the first sentence most and the others alike."""
    policy = ScriptedPolicy(
        lambda state: PolicyScores(
            tuple(5.0 * (sentence == sentences[0]) for sentence in state.candidates), -9.0, -9.0
        )
    )
    search = choose_evidence("c", sentences, 2, LearnedOptions(lexical=0.0, **options))
    ((_, ended),) = run_searches([search], Tools(_none, _none, lambda: policy))
    assert ended.result is not None
    return [sentence.index for sentence in ended.result.evidence], policy.asked


def _none() -> Any:
    raise AssertionError("no model was expected")


def test_the_policy_is_shown_the_neighbours_unless_the_option_is_off() -> None:
    assert asked(TEXT)[1][0].neighbours == find_neighbours(TEXT)
    assert asked(TEXT)[1][1].neighbours == find_neighbours(TEXT)[1:]
    assert asked(TEXT, neighbours=False)[1][0].neighbours == ()
    assert asked(PAGES)[1][0].neighbours == ()


def test_of_equals_the_nearer_one_is_taken_in_a_running_text_only() -> None:
    texts = ["Zinc.", "Lead.", "Iron.", "Gold."]

    def scores(state: PolicyState) -> PolicyScores:
        liked = {"Gold.": 9.0, "Iron.": 0.5}
        return PolicyScores(
            tuple(liked.get(sentence.removeprefix("Ore: "), 1.0) for sentence in state.candidates), -9.0, -9.0
        )

    def chosen(sentences: list[str], proximity: float) -> list[int]:
        policy = ScriptedPolicy(scores)
        options = LearnedOptions(lexical=0.0, proximity=proximity)
        search = choose_evidence("c", sentences, 2, options)
        ((_, ended),) = run_searches([search], Tools(_none, _none, lambda: policy))
        assert ended.result is not None
        return [sentence.index for sentence in ended.result.evidence]

    # Iron stands beside gold: 0.5 against 1 − log 2 and 1 − log 3.
    assert 1 - math.log(2) < 0.5
    assert chosen(texts, 1.0) == [3, 2]
    assert chosen(texts, 0.0) == [3, 0]
    assert chosen([f"Ore: {text}" for text in texts], 1.0) == [3, 0]
