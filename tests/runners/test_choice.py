"""Tasks side by side in this process: what is under way when one fails is kept, and nothing else is begun."""

from __future__ import annotations

import threading
import time

import pytest

from probative.runners.choice import InProcessPool


def test_a_task_that_fails_ends_the_run_before_the_others_begin() -> None:
    begun: list[int] = []

    def work(task: int) -> None:
        begun.append(task)
        if task == 0:
            raise ValueError("the first one")
        time.sleep(0.01)

    with pytest.raises(ValueError, match="the first one"):
        list(InProcessPool(work, width=2).run(range(5000)))
    assert len(begun) < 5000


def test_the_results_of_tasks_under_way_are_kept() -> None:
    all_begun = threading.Barrier(3, timeout=10)

    def work(task: int) -> int:
        all_begun.wait()
        if task == 0:
            raise ValueError("the first one")
        time.sleep(0.1)
        return task * task

    kept: list[tuple[int, int]] = []
    with pytest.raises(ValueError, match="the first one"):
        kept.extend(InProcessPool(work, width=3).run(range(3)))
    assert sorted(kept) == [(1, 1), (2, 4)]
