"""Results are kept as they come, one by one or in groups."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from probative.bench.call_log import CallLog
from probative.models.response_cache import ResponseCache
from probative.testing import ScriptedModel

PAIRS = [(f"Berth {number} is free.", "The ferry can land.") for number in range(5)]


class CountingCache(ResponseCache):
    """Remembers how many results each call of `put` had."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.sizes: list[int] = []

    def put(self, verb: str, model: str, values: Mapping[str, str]) -> None:
        self.sizes.append(len(values))
        super().put(verb, model, values)


@pytest.mark.parametrize(("group", "sizes"), [(1, [1] * 5), (2, [2, 2, 1]), (9, [5])])
def test_results_are_kept_in_groups_and_asked_once(group: int, sizes: list[int], tmp_path: Path) -> None:
    asked: list[str] = []

    def score(prompt: str, continuation: str) -> float:
        asked.append(prompt)
        return -float(len(asked))

    kept = CountingCache(tmp_path / "calls.sqlite")
    model = CallLog(ScriptedModel(score=score), kept, group=group)
    first = model.score(PAIRS)
    assert kept.sizes == sizes
    assert model.score(PAIRS) == first
    assert len(asked) == 5


def test_what_came_before_an_interruption_is_kept(tmp_path: Path) -> None:
    def score(prompt: str, continuation: str) -> float:
        if "Berth 3" in prompt:
            raise KeyboardInterrupt
        return -1.0

    kept = CountingCache(tmp_path / "calls.sqlite")
    with pytest.raises(KeyboardInterrupt):
        CallLog(ScriptedModel(score=score), kept, group=100).score(PAIRS)
    assert kept.sizes == [3]
