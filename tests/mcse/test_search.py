"""The search chooses what the paper's algorithm chooses, and asks for each score once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scripts import hashed_model, run_one

from literal_mcse import literal_search
from probative.mcse.lm_policy import LmPolicy
from probative.mcse.options import McseOptions
from probative.mcse.search import find_evidence
from probative.mcse.strength import Strength
from probative.testing import ScriptedModel


def chosen_by_probative(
    claim: str, sentences: list[str], k: int, options: McseOptions, model: ScriptedModel
) -> list[int]:
    result = run_one(find_evidence(claim, sentences, k, options, lambda: model), model)
    return [sentence.index for sentence in result.evidence]


def chosen_literally(
    claim: str, sentences: list[str], k: int, options: McseOptions, model: ScriptedModel
) -> list[int]:
    """The reference, with every score asked from the same model."""
    strength = Strength(claim, sentences, options)
    policy = LmPolicy(claim, sentences, options)

    def value(pair: Any) -> float:
        return model.score([pair])[0].log_probability

    return literal_search(
        range(len(sentences)),
        k,
        options,
        score=lambda path: value(strength.pair(path)),
        independent=lambda index: value(strength.pair((index,))),
        following=lambda path, index: value(policy.pair(policy.visible(path), index)),
    )


def worked_example() -> tuple[list[str], Callable[[str, str], float]]:
    """Three sentences A, B, C with scores that can be followed by hand.

    score(A) -4, score(B) -6, score(C) -5; after A: AB -1, AC -4; after B: BA -2, BC -6;
    after C: CA -3, CB -5. Two steps to A, B: together they prove the claim.
    """
    values = {"": -9.0, "A": -4.0, "B": -6.0, "C": -5.0, "A B": -1.0, "A C": -4.0}
    values |= {"B A": -2.0, "B C": -6.0, "C A": -3.0, "C B": -5.0}
    following = {("A", "B"): -1.0, ("A", "C"): -2.0, ("B", "A"): -1.0, ("B", "C"): -2.0}
    following |= {("C", "A"): -2.0, ("C", "B"): -1.0}

    def score(prompt: str, continuation: str) -> float:
        if prompt.startswith("Claim:"):
            return following[prompt[-1], continuation.strip()]
        return values[prompt.removeprefix("<").removesuffix(">")]

    return ["A", "B", "C"], score


def test_values_worked_out_by_hand_without_look_ahead() -> None:
    sentences, score = worked_example()
    model = ScriptedModel(score=score)
    options = McseOptions(lookahead=0, prompt="<{evidence}>")
    result = run_one(find_evidence("c", sentences, 2, options, lambda: model), model)
    # t=0: g(A) = -4 + -4, g(B) = -6 + -6, g(C) = -5 + -5. t=1, after A:
    # g(B) = (-4 + -6)/2 + -1 = -6, g(C) = (-4 + -5)/2 + -4 = -8.5.
    assert [(sentence.index, sentence.score) for sentence in result.evidence] == [(0, -8.0), (1, -6.0)]
    assert [sentence.gain for sentence in result.evidence] == [5.0, 3.0]
    assert [
        (sentence.index, sentence.score, sentence.gain) for sentence in result.evidence[1].runners_up
    ] == [(2, -8.5, 0.0)]


def test_values_worked_out_by_hand_with_one_step_of_look_ahead() -> None:
    sentences, score = worked_example()
    model = ScriptedModel(score=score)
    options = McseOptions(lookahead=1, trajectories=1, gamma=0.5, prompt="<{evidence}>")
    result = run_one(find_evidence("c", sentences, 1, options, lambda: model), model)
    # The most probable next sentence: B after A, A after B, B after C.
    # f(A) = -8 + 0.5 (-6 + -1) = -11.5; f(B) = -12 + 0.5 (-4 + -2) = -15; f(C) = -10 + 0.5 (-6 + -5) = -15.5.
    assert [(sentence.index, sentence.score) for sentence in result.evidence] == [(0, -11.5)]


def test_within_k_the_last_sentence_is_chosen_without_looking_ahead() -> None:
    model = hashed_model()
    sentences = [f"S{number}" for number in range(6)]
    run_one(find_evidence("c", sentences, 1, McseOptions(lookahead_within_k=True), lambda: model), model)
    assert len(model.asked) == 7  # without evidence, and after each sentence


SWITCHES: list[dict[str, Any]] = [
    {},
    {"grounded": False},
    {"collaborative": False},
    {"independent": False},
    {"lookahead": 0},
    {"policy": "random"},
    {"policy": "pair"},
    {"proposals": 2},
    {"proposals": 2, "policy": "pair"},
    {"proposals": 2, "policy": "random"},
    {"trajectories": 1},
    {"lookahead": 1},
    {"lookahead_within_k": True},
    {"gamma": 0.5, "lam": 0.25, "delta": 2.0},
    {"length_penalty": 0.0},
]


@pytest.mark.parametrize("switch", SWITCHES, ids=str)
def test_every_switch_chooses_as_the_literal_algorithm(switch: dict[str, Any]) -> None:
    options = McseOptions(**{"trajectories": 3, "lookahead": 2, **switch})
    sentences = [f"Sentence number {number}." for number in range(6)]
    for seed in range(4):
        model = hashed_model()
        claim = f"Claim {seed}."
        assert chosen_by_probative(claim, sentences, 3, options, model) == chosen_literally(
            claim, sentences, 3, options, model
        )


@settings(max_examples=60, deadline=None)
@given(
    scores=st.integers(0, 10**9),
    count=st.integers(1, 6),
    k=st.integers(1, 4),
    lookahead=st.integers(0, 3),
    trajectories=st.integers(1, 4),
    policy=st.sampled_from(["path", "pair", "random"]),
    proposals=st.none() | st.integers(1, 4),
    batch_size=st.integers(1, 5),
    levels=st.sampled_from([2, 7, 1000]),
)
def test_any_scores_give_the_literal_choice_even_with_ties(
    scores: int,
    count: int,
    k: int,
    lookahead: int,
    trajectories: int,
    policy: Any,
    proposals: int | None,
    batch_size: int,
    levels: int,
) -> None:
    """Scores are whole numbers and γ is a half, so that equal values are equal to the last digit."""
    from scripts import pseudo_random

    options = McseOptions(
        lookahead=lookahead,
        trajectories=trajectories,
        policy=policy,
        proposals=proposals,
        gamma=0.5,
        batch_size=batch_size,
        independent=scores % 3 != 0 or count == 1,
    )
    model = ScriptedModel(
        score=lambda prompt, claim: -float(int(levels * pseudo_random(f"{scores}{prompt}|{claim}")))
    )
    sentences = [f"S{number}" for number in range(count)]
    literal = chosen_literally("c", sentences, k, options, model)
    assert chosen_by_probative("c", sentences, k, options, model) == literal


def test_no_pair_is_asked_twice() -> None:
    model = hashed_model()
    options = McseOptions(lookahead=3, trajectories=4)
    run_one(find_evidence("c", [f"S{number}" for number in range(7)], 3, options, lambda: model), model)
    assert len(set(model.asked)) == len(model.asked)


def test_the_lazy_search_asks_for_less_than_there_is() -> None:
    """One sentence is far better than the others: their look-ahead cannot change the choice."""
    model = ScriptedModel(
        score=lambda prompt, claim: -1.0 if "S0" in prompt and "Claim:" not in prompt else -100.0
    )
    sentences = [f"S{number}" for number in range(8)]
    lazy = McseOptions(policy="pair", lookahead=2, trajectories=3, batch_size=1)
    run_one(find_evidence("c", sentences, 1, lazy, lambda: model), model)
    rewards = {pair for pair in model.asked if "Claim:" not in getattr(pair, "prompt", "")}
    # None and each alone are 9; the whole look-ahead would be at least 8 × (1 + 3) more.
    assert len(rewards) < 9 + 12


def test_the_size_of_batches_never_changes_the_choice_even_with_a_width() -> None:
    sentences = [f"S{number}" for number in range(8)]
    for policy in ("pair", "path"):
        for seed in range(6):
            model = hashed_model()
            result = [
                chosen_by_probative(
                    f"c{seed}",
                    sentences,
                    6,
                    McseOptions(policy=policy, width=3, lookahead=2, trajectories=3, batch_size=batch_size),
                    model,
                )
                for batch_size in (1, 64)
            ]
            assert result[0] == result[1]
            assert len(result[0]) == 6
