"""Which worker gets which task, with workers that are scripted."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

from probative.errors import WorkerError
from probative.runners.dispatch import Died, Dispatcher, Done, Event, Ready, Worker


class ScriptedWorker:
    """Finishes what it is given at the next wait."""

    def __init__(self) -> None:
        self.given: list[int] = []

    def give(self, number: int, task: Any) -> None:
        self.given.append(number)


class ScriptedCrew:
    """The first `good` workers open; all others die while they open."""

    def __init__(self, good: int) -> None:
        self.good = good
        self.hired: list[ScriptedWorker] = []
        self.known: set[int] = set()

    def hire(self) -> ScriptedWorker:
        self.hired.append(ScriptedWorker())
        return self.hired[-1]

    def wait(self) -> Iterable[tuple[Worker, Event]]:
        for number, worker in enumerate(list(self.hired)):
            if number not in self.known:
                self.known.add(number)
                yield worker, Ready() if number < self.good else Died("was killed")
            elif worker.given:
                task = worker.given.pop()
                yield worker, Done(task, task * 10)


def test_the_run_goes_on_with_the_workers_that_open() -> None:
    crew = ScriptedCrew(good=1)
    done = dict(Dispatcher(crew, workers=2).run(["a"] * 9))
    assert done == {number: number * 10 for number in range(9)}
    # One that works, and three that died; then no more were hired.
    assert len(crew.hired) == 4


def test_a_run_whose_workers_all_die_while_they_open_ends() -> None:
    with pytest.raises(WorkerError, match="was killed while it opened its models"):
        dict(Dispatcher(ScriptedCrew(good=0), workers=2).run(["a"] * 9))
