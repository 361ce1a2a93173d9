"""Carry out the run of a tool: it waits in the queue, tells its progress, and can be cancelled."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Iterator
from contextlib import aclosing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import anyio
import anyio.to_thread

from probative.server.base.errors import ErrorDetail
from probative.server.base.options import Limits, ServerOptions
from probative.server.runs.events import Event
from probative.server.runs.live import LiveRun
from probative.server.state.catalog import Catalog
from probative.server.state.server_state import ServerState
from probative.session.session import Session
from probative.verbs.requests import VerbRequest
from probative.verbs.spec import VerbSpec

Report = Callable[[float, float | None, str | None], Awaitable[None]]
"""Sends one notification of progress to the client: how much is done, of how much, and a message."""


class RunFailedError(Exception):
    """A run ended with an error, which `detail` describes."""

    def __init__(self, detail: ErrorDetail) -> None:
        super().__init__(detail.message)
        self.detail = detail


@contextmanager
def temporary_state(session: Session, catalog: Catalog, limits: Limits) -> Iterator[ServerState]:
    """Yield a working queue whose runs are forgotten at the end: for a server that offers nothing but MCP."""
    with TemporaryDirectory(prefix="probative-") as folder:
        state = ServerState.open(session, catalog, ServerOptions(data=Path(folder), limits=limits))
        state.manager.start()
        try:
            yield state
        finally:
            state.close()


async def run_request(
    state: ServerState, spec: VerbSpec, request: VerbRequest, report: Report
) -> dict[str, Any]:
    """Return the result of a run as ``--json`` prints it; raises `RunFailedError` or a `ProbativeError`.

    If the call is cancelled, the run leaves the queue, or stops at its next step.
    """
    _, live = await anyio.to_thread.run_sync(state.submit, spec, request)
    assert live is not None, "only a run with a key may have ended before"
    try:
        return await _ended(live, _Progress(spec, report))
    finally:
        with anyio.CancelScope(shield=True):
            await anyio.to_thread.run_sync(state.manager.leave, live)


async def _ended(live: LiveRun, progress: _Progress) -> dict[str, Any]:
    async with aclosing(live.log.follow()) as events:
        async for event in events:
            if event is None:
                continue
            if event.name == "error":
                raise RunFailedError(ErrorDetail.model_validate(event.data["error"]))
            if event.name == "result":
                assert live.words is not None
                result: dict[str, Any] = json.loads(live.words)
                return result
            await progress.take(event)
    raise AssertionError("a log ends with its last event")


class _Progress:
    """Tells the client how far a run is. Progress must grow: it counts the parts of a result, or calls."""

    def __init__(self, spec: VerbSpec, report: Report) -> None:
        self._report = report
        self._parts = spec.parts
        self._step = spec.name
        self._sent = 0

    async def take(self, event: Event) -> None:
        """Send the progress of an event, if it has grown."""
        if event.name == "step":
            self._step = event.data["name"]
        if event.name != "progress" or "step" in event.data:
            return
        done, total = event.data.get("calls" if self._parts is None else "done", 0), event.data.get("total")
        if done <= self._sent:
            return
        self._sent = done
        if self._parts is None:
            await self._report(done, total, f"{self._step}: model calls: {done}")
        else:
            await self._report(done, total, f"{done} of {total} {self._parts.done}")
