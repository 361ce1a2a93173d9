"""Run a verb in a thread: progress goes to the client, and a cancelled request stops the run."""

from __future__ import annotations

import threading
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial
from typing import Protocol, TypeVar

import anyio
import anyio.lowlevel
import anyio.to_thread

from probative.server.errors import TimeLimitError
from probative.trace import Call, Observer, RunStoppedError, observing
from probative.types import Value

Result = TypeVar("Result", bound=Value)

# Seconds between two notifications of progress; what happens in between is told by the next.
INTERVAL = 0.2


class Report(Protocol):
    """Sends one notification of progress to the client."""

    def __call__(
        self, progress: float, total: float | None = None, message: str | None = None
    ) -> Awaitable[None]: ...


@dataclass(frozen=True)
class Progress:
    """How far a run is: so many calls of models, or so many claims of all."""

    done: int
    total: int | None
    message: str


class RunObserver(Observer):
    """Notes the progress of a run, in its thread, and stops it once its request is cancelled or it has taken
    `seconds`.

    Progress must grow with every notification, so a run counts either calls or, with `counts_claims`, claims.
    """

    def __init__(self, seconds: float, *, counts_claims: bool = False) -> None:
        self.latest: Progress | None = None
        self.cancelled = threading.Event()
        self.late = False
        self.seconds = seconds
        self._deadline: float | None = None
        self._counts_claims = counts_claims
        self._step = ""
        self._calls = 0

    def step_started(self, name: str) -> None:
        self._check()
        self._step = name

    def called(self, call: Call) -> None:
        self._check()
        self._calls += 1
        if not self._counts_claims:
            message = f"{self._step}: {self._calls} calls"
            self.latest = Progress(self._calls, None, message)

    def claims_checked(self, done: int, total: int) -> None:
        """Note that `done` of `total` claims are checked."""
        self._check()
        if self._counts_claims:
            self.latest = Progress(done, total, f"{done} of {total} claims checked")

    def prepared(self, done: int, total: int) -> None:
        """Take how far a preparation is, such as the encoding of a graph."""
        self._check()

    def started(self) -> None:
        """Take that the run leaves the queue: its time begins."""
        self._deadline = time.monotonic() + self.seconds

    def _check(self) -> None:
        self.late = self._deadline is not None and time.monotonic() > self._deadline
        if self.late or self.cancelled.is_set():
            raise RunStoppedError


async def run_observed(
    work: Callable[[RunObserver], Result],
    observer: RunObserver,
    report: Report,
    limiter: anyio.CapacityLimiter,
) -> Result:
    """Return the result of `work`, which runs in a thread, and raise its error.

    If the request is cancelled, the run stops at its next call of a model. This returns only after the run
    has ended, so the limiter counts every thread that works.
    """
    sender = _Sender(observer, report)
    async with anyio.create_task_group() as group:
        group.start_soon(sender.send_until_cancelled)
        # An error must not reach the task group, which would wrap it.
        outcome = await anyio.to_thread.run_sync(partial(_outcome, work, observer), limiter=limiter)
        group.cancel_scope.cancel()
    await anyio.lowlevel.checkpoint_if_cancelled()
    await sender.send()
    if isinstance(outcome, RunStoppedError) and observer.late:
        raise TimeLimitError(f"the call took longer than {observer.seconds:g} s", hint="ask for less")
    if isinstance(outcome, Exception):
        raise outcome
    return outcome


def _outcome(work: Callable[[RunObserver], Result], observer: RunObserver) -> Result | Exception:
    observer.started()
    try:
        with observing(observer):
            return work(observer)
    except Exception as error:
        return error


class _Sender:
    """Sends the progress that an observer noted, if it has grown."""

    def __init__(self, observer: RunObserver, report: Report) -> None:
        self._observer = observer
        self._report = report
        self._sent = 0

    async def send(self) -> None:
        latest = self._observer.latest
        if latest is not None and latest.done > self._sent:
            self._sent = latest.done
            await self._report(latest.done, latest.total, latest.message)

    async def send_until_cancelled(self) -> None:
        """Send progress now and then; the run of a cancelled request is told to stop."""
        try:
            while True:
                await self.send()
                await anyio.sleep(INTERVAL)
        finally:
            self._observer.cancelled.set()
