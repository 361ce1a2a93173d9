"""Runs end in every case, nothing is reported done that is not kept, and threads survive all errors."""

from __future__ import annotations

import random
import sqlite3
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from run_world import Said, ended, managed
from server_app import scripted_session, serving

from probative.errors import StoreError
from probative.server.base.errors import CancelledRunError, QueueFullError
from probative.server.base.options import Limits
from probative.server.runs import database
from probative.server.runs.live import LiveRun
from probative.server.runs.run import Run, RunState, now
from probative.server.runs.store import RunStore
from probative.testing import ScriptedModel
from probative.types import Value

CLAIM = {"claim": "The Heron is of Molde.", "sentences": ["The Heron was built in Molde."]}


class Odd(BaseException):
    """What nobody expects."""


@pytest.mark.parametrize(
    "error", [RuntimeError("x"), KeyboardInterrupt(), SystemExit(3), MemoryError(), RecursionError(), Odd()]
)
def test_a_worker_survives_whatever_a_run_raises(tmp_path: Path, error: BaseException) -> None:
    def execute(live: LiveRun) -> Value:
        if live.run.title == "bad":
            raise error
        return Said()

    with managed(tmp_path, execute) as (manager, store):
        bad = ended(manager.submit("judge", "bad", {})[1])
        good = ended(manager.submit("judge", "good", {})[1])
        assert (bad.run.state, good.run.state) == (RunState.FAILED, RunState.DONE)
        assert bad.run.error is not None
        assert bad.run.error.type == "UnexpectedError"
        assert store.get(good.run.id).state is RunState.DONE
        assert manager.state().running <= 1


def test_a_result_that_cannot_be_written_fails_its_run_only(tmp_path: Path) -> None:
    class Broken(Said):
        def to_json(self, **_: Any) -> str:
            raise ValueError("no JSON")

    with managed(tmp_path, lambda live: Broken() if live.run.title == "bad" else Said()) as (manager, _):
        assert ended(manager.submit("judge", "bad", {})[1]).run.state is RunState.FAILED
        assert ended(manager.submit("judge", "good", {})[1]).run.state is RunState.DONE


def test_a_full_disk_reports_nothing_as_done(tmp_path: Path) -> None:
    large = "".join(chr(33 + number * 7919 % 90) for number in range(3_000_000))
    with managed(tmp_path, lambda live: Said(verdict=large if live.run.title == "bad" else "x")) as (
        manager,
        store,
    ):
        assert ended(manager.submit("judge", "first", {})[1]).run.state is RunState.DONE
        size = store._db.do(lambda db: db.execute("PRAGMA page_count").fetchone()[0])
        store._db.do(lambda db: db.execute(f"PRAGMA max_page_count={size + 40}").fetchall())
        bad = ended(manager.submit("judge", "bad", {}, detached=True)[1])
        assert bad.run.state is RunState.FAILED
        assert bad.run.error is not None
        assert (bad.run.error.type, "full" in bad.run.error.message) == ("StoreError", True)
        assert bad.words is None
        assert store.result(bad.run.id) is None
        assert manager.get(bad.run.id).state is RunState.FAILED
        # What is small enough still works, and the first result is whole.
        assert ended(manager.submit("judge", "last", {})[1]).run.state is RunState.DONE


def test_a_file_that_cannot_be_written_refuses_detached_runs(tmp_path: Path) -> None:
    with managed(tmp_path, lambda live: Said()) as (manager, store):
        store._db.do(lambda db: db.execute("PRAGMA query_only=1").fetchall())
        with pytest.raises(StoreError, match="readonly"):
            manager.submit("judge", "x", {}, detached=True)
        live = ended(manager.submit("judge", "x", {})[1])
        assert live.run.state is RunState.FAILED
        assert manager.state().waiting == 0
        store._db.do(lambda db: db.execute("PRAGMA query_only=0").fetchall())
        assert ended(manager.submit("judge", "x", {})[1]).run.state is RunState.DONE


def test_a_full_disk_is_unavailable_over_http(tmp_path: Path) -> None:
    with serving(tmp_path) as client:
        store = client.app.state.server.store  # type: ignore[attr-defined]
        store._db.do(lambda db: db.execute("PRAGMA query_only=1").fetchall())
        reply = client.post("/api/judge", json={"claim": "x", "evidence": ["y"]})
    assert (reply.status_code, reply.json()["error"]["type"]) == (503, "StoreError")


def test_a_server_starts_on_a_full_disk_and_serves_what_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serving(tmp_path) as client:
        store = client.app.state.server.store  # type: ignore[attr-defined]
        for detached in (True, False):
            run = Run(
                id=f"left-{detached}",
                verb="judge",
                title="x",
                state="running",
                created=now(),
                detached=detached,
            )
            store.add(run, {"claim": "x", "evidence": ["y"]}, f"key-{detached}")
    opened = database._opened

    def full(*arguments: Any) -> sqlite3.Connection:
        db = opened(*arguments)
        db.execute("PRAGMA query_only=1")  # as on a full disk, nothing can be written
        return db

    with monkeypatch.context() as patched:
        patched.setattr(database, "_opened", full)
        with serving(tmp_path) as client:
            assert client.get("/api/runs").json()["total"] == 2
            reply = client.post("/api/judge", json={"claim": "x", "evidence": ["y"]})
            assert (reply.status_code, reply.json()["error"]["type"]) == (503, "StoreError")
    # A later server takes up what was left.
    with serving(tmp_path) as client:
        end = time.monotonic() + 60
        while {run["state"] for run in client.get("/api/runs").json()["runs"]} & {"running", "queued"}:
            assert time.monotonic() < end
            time.sleep(0.05)


@pytest.mark.parametrize("name", ["a-file/runs.sqlite", "torn.sqlite"])
def test_a_folder_that_cannot_be_used_is_said(tmp_path: Path, name: str) -> None:
    (tmp_path / "a-file").write_text("x", encoding="utf-8")
    (tmp_path / "torn.sqlite").write_bytes(b"no database at all" * 100)
    with pytest.raises(StoreError, match="cannot be kept"):
        RunStore(tmp_path / name)


def test_only_one_server_uses_a_file(tmp_path: Path) -> None:
    store = RunStore(tmp_path / "runs.sqlite")
    with pytest.raises(StoreError, match="another server"):
        RunStore(tmp_path / "runs.sqlite")
    store.close()
    RunStore(tmp_path / "runs.sqlite").close()
    assert (tmp_path / "runs.sqlite").stat().st_mode & 0o077 == 0


def test_one_failure_does_not_take_the_others_of_its_commit_down(tmp_path: Path) -> None:
    store = RunStore(tmp_path / "runs.sqlite")
    goes_on = threading.Event()
    held = store._db.later(lambda db: goes_on.wait(120))
    run = Run(id="a" * 8, verb="judge", title="x", state=RunState.QUEUED, created=now())
    store.add(run, {"a": 1})

    def broken(db: sqlite3.Connection) -> None:
        db.execute("INSERT INTO absent VALUES (1)")

    bad = store._db.later(broken)
    store.add(run.model_copy(update={"id": "b" * 8}), {"b": 2})
    goes_on.set()
    assert held.result(120)
    with pytest.raises(StoreError, match="no such table"):
        bad.result(120)
    assert [store.get(identity * 8).request for identity in "ab"] == [{"a": 1}, {"b": 2}]
    store.close()
    with pytest.raises(StoreError, match="closed"):
        store.get("a" * 8)


def test_the_time_limit_is_a_gateway_timeout(tmp_path: Path) -> None:
    goes_on = threading.Event()

    def wait(_: Any) -> str:
        goes_on.wait(120)
        return "[1]"

    session = scripted_session(model=ScriptedModel(generate=wait))
    with serving(tmp_path, session=session, limits=Limits(run_seconds=0.1, runs_at_once=1)) as client:
        # The call of the model never returns in time: the client is told all the same.
        reply = client.post("/api/annotate", json=CLAIM)
        assert (reply.status_code, reply.json()["error"]["type"]) == (504, "TimeLimitError")
        assert client.get(f"/api/runs/{reply.headers['probative-run']}").json()["state"] == "failed"
        goes_on.set()
        # The thread is free again, and what it brings late changes nothing. A busy machine may need longer
        # than the limit for a run that ends by itself.
        client.app.state.server.manager._limits = Limits(runs_at_once=1)  # type: ignore[attr-defined]
        again = client.post("/api/annotate", json=CLAIM)
        assert again.status_code == 200
        assert client.get(f"/api/runs/{reply.headers['probative-run']}").json()["state"] == "failed"


def test_the_queue_says_its_length(tmp_path: Path) -> None:
    goes_on = threading.Event()

    def execute(live: LiveRun) -> Value:
        goes_on.wait(120)
        return Said()

    with managed(tmp_path, execute, queue=2) as (manager, _):
        lives = [manager.submit("judge", str(number), {})[1] for number in range(3)]
        with pytest.raises(QueueFullError) as refused:
            manager.submit("judge", "more", {})
        assert refused.value.queue.limit == 2
        assert refused.value.queue.running + refused.value.queue.waiting == 3
        goes_on.set()
        assert [ended(live).run.state for live in lives] == [RunState.DONE] * 3


def test_a_known_key_is_answered_even_if_the_queue_is_full(tmp_path: Path) -> None:
    goes_on = threading.Event()

    def execute(live: LiveRun) -> Value:
        goes_on.wait(120)
        return Said()

    with managed(tmp_path, execute, queue=0) as (manager, _):
        first = manager.submit("judge", "x", {"a": 1}, key="k")
        again = manager.submit("judge", "x", {"a": 1}, key="k")
        assert again[0].id == first[0].id
        with pytest.raises(QueueFullError):
            manager.submit("judge", "x", {"a": 2}, key="other")
        goes_on.set()
        ended(first[1])
        assert manager.submit("judge", "x", {"a": 1}, key="k") == (manager.get(first[0].id), None)


def test_one_key_at_the_same_moment_is_one_run(tmp_path: Path) -> None:
    with managed(tmp_path, lambda live: Said(), runs_at_once=4) as (manager, store):
        found: list[str] = []

        def submit() -> None:
            run, live = manager.submit("judge", "x", {"a": 1}, key="k")
            found.append(run.id if live is None else ended(live).run.id)

        threads = [threading.Thread(target=submit) for _ in range(16)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(120)
        assert (len(found), len(set(found))) == (16, 1)
        assert len(store.newest(50)[0]) == 1
        assert manager.state().waiting == 0


def test_a_run_that_kills_the_server_is_given_up(tmp_path: Path) -> None:
    store = RunStore(tmp_path / "runs.sqlite")
    run = Run(
        id="a" * 8, verb="judge", title="x", state=RunState.RUNNING, created=now(), detached=True, restarts=5
    )
    store.add(run, {})
    store.close()
    with managed(tmp_path, lambda live: Said()) as (manager, _):
        kept = manager.get(run.id)
    assert kept.state is RunState.FAILED
    assert kept.error is not None
    assert "stopped 6 times" in kept.error.message


def test_kept_runs_are_bounded_in_number_and_size(tmp_path: Path) -> None:
    store = RunStore(tmp_path / "runs.sqlite")
    for number in range(20):
        run = Run(id=f"run-{number:04}", verb="judge", title="x", state=RunState.QUEUED, created=now())
        store.add(run, {"n": number})
        if number != 3:  # one that has not ended stays
            text = random.Random(number).randbytes(1_000).hex()
            store.finish(run.model_copy(update={"state": RunState.DONE}), text)
    assert store.keep_newest(10, 10**9) == 9
    assert [run.id for run in store.newest(50)[0]] == [
        *(f"run-{number:04}" for number in range(19, 9, -1)),
        "run-0003",
    ]
    store.keep_newest(10, 5_000)
    left = [run.id for run in store.newest(50)[0]]
    assert left[0] == "run-0019"
    assert len(left) < 8
    assert left[-1] == "run-0003"
    store.close()


def test_a_cancelled_run_is_told_even_if_its_call_does_not_return(tmp_path: Path) -> None:
    goes_on = threading.Event()

    def execute(live: LiveRun) -> Value:
        goes_on.wait(120)
        live.check()
        return Said()

    with managed(tmp_path, execute) as (manager, _):
        live = manager.submit("judge", "x", {})[1]
        assert live is not None
        while live.run.state is RunState.QUEUED:
            time.sleep(0.01)
        manager.cancel(live.run.id)
        assert ended(live).run.state is RunState.CANCELLED
        assert live.run.error is not None
        assert live.run.error.type == CancelledRunError.__name__
        goes_on.set()
        assert ended(manager.submit("judge", "y", {})[1]).run.state is RunState.DONE
