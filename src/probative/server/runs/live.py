"""A run that has not ended: its request, its events, and whether it is still wanted."""

from __future__ import annotations

import json
import threading
import time
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Self

from probative.errors import ProbativeError
from probative.server.base.errors import CancelledRunError, TimeLimitError, detail_of
from probative.server.runs.events import EventLog
from probative.server.runs.run import Run, RunState, now, summary_of
from probative.types import Value


@dataclass(eq=False)
class LiveRun:
    """A run that is queued or under way. `position` is its place in the queue.

    `ending` is set once, by whoever ends the run. `working` says that a thread is at work on it, which may
    last longer than the run. A run that is not `stored` is never on disk. `deferred` runs are stopped by the
    end of the server, and the next one takes them up.
    """

    run: Run
    request: dict[str, Any]
    seconds: float
    log: EventLog = field(default_factory=EventLog)
    cancelled: threading.Event = field(default_factory=threading.Event)
    position: int = 0
    clients: int = 0
    deadline: float | None = None
    stop_by: float | None = None
    ending: bool = False
    working: bool = False
    deferred: bool = False
    stored: bool = True
    words: str | None = None  # the JSON of the result

    def publish(self, name: str, data: dict[str, Any]) -> None:
        """Send an event to the clients that follow this run."""
        self.log.add(name, data)

    def publish_state(self) -> None:
        """Publish the state of the run and its place in the queue."""
        self.publish("state", {"state": self.run.state, "position": self.position})

    def current(self) -> Run:
        """Return the run as it stands."""
        return self.run.model_copy(update={"position": self.position})

    def cancel(self, patience: float) -> None:
        """Stop the run at its next step; after `patience` seconds nobody waits for that any more."""
        self.cancelled.set()
        if self.stop_by is None:
            self.stop_by = time.monotonic() + patience

    def go_on(self) -> None:
        """Begin the time of the next part: of a run of many parts, each may take as long as a run."""
        self.check()
        self.deadline = time.monotonic() + self.seconds

    def stop_error(self) -> ProbativeError | None:
        """Return why the run must stop: it was cancelled or has taken too long. None if it may go on."""
        if self.cancelled.is_set():
            return CancelledRunError("the run was cancelled")
        if self.deadline is not None and time.monotonic() > self.deadline:
            return TimeLimitError(
                f"the run took longer than {self.seconds:g} s", hint="ask for less, or raise --run-seconds"
            )
        return None

    def check(self) -> None:
        """Raise `CancelledRunError` or `TimeLimitError` if the run must stop."""
        if (error := self.stop_error()) is not None:
            raise error


class Ending(NamedTuple):
    """How a run ends: the run itself, and its result as JSON and as data, if it has one."""

    run: Run
    words: str | None = None
    trace: str | None = None
    result: dict[str, Any] | None = None

    @classmethod
    def with_result(cls, run: Run, result: Value) -> Self:
        """Return the end of a run that is done."""
        trace: Value | None = getattr(result, "trace", None)
        words = result.model_copy(update={"trace": None}).to_json()
        plain = json.loads(words)
        done = _ended(run, RunState.DONE, None).model_copy(update=summary_of(plain))
        return cls(done, words, None if trace is None else trace.to_json(), plain)

    @classmethod
    def with_error(cls, run: Run, error: ProbativeError) -> Self:
        """Return the end of a run that was cancelled or failed."""
        cancelled = isinstance(error, CancelledRunError)
        return cls(_ended(run, RunState.CANCELLED if cancelled else RunState.FAILED, error))

    @classmethod
    def stopped(cls, live: LiveRun) -> Self:
        """Return the end of a run that must stop."""
        error = live.stop_error()
        assert error is not None, "the run may go on"
        return cls.with_error(live.run, error)


def _ended(run: Run, state: RunState, error: ProbativeError | None) -> Run:
    detail = None if error is None else detail_of(error)
    return run.model_copy(update={"state": state, "finished": now(), "position": 0, "error": detail})
