"""The queue of runs and the threads that work on it."""

from __future__ import annotations

import logging
import secrets
import threading
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from math import inf
from typing import Any, Self

from probative.errors import ProbativeError, StoreError
from probative.server.base.errors import (
    CancelledRunError,
    ClosingError,
    ConflictError,
    InterruptedRunError,
    NotThereError,
    QueueFullError,
    QueueState,
    UnexpectedError,
    detail_of,
)
from probative.server.base.options import Limits
from probative.server.runs.live import Ending, LiveRun
from probative.server.runs.run import Run, RunState, VerbName, now, shortened
from probative.server.runs.store import Accepted, RunStore
from probative.types import Value

log = logging.getLogger("probative.server")

Execute = Callable[[LiveRun], Value]
"""Carries out a run and returns its result; calls `LiveRun.check` often."""

# Old runs are deleted each time that this many runs have ended.
_CLEANING_EVERY = 50
# A run that must stop has this many seconds to reach its next step; then its clients are told.
_PATIENCE = 2.0
# A run that was under way when the server died this many times may be the cause.
_MAX_RESTARTS = 5


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
        self._accepting = 0
        self._finished = 0
        self._closing = threading.Event()
        self._threads = [
            threading.Thread(target=self._work, name=f"probative-run-{number}", daemon=True)
            for number in range(limits.runs_at_once)
        ]
        self._threads.append(threading.Thread(target=self._watch, name="probative-clock", daemon=True))

    def start(self) -> Self:
        """Take up what the last server left, and begin to work.

        On a full disk a run stays as it is, for the next server to take up; this one serves what it can.
        """
        for run in self._store.unfinished():
            try:
                self._take_up(run)
            except StoreError as error:
                log.error("run %s, which the last server left, waits for the next one: %s", run.id, error)
        self._publish_positions()
        for thread in self._threads:
            thread.start()
        return self

    def _take_up(self, run: Run) -> None:
        bare = run.model_copy(update={"request": None})
        restarts = run.restarts + (run.state is RunState.RUNNING)
        if not run.detached:
            gone = InterruptedRunError(
                "the server was stopped during this run, and the client is gone", hint="run it again"
            )
            self._store.finish(Ending.with_error(bare, gone).run)
        elif restarts > _MAX_RESTARTS:
            cause = UnexpectedError(
                f"the server stopped {restarts} times during this run", hint="see the log of the server"
            )
            self._store.finish(Ending.with_error(bare, cause).run)
        else:
            changes = {"state": RunState.QUEUED, "started": None, "restarts": restarts}
            bare = bare.model_copy(update=changes)
            self._store.change(bare)
            self._live[run.id] = live = LiveRun(bare, run.request or {}, self._limits.run_seconds)
            self._queue.append(live)

    def submit(
        self,
        verb: VerbName,
        title: str,
        request: dict[str, Any],
        *,
        detached: bool = False,
        key: str | None = None,
        stored: bool = True,
    ) -> tuple[Run, LiveRun | None]:
        """Accept a run. A `key` that came before gives the run of that time, which may have ended: it then
        has no `LiveRun`. A run that is not `stored` is never on disk, so that it has no key and ends with its
        client. Raises `QueueFullError`.

        Unless it is `detached`, whoever submits counts as a client of the run from now on, and must `leave`
        it: a run cannot lose its other clients before this one is counted.
        """
        while True:
            run = None if key is None else self._store.run_of_key(verb, request, key)
            if run is None:
                new = Run(
                    id=secrets.token_urlsafe(12),
                    verb=verb,
                    title=shortened(title),
                    state=RunState.QUEUED,
                    created=now(),
                    detached=detached,
                )
                clients = 0 if detached else 1
                live = LiveRun(new, request, self._limits.run_seconds, clients=clients, stored=stored)
                run = self._accepted(live, key)
                if run is new:
                    return live.run, live
            joined = self._joined(run, detached=detached)
            if joined is not None:
                return joined
            self._store.free_key(run.id)  # it is being stopped, as its client went away: this is a new one

    def _accepted(self, live: LiveRun, key: str | None) -> Run:
        """Queue a new run and return it, or the one that came with the same key at the same moment."""
        run = live.run
        with self._lock:
            self._check_room()
            self._accepting += 1
            self._live[run.id] = live  # before it can be found by its key
        try:
            accepted, is_new = (
                self._store.add(run, live.request, key) if live.stored else Accepted(run, is_new=True)
            )
        except BaseException:
            is_new = False
            raise
        finally:
            with self._lock:
                self._accepting -= 1
                if is_new:
                    self._queue.append(live)
                    self._publish_positions()
                    self._lock.notify()
                else:
                    del self._live[run.id]
        return run if is_new else accepted

    def _joined(self, earlier: Run, *, detached: bool) -> tuple[Run, LiveRun | None] | None:
        """Return a run that was accepted before; it goes on without its client if this one asks for that.
        None if it was cancelled, or is about to be.
        """
        live = self.live(earlier.id)
        if live is None or earlier.state.is_final:
            run = self.get(earlier.id)
            return None if run.state is RunState.CANCELLED else (run, None)
        with self._lock:
            if live.cancelled.is_set() and not self._closing.is_set():
                return None
            live.clients += not detached
            promoted = detached and not live.run.detached and not live.ending
            if promoted:
                live.run = live.run.model_copy(update={"detached": True})
            run = live.run
        if promoted:
            with suppress(StoreError):  # it has ended just now
                self._store.change(run)
        return live.current(), live

    def _check_room(self) -> None:
        if self._closing.is_set():
            raise ClosingError("the server is shutting down", hint="try again in a moment")
        free = self._limits.runs_at_once - self._running
        if len(self._queue) + self._accepting >= self._limits.queue + max(0, free):
            raise QueueFullError(self._state())

    def live(self, identity: str) -> LiveRun | None:
        """Return a run that has not ended, or None."""
        with self._lock:
            return self._live.get(identity)

    def get(self, identity: str) -> Run:
        """Return a run as it stands now, with its request; raises `NotThereError`."""
        live = self.live(identity)  # before the store: what is not live any more is kept
        stored = self._store.get(identity)
        if live is not None and not stored.state.is_final:
            return live.current().model_copy(update={"request": stored.request})
        if not stored.state.is_final:  # its end could not be written
            lost = StoreError("the run has ended, and how could not be kept")
            return Ending.with_error(stored, lost).run
        return stored

    def as_it_stands(self, run: Run) -> Run:
        """Return a run from a list as it stands now."""
        if run.state.is_final:
            return run
        live = self.live(run.id)
        if live is not None:
            return live.current()
        with suppress(NotThereError):  # it has ended since the list was read
            return self.get(run.id).model_copy(update={"request": None})
        return run

    def ids_in(self, state: RunState) -> tuple[str, ...]:
        """Return the ids of the runs that are queued or under way now."""
        with self._lock:
            return tuple(live.run.id for live in self._live.values() if live.run.state is state)

    def under_way(self, verb: VerbName) -> tuple[LiveRun, ...]:
        """Return the runs of a verb that are queued or under way now."""
        with self._lock:
            return tuple(live for live in self._live.values() if live.run.verb == verb)

    def cancel(self, identity: str) -> Run:
        """Stop a run at its next step, or take it off the queue; raises `ConflictError` if it has ended."""
        live = self.live(identity)
        if live is None:
            run = self._store.get(identity)
            raise ConflictError(f"the run has ended already: it is {run.state}")
        live.cancel(_PATIENCE)
        with self._lock:
            waits = live in self._queue
            if waits:
                self._queue.remove(live)
                self._publish_positions()
        if waits:
            self._end(live, Ending.stopped(live))
        return self.get(identity)

    def follow(self, live: LiveRun) -> None:
        """Count one more client of a run."""
        with self._lock:
            live.clients += 1

    def publish_queue_position(self, live: LiveRun) -> None:
        """Tell where a run stands in the queue to a client that begins to read."""
        with self._lock:
            if live in self._queue:
                live.publish_state()

    def leave(self, live: LiveRun) -> None:
        """Count a client that is gone; without any, a run that is not detached is cancelled."""
        with self._lock:
            live.clients -= 1
            abandoned = live.clients <= 0 and not live.run.detached and not live.ending
            if abandoned:  # nobody can join it any more
                live.cancel(_PATIENCE)
        if abandoned:
            with suppress(ProbativeError):  # it ended just now
                self.cancel(live.run.id)

    def state(self) -> QueueState:
        """Return how many runs are under way and wait."""
        with self._lock:
            return self._state()

    @property
    def is_idle(self) -> bool:
        """Whether no run works or waits."""
        with self._lock:
            return not self._live

    def _state(self) -> QueueState:
        return QueueState(running=self._running, waiting=len(self._queue), limit=self._limits.queue)

    def close(self, seconds: float = 10.0) -> None:
        """Stop working: runs stop at their next step; detached ones are taken up at the next start."""
        with self._lock:
            self._closing.set()
            for live in self._live.values():
                live.deferred = live.run.detached and not live.cancelled.is_set()
                live.cancelled.set()
            self._lock.notify_all()
        end = time.monotonic() + seconds
        for thread in self._threads:
            if thread.is_alive():
                thread.join(max(0.1, end - time.monotonic()))

    def _work(self) -> None:
        while True:
            with self._lock:
                while not self._queue and not self._closing.is_set():
                    self._lock.wait()
                if self._closing.is_set():
                    return
                live = self._queue.popleft()
                self._running += 1
                live.working = True
                live.position = 0
                live.run = live.run.model_copy(update={"state": RunState.RUNNING, "started": now()})
                live.deadline = time.monotonic() + self._limits.run_seconds
                self._publish_positions()
            try:
                live.publish_state()
                self._carry_out(live)
            finally:
                self._free(live)

    def _free(self, live: LiveRun) -> None:
        """Count the thread of a run as free: before its clients are told, who may come back at once."""
        with self._lock:
            self._running -= live.working
            live.working = False

    def _carry_out(self, live: LiveRun) -> None:
        try:
            live.check()
            if live.run.detached:  # so that one that ends the process is known at the next start
                self._store.change(live.run)
            result = self._execute(live)
            ending = Ending.with_result(live.run, result)  # which may be detached since it began
        except CancelledRunError as error:
            if live.deferred:
                _publish_deferred(live)
                return
            ending = Ending.with_error(live.run, error)
        except ProbativeError as error:
            ending = Ending.with_error(live.run, error)
        except BaseException:  # the thread goes on, whatever a model raises
            log.exception("run %s (%s) failed", live.run.id, live.run.verb)
            fault = UnexpectedError("the run failed for a reason of ours", hint="see the log of the server")
            ending = Ending.with_error(live.run, fault)
        self._end(live, ending, then_free=True)

    def _watch(self) -> None:
        """End runs that must stop and do not reach their next step; their threads go on until they do."""
        while not self._closing.wait(0.5):
            moment = time.monotonic()
            with self._lock:
                running = [live for live in self._live.values() if live.deadline is not None]
            for live in running:
                assert live.deadline is not None
                if moment > min(live.stop_by or inf, live.deadline + _PATIENCE):
                    self._end(live, Ending.stopped(live))
                    live.cancelled.set()

    def _end(self, live: LiveRun, ending: Ending, *, then_free: bool = False) -> None:
        """Keep how a run ended, then tell. Only the first end of a run counts."""
        with self._lock:
            if live.ending:
                return
            live.ending = True
        try:
            if live.stored:
                self._store.finish(ending.run, ending.words, ending.trace)
        except StoreError as failure:  # a full disk: nothing is reported as done that is not kept
            log.error("run %s could not be kept: %s", live.run.id, failure)
            ending = Ending.with_error(live.run, failure)
            with suppress(StoreError):
                self._store.finish(ending.run)
        with self._lock:
            live.run, live.words = ending.run, ending.words
            self._live.pop(live.run.id, None)
            if then_free:
                self._free(live)
        run = ending.run.model_copy(update={"request": live.request}).to_dict()
        if ending.result is not None:
            live.publish("result", {"run": run, "result": ending.result})
        else:
            live.publish("error", {"run": run, "error": run["error"]})
        self._clean()

    def _clean(self) -> None:
        with self._lock:
            self._finished += 1
            due = self._finished % _CLEANING_EVERY == 1
        if due:
            try:
                deleted = self._store.keep_newest(self._limits.kept_runs, self._limits.kept_bytes)
                if deleted:
                    log.info("%s old runs were deleted: see --kept-runs and --kept-megabytes", deleted)
            except StoreError as error:
                log.error("old runs could not be deleted: %s", error)

    def _publish_positions(self) -> None:
        """Tell waiting runs their place in the queue; the lock is held."""
        for position, live in enumerate(self._queue, start=1):
            if live.position != position:
                first, live.position = live.position == 0, position
                if first or live.log.is_followed:
                    live.publish_state()


def _publish_deferred(live: LiveRun) -> None:
    error = ClosingError("the server is shutting down; the run goes on at its next start")
    live.publish("error", {"run": live.current().to_dict(), "error": detail_of(error).to_dict()})
