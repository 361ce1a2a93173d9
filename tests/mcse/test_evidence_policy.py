"""Evidence by the learned policy alone: steps, beams, stopping, the shortlist, and BM25 beside it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from policies import RulePolicy, hashed, tabled

from probative.engine.methods import Tools
from probative.engine.runner import run_searches
from probative.mcse.evidence_policy import LearnedOptions, choose_evidence
from probative.mcse.result import McseResult
from probative.mcse.search import K
from probative.models.evidence_policy import PolicyScores, PolicyState

# The policy alone: neither words nor places count.
BARE = {"lexical": 0.0, "proximity": 0.0}


def chosen(
    policy: RulePolicy, sentences: Sequence[str], k: K, claim: str = "c", **options: Any
) -> McseResult:
    search = choose_evidence(claim, sentences, k, LearnedOptions(**{**BARE, **options}))
    ((_, ended),) = run_searches([search], Tools(no_model, no_model, lambda: policy))
    if ended.error is not None:
        raise ended.error
    assert ended.result is not None
    return ended.result


def no_model() -> Any:
    raise AssertionError("no model was expected")


def indexes(result: McseResult) -> list[int]:
    return [sentence.index for sentence in result.evidence]


# B first looks best; but A, then C is the likeliest pair.
PAIRS = {
    "": {"A": 0.4, "B": 0.5, "C": 0.05, "complete": 0.025, "nothing": 0.025},
    "B": {"A": 0.25, "C": 0.15, "D": 0.1, "complete": 0.3, "nothing": 0.2},
    "A": {"B": 0.05, "C": 0.9, "complete": 0.04, "nothing": 0.01},
    "C": {"A": 0.5, "B": 0.1, "complete": 0.2, "nothing": 0.2},
}
TEXT = ["A", "B", "C", "D"]


def test_the_best_sentence_is_taken_at_each_step_with_what_the_policy_said() -> None:
    result = chosen(tabled(PAIRS), TEXT, 2)
    assert indexes(result) == [1, 0]
    assert [sentence.probability for sentence in result.evidence] == pytest.approx([0.5, 0.25])
    # Given that a sentence is taken: 0.5 of 0.95, and 0.25 of 0.5.
    assert [sentence.score for sentence in result.evidence] == pytest.approx(
        [math.log(0.5 / 0.95), math.log(0.25 / 0.5)], abs=1e-9
    )
    first, second = result.evidence
    assert [(sentence.index, round(sentence.probability or 0, 3)) for sentence in first.runners_up] == [
        (0, 0.4),
        (2, 0.05),
        (3, 0.0),
    ]
    assert [sentence.index for sentence in second.runners_up] == [2, 3]
    assert [(stop.complete, stop.nothing) for stop in result.stops] == [
        pytest.approx((0.025, 0.025)),
        pytest.approx((0.3, 0.2)),
    ]


def test_a_beam_finds_what_the_best_first_step_misses() -> None:
    # {A, C}: 0.4/0.95 * 0.9/0.95 = 0.40; {A, B}: 0.5/0.95 * 0.5 + 0.4/0.95 * 0.05/0.95 = 0.29.
    result = chosen(tabled(PAIRS), TEXT, 2, beam=2)
    assert indexes(result) == [0, 2]
    assert [sentence.probability for sentence in result.evidence] == pytest.approx([0.4, 0.9])


def test_two_orders_of_the_same_sentences_count_together() -> None:
    policy = tabled(
        {
            "": {"A": 0.35, "B": 0.3, "C": 0.35},
            "A": {"B": 0.5, "D": 0.5},
            "B": {"A": 0.9, "D": 0.1},
            "C": {"D": 0.99, "A": 0.01},
        }
    )
    # {A, B}: 0.35 * 0.5 + 0.3 * 0.9 = 0.445, in the likelier order B, A; {C, D}: 0.3465 in one order.
    assert indexes(chosen(policy, TEXT, 2, beam=3)) == [1, 0]


def test_what_is_complete_at_the_end_can_count() -> None:
    table = {
        "": {"A": 0.5, "B": 0.3, "complete": 0.1, "nothing": 0.1},
        "A": {"B": 0.1, "complete": 0.1, "nothing": 0.8},
        "B": {"A": 0.1, "complete": 0.8, "nothing": 0.1},
    }
    assert indexes(chosen(tabled(table), ["A", "B"], 1, beam=2)) == [0]
    # 0.5 * 0.1 against 0.3 * 0.8.
    result = chosen(tabled(table), ["A", "B"], 1, beam=2, complete=True)
    assert indexes(result) == [1]
    assert result.stops[-1].complete == pytest.approx(0.8)


AUTO = {
    "": {"A": 0.9, "nothing": 0.1},
    "A": {"B": 0.5, "C": 0.1, "complete": 0.4},
    "A B": {"C": 0.2, "complete": 0.7, "nothing": 0.1},
    "B": {"A": 0.4, "complete": 0.6},
}


def test_auto_stops_where_complete_is_likelier_than_any_sentence() -> None:
    result = chosen(tabled(AUTO), TEXT, "auto")
    assert indexes(result) == [0, 1]
    assert [round(stop.complete, 2) for stop in result.stops] == [0.0, 0.4, 0.7]


def test_auto_stops_where_nothing_carries_what_is_missing() -> None:
    table = {**AUTO, "A": {"B": 0.3, "complete": 0.2, "nothing": 0.5}}
    assert indexes(chosen(tabled(table), TEXT, "auto")) == [0]


def test_auto_takes_at_least_one_sentence_and_says_that_the_text_may_not_support_the_claim() -> None:
    table = {"": {"A": 0.2, "nothing": 0.8}, "A": {"B": 0.1, "nothing": 0.9}}
    result = chosen(tabled(table), TEXT, "auto")
    assert indexes(result) == [0]
    assert any("may not support it" in note for note in result.notes)


def test_auto_ends_at_the_most_and_where_no_sentence_is_left() -> None:
    on = {"": {"A": 1.0}, "A": {"B": 1.0}, "A B": {"C": 0.9, "complete": 0.1}}
    assert indexes(chosen(tabled(on), TEXT, "auto", max_sentences=2)) == [0, 1]
    result = chosen(tabled({"": {"A": 1.0}}), ["A"], "auto")
    assert (indexes(result), len(result.stops)) == ([0], 1)


def test_auto_with_a_beam_takes_the_most_probable_way_that_has_ended() -> None:
    table = {
        "": {"A": 0.5, "B": 0.45, "nothing": 0.05},
        "A": {"C": 0.3, "D": 0.3, "B": 0.15, "complete": 0.25},
        "B": {"complete": 0.95, "A": 0.05},
    }
    # B and then complete: 0.43. What goes on from A has 0.5 at most, so it is followed: A, C has 0.15.
    table |= {path: {"complete": 1.0} for path in ("A C", "A D", "A B")}
    assert indexes(chosen(tabled(table), TEXT, "auto", beam=2)) == [1]
    assert indexes(chosen(tabled(table), TEXT, "auto")) == [0, 2]


def test_after_the_first_step_only_the_shortlist_is_weighed() -> None:
    policy = hashed(3)
    sentences = [f"S{number}" for number in range(12)]
    result = chosen(policy, sentences, 3, shortlist=4)
    assert [len(batch[0].candidates) for batch in policy.asked] == [12, 3, 2]
    first = run_one_state(policy, sentences)
    best = sorted(range(12), key=lambda index: -first.candidates[index])[:4]
    assert set(indexes(result)) <= set(best)
    wide = hashed(3)
    chosen(wide, sentences, 6, shortlist=4)  # more are asked for than it holds
    assert [len(batch[0].candidates) for batch in wide.asked] == [12, 5, 4, 3, 2, 1]


def run_one_state(policy: RulePolicy, sentences: Sequence[str]) -> PolicyScores:
    return policy.weigh([PolicyState("c", (), tuple(sentences))])[0]


def test_a_beam_is_one_batch_a_step() -> None:
    policy = hashed(5)
    chosen(policy, [f"S{number}" for number in range(9)], 3, beam=3, shortlist=None)
    assert [len(batch) for batch in policy.asked] == [1, 3, 3]


def test_bm25_is_added_in_standard_deviations() -> None:
    sentences = ["It rained.", "The sun shone.", "Snow fell."]
    even = RulePolicy(lambda state: PolicyScores((0.0,) * len(state.candidates), -9.0, -9.0))
    result = chosen(even, sentences, 1, claim="Snow fell early.", lexical=2.0, ignore_topic=False)
    # Only the last shares words: z = -0.707, -0.707, 1.414.
    assert indexes(result) == [2]
    assert result.evidence[0].score == pytest.approx(math.log(1 / 3) + 2 * 1.41421, abs=1e-3)
    # Stopping is the policy's own matter: BM25 does not defer it.
    sure = RulePolicy(lambda state: PolicyScores((1.0,) * len(state.candidates), 1.1, 0.0))
    assert len(indexes(chosen(sure, sentences, "auto", claim="Snow fell early.", lexical=9.0))) == 1


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10**9), count=st.integers(1, 7), k=st.integers(1, 5) | st.just("auto"))
def test_a_beam_of_one_is_greedy(seed: int, count: int, k: K) -> None:
    sentences = [f"S{number}" for number in range(count)]
    policy = hashed(seed)
    path: list[int] = []
    most = 6 if k == "auto" else k
    while len(path) < min(most, count):
        left = [index for index in range(count) if index not in path]
        texts = [tuple(sentences[index] for index in numbers) for numbers in (path, left)]
        (seen,) = policy.weigh([PolicyState("c", *texts)])
        best = max(range(len(left)), key=lambda at: (seen.candidates[at], -at))
        if k == "auto" and path and max(seen.complete, seen.nothing) > seen.candidates[best]:
            break
        path.append(left[best])
    assert indexes(chosen(hashed(seed), sentences, k, shortlist=None)) == path


@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 10**9),
    count=st.integers(1, 8),
    most=st.integers(1, 5),
    beam=st.integers(1, 4),
    shortlist=st.integers(1, 8) | st.none(),
)
def test_auto_takes_from_one_to_most_different_sentences(
    seed: int, count: int, most: int, beam: int, shortlist: int | None
) -> None:
    sentences = [f"S{number}" for number in range(count)]
    result = chosen(hashed(seed), sentences, "auto", max_sentences=most, beam=beam, shortlist=shortlist)
    assert 1 <= len(indexes(result)) == len(set(indexes(result))) <= min(most, count)


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10**9), count=st.integers(1, 6), k=st.integers(1, 3))
def test_a_beam_that_holds_everything_finds_the_likeliest_sentences(seed: int, count: int, k: int) -> None:
    """By the sum over all orders, as far as each shorter set was followed in its likelier order only: so for
    two sentences exactly.
    """
    k = min(k, 2, count)
    sentences = [f"S{number}" for number in range(count)]
    policy = hashed(seed)

    def share(path: tuple[int, ...]) -> float:
        probability = 1.0
        for at, index in enumerate(path):
            left = [other for other in range(count) if other not in path[:at]]
            state = PolicyState(
                "c", tuple(sentences[index] for index in path[:at]), tuple(sentences[index] for index in left)
            )
            scores = policy.weigh([state])[0].candidates
            whole = math.fsum(map(math.exp, scores))
            probability *= math.exp(scores[left.index(index)]) / whole
        return probability

    def of_set(path: tuple[int, ...]) -> float:
        return share(path) + (share(path[::-1]) if len(path) == 2 else 0.0)

    paths = [(a,) for a in range(count)] if k == 1 else [(a, b) for a in range(count) for b in range(a)]
    result = tuple(indexes(chosen(hashed(seed), sentences, k, beam=99, shortlist=None)))
    assert of_set(result) == pytest.approx(max(map(of_set, paths)))


def test_what_the_policy_cannot_read_whole_is_said() -> None:
    even = RulePolicy(lambda state: PolicyScores((0.0,) * len(state.candidates), -9.0, -9.0))
    sentences = ["Snow fell.", "The lens " + "was very " * 60 + "large."]
    result = chosen(even, sentences, 1, claim="It " + "really " * 60 + "snowed.")
    assert "the policy reads only the first 72 tokens of the claim, about 50 words" in result.notes
    assert "the policy reads only the first 112 tokens, about 80 words, of 1 sentence" in result.notes
