"""The cache around a verdict model."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from verdicts import by_rule, ruled

from probative import ContextError, ModelError, ResponseCache
from probative.models.verdict import Judging, VerdictItem, judge_each
from probative.models.wrappers import cached
from probative.testing import ScriptedVerdict
from probative.types import Usage

ITEMS = [VerdictItem("Rain fell.", ("Rain fell.",)), VerdictItem("Snow fell.", ("Snow did not fall.",))]


@pytest.fixture
def cache(tmp_path: Path) -> ResponseCache:
    return ResponseCache(tmp_path / "cache.sqlite")


def test_an_item_is_judged_once_and_then_read(cache: ResponseCache) -> None:
    model = ruled()
    first = cached(model, cache).judge_each(ITEMS[:1])
    again = cached(model, cache)
    second = again.judge_each(ITEMS)
    assert model.asked == ITEMS
    assert isinstance(first[0], Judging)
    assert isinstance(second[0], Judging)
    assert first[0].scores == second[0].scores == by_rule(ITEMS[0])
    assert [outcome.usage.cached for outcome in second if outcome.usage] == [1, 0]
    assert again.count_tokens(["two words"]) == [2]


def test_another_model_has_other_entries(cache: ResponseCache) -> None:
    cached(ruled(), cache).judge(ITEMS)
    other = ScriptedVerdict(by_rule, name="ruled")  # with a fingerprint of its own
    cached(other, cache).judge(ITEMS)
    assert other.asked == ITEMS


def test_an_error_is_the_items_own_and_never_stored(cache: ResponseCache) -> None:
    class Failing(ScriptedVerdict):
        fails = True

        def judge_each(self, items: Sequence[VerdictItem]) -> list[Judging | ModelError]:
            return [
                ContextError("too long")
                if self.fails and item is ITEMS[1]
                else Judging(by_rule(item), Usage(calls=1))
                for item in items
            ]

    model = Failing(by_rule)
    fine, failed = cached(model, cache).judge_each(ITEMS)
    assert isinstance(fine, Judging)
    assert isinstance(failed, ContextError)
    model.fails = False
    assert [outcome.usage.cached for outcome in cached(model, cache).judge_each(ITEMS)] == [1, 0]


def test_a_model_without_its_own_count_shares_its_tokens_out() -> None:
    first, second = judge_each(ruled(), ITEMS)
    assert first.usage is not None
    assert second.usage is not None
    assert (first.usage.calls, second.usage.calls) == (1, 1)
    assert first.usage.prompt_tokens + second.usage.prompt_tokens == 2 + 2 + 2 + 4
