"""What happens to a run at the moment at which it ends, is joined or is left."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest
from run_world import Said, ended, managed

from probative.errors import StoreError
from probative.server.runs.events import EventLog
from probative.server.runs.live import LiveRun
from probative.server.runs.manager import RunManager
from probative.server.runs.run import Run, RunState, now
from probative.server.runs.store import RunStore
from probative.types import Value


class Held:
    """Carries out runs once they are let go."""

    def __init__(self) -> None:
        self.goes_on = threading.Event()
        self.begun = threading.Semaphore(0)

    def __call__(self, live: LiveRun) -> Value:
        self.begun.release()
        self.goes_on.wait(120)
        live.check()
        return Said()


def submit(manager: RunManager, **named: Any) -> LiveRun:
    live = manager.submit("judge", "x", {"a": 1}, **named)[1]
    assert live is not None
    return live


def test_nothing_is_told_after_the_end() -> None:
    log = EventLog()
    log.add("error", {"error": "too late"})
    log.add("progress", {"calls": 3})  # by the thread of a run that was given up
    assert [event.name for event in log.since(0)] == ["error"]
    assert log.ended is not None


def test_the_end_of_a_run_is_not_overwritten_by_a_state_before_it(tmp_path: Path) -> None:
    store = RunStore(tmp_path / "runs.sqlite")
    run = Run(id="a" * 8, verb="judge", title="x", state=RunState.RUNNING, created=now())
    store.add(run, {})
    store.finish(run.model_copy(update={"state": RunState.DONE}), "{}")
    with pytest.raises(StoreError):
        store.change(run.model_copy(update={"detached": True}))
    assert store.get(run.id).state is RunState.DONE
    assert store.unfinished() == []
    store.close()


def test_a_list_that_was_read_before_the_end_shows_the_end(tmp_path: Path) -> None:
    held = Held()
    with managed(tmp_path, held) as (manager, store):
        live = submit(manager)
        [listed] = store.newest(9)[0]
        held.goes_on.set()
        ended(live)
        assert listed.state is RunState.QUEUED
        assert manager.as_it_stands(listed).state is RunState.DONE
        store.delete(listed.id)
        assert manager.as_it_stands(listed) == listed


def test_a_run_that_is_made_detached_while_it_works_is_kept_so(tmp_path: Path) -> None:
    held = Held()
    with managed(tmp_path, held) as (manager, store):
        live = submit(manager, key="k")
        assert held.begun.acquire(timeout=60)
        assert submit(manager, key="k", detached=True) is live
        manager.leave(live)
        held.goes_on.set()
        assert ended(live).run.state is RunState.DONE
        assert live.run.detached
        assert store.get(live.run.id).detached


def test_there_is_room_again_when_the_end_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    running: list[int] = []
    published = LiveRun.publish

    with managed(tmp_path, lambda live: Said(), queue=0) as (manager, _):

        def publish(live: LiveRun, name: Any, data: dict[str, Any]) -> None:
            if name == "result":
                running.append(manager.state().running)
            published(live, name, data)

        monkeypatch.setattr(LiveRun, "publish", publish)
        for _ in range(3):  # none is refused
            ended(submit(manager))
    assert running == [0, 0, 0]


def test_who_joins_before_the_other_leaves_keeps_the_run(tmp_path: Path) -> None:
    held = Held()
    with managed(tmp_path, held) as (manager, _):
        first = submit(manager, key="k")
        assert submit(manager, key="k") is first
        manager.leave(first)  # and nobody has begun to read yet
        held.goes_on.set()
        assert ended(first).run.state is RunState.DONE


@pytest.mark.parametrize("detached", [False, True])
def test_who_comes_back_after_the_run_was_left_gets_a_new_one(tmp_path: Path, detached: bool) -> None:
    held = Held()
    with managed(tmp_path, held) as (manager, _):
        first = submit(manager, key="k")
        assert held.begun.acquire(timeout=60)
        manager.leave(first)
        again = submit(manager, key="k", detached=detached)
        assert again is not first
        held.goes_on.set()
        assert ended(again).run.state is RunState.DONE
        assert ended(first).run.state is RunState.CANCELLED
        run, live = manager.submit("judge", "x", {"a": 1}, key="k")
        assert (run.id, run.state, live) == (again.run.id, RunState.DONE, None)
