"""The learned policy within mcse: what trajectories follow, and a prior in the independent part."""

from __future__ import annotations

import math
from typing import Any

import pytest
from policies import RulePolicy, hashed, tabled
from scripts import hashed_model

from literal_mcse import literal_search
from probative.engine.methods import Tools
from probative.engine.runner import run_searches
from probative.mcse.options import McseOptions
from probative.mcse.result import McseResult
from probative.mcse.search import find_evidence
from probative.mcse.strength import Strength
from probative.models.evidence_policy import PolicyState
from probative.testing import ScriptedModel


def searched(
    model: ScriptedModel, policy: RulePolicy, sentences: list[str], k: int, options: McseOptions
) -> McseResult:
    def no_encoder() -> Any:
        raise AssertionError("no encoder was expected")

    search = find_evidence("c", sentences, k, options, lambda: model)
    ((_, ended),) = run_searches([search], Tools(lambda: model, no_encoder, lambda: policy))
    if ended.error is not None:
        raise ended.error
    assert ended.result is not None
    assert ended.policy == policy.usage
    return ended.result


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("batch_size", [1, 64])
def test_trajectories_of_the_learned_policy_give_the_literal_choice(seed: int, batch_size: int) -> None:
    sentences = [f"Sentence number {number}." for number in range(6)]
    options = McseOptions(policy="learned", lookahead=2, trajectories=3, batch_size=batch_size)
    model, policy = hashed_model(), hashed(seed)
    strength = Strength("c", sentences, options)

    def value(path: tuple[int, ...]) -> float:
        return model.score([strength.pair(path)])[0].log_probability

    def following(path: tuple[int, ...], index: int) -> float:
        left = [other for other in range(6) if other not in path]
        state = PolicyState(
            "c", tuple(sentences[index] for index in path), tuple(sentences[index] for index in left)
        )
        scores = policy.weigh([state])[0].candidates
        return scores[left.index(index)] - math.log(math.fsum(map(math.exp, scores)))

    literal = literal_search(range(6), 3, options, value, lambda index: value((index,)), following)
    result = searched(model, hashed(seed), sentences, 3, options)
    assert [sentence.index for sentence in result.evidence] == literal


def test_each_state_is_weighed_once() -> None:
    policy = hashed(1)
    options = McseOptions(policy="learned", learned=2.0, lookahead=2, trajectories=3)
    searched(hashed_model(), policy, [f"S{number}" for number in range(6)], 3, options)
    states = [(state.query, state.chosen) for batch in policy.asked for state in batch]
    assert len(states) == len(set(states))


def test_no_policy_is_needed_unless_asked_for() -> None:
    policy = hashed(1)
    searched(hashed_model(), policy, ["A", "B", "C"], 2, McseOptions())
    assert not policy.asked


def test_the_policys_part_is_taken_anew_after_each_sentence() -> None:
    # Alone: -10, -20, -30 (σ = 8.165); no collaborative part. The policy first likes A best, then C.
    values = {"": -40.0, "A": -10.0, "B": -20.0, "C": -30.0}
    model = ScriptedModel(score=lambda prompt, claim: values.get(prompt[1:-1], -5.0))
    policy = tabled(
        {"": {"A": 1.0, "B": math.exp(-1), "C": math.exp(-2)}, "A": {"B": math.exp(-2), "C": 1.0}}
    )
    options = McseOptions(lookahead=0, collaborative=False, prompt="<{evidence}>", learned=3.0)
    result = searched(model, policy, ["A", "B", "C"], 2, options)
    assert [sentence.index for sentence in result.evidence] == [0, 2]
    # First z = 1.2247, 0, -1.2247; after A, z = -1 for B and 1 for C.
    sigma = math.sqrt(200 / 3)
    first = -10 + sigma * 3 * math.sqrt(1.5)
    assert result.evidence[0].score == pytest.approx(first)
    assert result.evidence[1].score == pytest.approx((first + (-30 + sigma * 3)) / 2)
    assert result.evidence[1].runners_up[0].score == pytest.approx((first + (-20 - sigma * 3)) / 2)


def test_the_few_tried_later_are_those_that_the_policy_likes_after_the_path() -> None:
    model = ScriptedModel(score=lambda prompt, claim: -10.0 - 0.01 * len(prompt))
    policy = tabled(
        {
            "": {"A": 0.6, "B": 0.3, "C": 0.09, "D": 0.01},
            "A": {"B": 0.1, "C": 0.1, "D": 0.8},
        }
    )
    options = McseOptions(lookahead=0, learned=5.0, width=1)
    result = searched(model, policy, ["A", "B", "C", "D"], 2, options)
    assert [sentence.index for sentence in result.evidence] == [0, 3]
