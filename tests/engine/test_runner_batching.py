"""The encoder and the policy are asked once a round for all cases, and their results are cached."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from word_vectors import WordVectors

from probative.engine.methods import Tools
from probative.engine.runner import run_searches
from probative.engine.search import Search, encode, weigh
from probative.errors import BudgetError, ModelError, ServerError
from probative.models.budget import Budget
from probative.models.evidence_policy import PolicyScores, PolicyState, Weighing, weigh_each
from probative.models.response_cache import ResponseCache
from probative.models.types import Vector
from probative.models.wrappers import budgeted, cached
from probative.testing import ScriptedModel
from probative.trace import Trace
from probative.types import Usage, total


class LengthPolicy:
    """Scores a candidate by its length; keeps the sizes of its batches."""

    name = "lengths"

    def __init__(self, fingerprint: str = "lengths-1") -> None:
        self.fingerprint = fingerprint
        self.usage = Usage()
        self.batches: list[int] = []

    def weigh(self, states: Sequence[PolicyState]) -> list[PolicyScores]:
        self.batches.append(len(states))
        self.usage += Usage(calls=len(states), prompt_tokens=10 * len(states))
        return [PolicyScores(tuple(float(len(c)) for c in s.candidates), 0.25, -0.5) for s in states]


class CountingVectors(WordVectors):
    """Word vectors with a fixed name, so that a second encoder answers from the same cache."""

    def __init__(self, fails_at: str | None = None) -> None:
        super().__init__()
        self.batches: list[int] = []
        self._fails_at = fails_at

    @property
    def fingerprint(self) -> str:
        return "words-1"

    def encode(self, texts: Sequence[str], *, progress: object = None) -> NDArray[np.float32]:
        self.batches.append(len(texts))
        return super().encode(texts)

    def encode_each(self, texts: Sequence[str]) -> Iterator[tuple[int, Vector | ModelError]]:
        for index, outcome in super().encode_each(texts):
            if texts[index] == self._fails_at:
                yield index, ServerError("the server is down")
                return
            yield index, outcome


def weighing(claim: str) -> Search[tuple[float, ...]]:
    (scores,) = yield from weigh([PolicyState(claim, (), ("a", "bb", claim))], step="evidence")
    return scores.candidates


def encoding(text: str) -> Search[NDArray[np.float32]]:
    first, _ = yield from encode([text, f"{text} again"], step="judgement")
    return first


def tools(encoder: Any = None, policy: Any = None) -> Tools:
    return Tools(ScriptedModel, lambda: encoder, lambda: policy)


def test_the_policy_weighs_64_cases_in_one_batch() -> None:
    policy = LengthPolicy()
    ends = dict(run_searches((weighing("c" * n) for n in range(1, 65)), tools(policy=policy)))
    assert policy.batches == [64]
    assert [ends[n].result for n in (0, 63)] == [(1.0, 2.0, 1.0), (1.0, 2.0, 64.0)]
    assert total(end.usage for end in ends.values()) == policy.usage
    assert {end.usage.calls for end in ends.values()} == {1}


def test_the_encoder_reads_the_texts_of_64_cases_in_one_batch() -> None:
    encoder = CountingVectors()
    ends = dict(run_searches((encoding(f"ship {n}") for n in range(64)), tools(encoder)))
    assert encoder.batches == [128]
    rows = CountingVectors().encode([f"ship {n}" for n in range(64)])
    whole = np.stack([ends[n].result for n in range(64)])
    assert whole @ whole.T == pytest.approx(rows @ rows.T, abs=1e-6)
    assert total(end.usage for end in ends.values()).prompt_tokens == encoder.usage.prompt_tokens


def test_vectors_are_cached_each_by_itself(tmp_path: Path) -> None:
    cache = ResponseCache(tmp_path / "cache.sqlite")
    first = cached(CountingVectors(), cache).encode(["one ship", "two ships"])
    again = CountingVectors()
    both = cached(again, cache).encode(["two ships", "one ship", "three", "three"])
    assert again.texts == ["three"]
    assert np.array_equal(both[:2], first[::-1])
    assert np.array_equal(both[2], both[3])


def test_a_vector_that_was_paid_for_is_kept_when_a_later_one_fails(tmp_path: Path) -> None:
    cache = ResponseCache(tmp_path / "cache.sqlite")
    with pytest.raises(ModelError):
        cached(CountingVectors(fails_at="three"), cache).encode(["one", "two", "three"])
    again = CountingVectors()
    cached(again, cache).encode(["one", "two", "three"])
    assert again.texts == ["three"]


def test_a_damaged_vector_in_the_cache_is_made_again(tmp_path: Path) -> None:
    cache = ResponseCache(tmp_path / "cache.sqlite")
    cached(CountingVectors(), cache).encode(["one"])
    with cache._guarded() as connection:
        connection.execute("UPDATE results SET value = 'AAA='")
    again = CountingVectors()
    assert cached(again, cache).encode(["one"]).any()
    assert again.texts == ["one"]


def test_decisions_are_cached_and_cost_nothing_again(tmp_path: Path) -> None:
    cache = ResponseCache(tmp_path / "cache.sqlite")
    states = [PolicyState("claim", (), ("a", "bb")), PolicyState("claim", ("a",), ("bb",))]
    first = cached(LengthPolicy(), cache).weigh_each(states)
    inner = LengthPolicy()
    again = cached(inner, cache).weigh_each([*states, PolicyState("other", (), ())])
    assert [weighing.scores for weighing in again[:2]] == [weighing.scores for weighing in first]
    assert [weighing.usage for weighing in again[:2]] == [Usage(cached=1)] * 2
    assert inner.batches == [1]
    assert cached(LengthPolicy("lengths-2"), cache).weigh_each(states)[0].usage.calls == 1


def test_a_killed_run_keeps_the_decisions_of_every_finished_group(tmp_path: Path) -> None:
    class Dying(LengthPolicy):
        def weigh(self, states: Sequence[PolicyState]) -> list[PolicyScores]:
            if self.batches:
                raise KeyboardInterrupt
            return super().weigh(states)

    cache = ResponseCache(tmp_path / "cache.sqlite")
    states = [PolicyState(f"claim {n}", (), ("a",)) for n in range(20)]
    with pytest.raises(KeyboardInterrupt):
        cached(Dying(), cache).weigh_each(states)
    inner = LengthPolicy()
    cached(inner, cache).weigh_each(states)
    assert inner.batches == [4]


def test_a_budget_stops_a_paid_encoder_before_it_is_exceeded() -> None:
    encoder = budgeted(WordVectors(), Budget(tokens=100))
    assert encoder.encode(["one ship"]).shape == (1, 512)
    with pytest.raises(BudgetError, match="the budget of 100 tokens"):
        encoder.encode(["word " * 200])


def test_the_trace_has_what_the_encoder_and_the_policy_were_asked() -> None:
    def both() -> Search[None]:
        yield from encode(["one", "two"], step="judgement")
        yield from weigh([PolicyState("claim", (), ("a",))], step="evidence")

    with Trace("run") as trace:
        list(run_searches([both()], tools(WordVectors(), LengthPolicy())))
    judgement, evidence = trace.root.steps
    assert judgement.calls[0].request == {"texts": ["one", "two"]}
    assert judgement.calls[0].result == {"vectors": 2, "dimensions": 512}
    assert evidence.calls[0].result == {"candidates": [1.0], "complete": 0.25, "nothing": -0.5}


def test_the_cost_of_a_policy_is_shared_out_by_length() -> None:
    states = [PolicyState("q", (), ("x" * 9,)), PolicyState("q", (), ("x" * 29,))]
    costs = [weighing.usage.prompt_tokens for weighing in weigh_each(LengthPolicy(), states)]
    assert costs == [5, 15]
    assert isinstance(weigh_each(LengthPolicy(), states)[0], Weighing)
