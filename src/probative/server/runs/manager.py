"""The queue of runs and the threads that work on it."""

from __future__ import annotations

import json
import logging
import secrets
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Self

from probative.errors import ProbativeError, StoreError
from probative.server.errors import (
    CancelledRunError,
    ClosingError,
    ConflictError,
    QueueFullError,
    QueueState,
    TimeLimitError,
    detail_of,
)
from probative.server.options import Limits
from probative.server.runs.events import EventLog, EventName
from probative.server.runs.run import Run, RunState, VerbName, now, shortened, summary_of
from probative.server.runs.store import RunStore
from probative.types import Value

log = logging.getLogger("probative.server")

Execute = Callable[["LiveRun"], Value]
"""Carries out a run and returns its result; calls `LiveRun.check` often."""

# Finished runs are counted and cut after so many.
_CLEANING_EVERY = 50


class UnexpectedError(ProbativeError):
    """A fault of ours: what happened is in the log of the server."""


@dataclass(eq=False)
class LiveRun:
    """A run that is queued or under way: its request, its events, and whether it is still wanted."""

    run: Run
    request: dict[str, Any]
    seconds: float
    log: EventLog = field(default_factory=EventLog)
    cancelled: threading.Event = field(default_factory=threading.Event)
    clients: int = 0
    deadline: float | None = None
    words: str | None = None  # the JSON of the result

    def tell(self, name: EventName, data: dict[str, Any]) -> None:
        """Tell the clients that follow this run."""
        self.log.add(name, data)

    @property
    def must_stop(self) -> bool:
        """Whether the run was cancelled or has taken too long."""
        return self.cancelled.is_set() or (self.deadline is not None and time.monotonic() > self.deadline)

    def check(self) -> None:
        """Raise `CancelledRunError` or `TimeLimitError` if the run must stop."""
        if self.cancelled.is_set():
            raise CancelledRunError("the run was cancelled")
        if self.must_stop:
            raise TimeLimitError(
                f"the run took longer than {self.seconds:g} s", hint="ask for less, or raise --run-seconds"
            )


class RunManager:
    """Accepts runs, works on them with `limits.runs_at_once` threads, and keeps how they end.

    Detached runs that a server left unfinished are queued again by the next one; the others are cancelled, as
    nobody waits for them any more.
    """

    def __init__(self, store: RunStore, execute: Execute, limits: Limits) -> None:
        self._store = store
        self._execute = execute
        self._limits = limits
        self._lock = threading.Condition()
        self._queue: deque[LiveRun] = deque()
        self._live: dict[str, LiveRun] = {}
        self._running = 0
        self._finished = 0
        self._closing = False
        self._threads = [
            threading.Thread(target=self._work, name=f"probative-run-{number}", daemon=True)
            for number in range(limits.runs_at_once)
        ]

    def start(self) -> Self:
        """Take up what the last server left, and begin to work."""
        for run in self._store.unfinished():
            request = run.request or {}
            live = LiveRun(run.model_copy(update={"request": None}), request, self._limits.run_seconds)
            if run.detached:
                live.run = live.run.model_copy(update={"state": RunState.QUEUED, "started": None})
                self._live[run.id] = live
                self._queue.append(live)
            else:
                error = CancelledRunError("the server was stopped, and the client is gone")
                self._store.finish(_ended(live.run, RunState.CANCELLED, error))
        for thread in self._threads:
            thread.start()
        return self

    def submit(
        self,
        verb: VerbName,
        title: str,
        request: dict[str, Any],
        *,
        detached: bool = False,
        key: str | None = None,
    ) -> tuple[Run, LiveRun | None]:
        """Accept a run. A `key` that came before gives the run of that time, which may have ended: it then
        has no `LiveRun`. Raises `QueueFullError`.
        """
        with self._lock:
            self._check_room(key)
        run = Run(
            id=secrets.token_urlsafe(12),
            verb=verb,
            title=shortened(title),
            state=RunState.QUEUED,
            created=now(),
            detached=detached,
        )
        accepted, is_new = self._store.add(run, request, key)
        if not is_new:
            return accepted, self.live(accepted.id)
        live = LiveRun(run, request, self._limits.run_seconds)
        with self._lock:
            try:
                self._check_room(None)
            except ProbativeError:
                self._store.drop(run.id)
                raise
            self._live[run.id] = live
            self._queue.append(live)
            self._tell_positions()
            self._lock.notify()
        return run, live

    def _check_room(self, key: str | None) -> None:
        if self._closing:
            raise ClosingError("the server is shutting down", hint="try again in a moment")
        if key is not None:  # the run may be known already
            return
        free = self._limits.runs_at_once - self._running
        if len(self._queue) >= self._limits.queue + max(0, free):
            raise QueueFullError(self._state())

    def live(self, identity: str) -> LiveRun | None:
        """Return a run that has not ended, or None."""
        with self._lock:
            return self._live.get(identity)

    def get(self, identity: str) -> Run:
        """Return a run as it stands now, with its request; raises `NotThereError`."""
        stored = self._store.get(identity)
        live = self.live(identity)
        if live is None:
            return stored if stored.state.is_final else self._store.get(identity)
        with self._lock:
            return live.run.model_copy(update={"request": stored.request})

    def as_it_stands(self, run: Run) -> Run:
        """Return a run from a list as it stands now."""
        live = self.live(run.id)
        return run if live is None else live.run

    def cancel(self, identity: str) -> Run:
        """Stop a run at its next step, or take it off the queue; raises `ConflictError` if it has ended."""
        live = self.live(identity)
        if live is None:
            run = self._store.get(identity)
            raise ConflictError(f"the run has ended already: it is {run.state}")
        live.cancelled.set()
        with self._lock:
            waits = live in self._queue
            if waits:
                self._queue.remove(live)
                self._tell_positions()
        if waits:
            self._end(live, RunState.CANCELLED, error=CancelledRunError("the run was cancelled"))
        return self.get(identity)

    def follow(self, live: LiveRun) -> None:
        """Count a client that waits for a run."""
        with self._lock:
            live.clients += 1

    def leave(self, live: LiveRun) -> None:
        """Count a client that is gone; without any, a run that is not detached is cancelled."""
        with self._lock:
            live.clients -= 1
            abandoned = live.clients <= 0 and not live.run.detached
        if abandoned and live.log.ended is None and self.live(live.run.id) is not None:
            try:
                self.cancel(live.run.id)
            except ConflictError:  # it ended just now
                return

    def state(self) -> QueueState:
        """Return how many runs are under way and wait."""
        with self._lock:
            return self._state()

    def _state(self) -> QueueState:
        return QueueState(running=self._running, waiting=len(self._queue), limit=self._limits.queue)

    def close(self, seconds: float = 10.0) -> None:
        """Stop working: runs stop at their next step; detached ones are taken up at the next start."""
        with self._lock:
            self._closing = True
            for live in self._live.values():
                live.cancelled.set()
            self._lock.notify_all()
        end = time.monotonic() + seconds
        for thread in self._threads:
            if thread.is_alive():
                thread.join(max(0.1, end - time.monotonic()))

    def _work(self) -> None:
        while True:
            with self._lock:
                while not self._queue and not self._closing:
                    self._lock.wait()
                if self._closing:
                    return
                live = self._queue.popleft()
                self._running += 1
                live.run = live.run.model_copy(
                    update={"state": RunState.RUNNING, "started": now(), "position": 0}
                )
                self._tell_positions()
            live.tell("state", {"state": RunState.RUNNING, "position": 0})
            live.deadline = time.monotonic() + self._limits.run_seconds
            try:
                self._carry_out(live)
            finally:
                with self._lock:
                    self._running -= 1

    def _carry_out(self, live: LiveRun) -> None:
        try:
            live.check()
            result = self._execute(live)
            self._end(live, RunState.DONE, result=result)
        except CancelledRunError as error:
            if self._closing and live.run.detached:  # the next server takes it up
                live.tell("error", {"run": live.run.to_dict(), "error": detail_of(error).to_dict()})
            else:
                self._end(live, RunState.CANCELLED, error=error)
        except ProbativeError as error:
            self._end(live, RunState.FAILED, error=error)
        except Exception:
            log.exception("run %s (%s) failed", live.run.id, live.run.verb)
            self._end(
                live,
                RunState.FAILED,
                error=UnexpectedError(
                    "the run failed for a reason of ours", hint="see the log of the server"
                ),
            )

    def _end(
        self,
        live: LiveRun,
        state: RunState,
        *,
        result: Value | None = None,
        error: ProbativeError | None = None,
    ) -> None:
        """Keep how a run ended, then tell."""
        run, plain = _ended(live.run, state, error), None
        try:
            if result is None:
                self._keep(run)
            else:
                trace = getattr(result, "trace", None)
                words = result.model_copy(update={"trace": None}).to_json()
                plain, live.words = json.loads(words), words
                run = run.model_copy(update=summary_of(plain))
                self._keep(run, words, None if trace is None else trace.to_json())
        except StoreError as failure:  # a full disk: nothing is reported as done that is not kept
            log.error("run %s could not be kept: %s", run.id, failure)
            run, plain = _ended(live.run, RunState.FAILED, failure), None
        with self._lock:
            live.run = run
            self._live.pop(run.id, None)
        told = run.model_copy(update={"request": live.request}).to_dict()
        if plain is not None:
            live.tell("result", {"run": told, "result": plain})
        else:
            live.tell("error", {"run": told, "error": told["error"]})

    def _keep(self, run: Run, result: str | None = None, trace: str | None = None) -> None:
        self._store.finish(run, result, trace)
        self._finished += 1
        if self._finished % _CLEANING_EVERY == 1:
            self._store.keep_newest(self._limits.kept_runs)

    def _tell_positions(self) -> None:
        """Tell waiting runs their place in the queue; the lock is held."""
        for place, live in enumerate(self._queue, start=1):
            if live.run.position != place:
                live.run = live.run.model_copy(update={"position": place})
                live.tell("state", {"state": RunState.QUEUED, "position": place})


def _ended(run: Run, state: RunState, error: ProbativeError | None) -> Run:
    detail = None if error is None else detail_of(error)
    return run.model_copy(update={"state": state, "finished": now(), "position": 0, "error": detail})
