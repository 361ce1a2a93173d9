"""What routes reply with: results as they are kept, streams of events, and errors."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from probative.errors import ProbativeError
from probative.server.base.errors import (
    RETRY_AFTER,
    ErrorDetail,
    QueueFullError,
    body_of,
    status_of,
)
from probative.server.base.openai_errors import is_openai_path, openai_error, openai_reply
from probative.server.base.validation_messages import Problem, first_problem, unread_body
from probative.server.runs.events import Event
from probative.server.runs.live import LiveRun
from probative.server.runs.manager import RunManager
from probative.server.runs.run import Run
from probative.server.runs.store import RunStore

RUN_HEADER = "Probative-Run"
STREAM_HEADERS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
# Each event of a stream, as OpenAPI describes it.
EVENT_STREAM: dict[str, Any] = {
    "text/event-stream": {
        "schema": {
            "type": "object",
            "description": "one event; `data` is JSON",
            "properties": {"id": {"type": "string"}, "event": {"type": "string"}, "data": {"type": "string"}},
            "required": ["id", "event", "data"],
        }
    }
}


def json_reply(words: str, run: Run) -> Response:
    """Reply with a result that is JSON already, exactly as it is kept."""
    return Response(words, media_type="application/json", headers={RUN_HEADER: run.id})


def error_reply(
    error: ProbativeError | ErrorDetail, headers: Mapping[str, str] | None = None
) -> JSONResponse:
    """Reply with an error."""
    retry = {"Retry-After": RETRY_AFTER} if isinstance(error, QueueFullError) else {}
    return JSONResponse(body_of(error), status_of(error), headers={**(headers or {}), **retry})


def ended_reply(run: Run, store: RunStore) -> Response:
    """Reply with how a run ended: its result or its error."""
    words = store.result(run.id)
    if words is not None:
        return json_reply(words, run)
    error = run.error or ErrorDetail(type="CancelledRunError", message="the run has no result")
    return error_reply(error, {RUN_HEADER: run.id})


async def wait_end(request: Request, live: LiveRun, manager: RunManager) -> Event | None:
    """Wait for the last event of a run; the client, who was counted, leaves it. None if it is gone before."""
    gone = asyncio.ensure_future(client_gone(request))
    ended = live.log.end()
    try:
        await asyncio.wait((gone, ended), return_when=asyncio.FIRST_COMPLETED)
        return ended.result() if ended.done() else None
    finally:
        gone.cancel()
        ended.cancel()
        leave(live, manager)


async def wait_reply(request: Request, live: LiveRun, manager: RunManager) -> Response:
    """Wait for a run and reply with how it ended; a client that goes away leaves the run."""
    event = await wait_end(request, live, manager)
    if event is None:
        return Response(status_code=499)
    if event.name == "result" and live.words is not None:
        return json_reply(live.words, live.run)
    return error_reply(ErrorDetail.model_validate(event.data["error"]), {RUN_HEADER: live.run.id})


async def client_gone(request: Request) -> None:
    """Wait until the client has gone away; the body must have been read."""
    while (await request.receive())["type"] != "http.disconnect":
        pass


def leave(live: LiveRun, manager: RunManager) -> None:
    """Leave a run. To cancel one, a thread waits for the disk: not that of the loop."""
    if live.log.ended is None:
        asyncio.get_running_loop().run_in_executor(None, manager.leave, live)
    else:
        manager.leave(live)


class RunStream(StreamingResponse):
    """Events of a live run for a client, who was counted, and leaves it at the end, even if none was sent."""

    def __init__(self, live: LiveRun, manager: RunManager, events: AsyncIterator[str]) -> None:
        manager.publish_queue_position(live)
        self._live, self._manager = live, manager
        headers = _headers(live.run) if live.stored else STREAM_HEADERS
        super().__init__(events, media_type="text/event-stream", headers=headers)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            leave(self._live, self._manager)


async def _events(live: LiveRun, after: int) -> AsyncIterator[str]:
    yield ": the events of a run\n\n"
    async for event in live.log.follow(after):
        yield ": still here\n\n" if event is None else event.encoded()


def stream_reply(live: LiveRun, manager: RunManager, after: int = 0) -> StreamingResponse:
    """Reply with the events of a run as they happen."""
    return RunStream(live, manager, _events(live, after))


def last_event(run: Run, store: RunStore) -> Event:
    """Return the last event of a run that has ended, from what is kept."""
    words = store.result(run.id)
    ended = run.to_dict()
    if words is not None:
        return Event(1, "result", {"run": ended, "result": json.loads(words)})
    return Event(1, "error", {"run": ended, "error": ended["error"]})


def kept_stream(run: Run, store: RunStore) -> StreamingResponse:
    """Reply with the last event of a run that has ended."""
    event = last_event(run, store)

    async def events() -> AsyncIterator[str]:
        yield event.encoded()

    return StreamingResponse(events(), media_type="text/event-stream", headers=_headers(run))


def _headers(run: Run) -> dict[str, str]:
    return {RUN_HEADER: run.id, **STREAM_HEADERS}


def add_error_handlers(app: FastAPI) -> None:
    """Reply with our errors wherever a route raises one; those of `/v1` have the shape of OpenAI's."""

    @app.exception_handler(ProbativeError)
    async def ours(request: Request, error: ProbativeError) -> JSONResponse:
        return openai_reply(error) if is_openai_path(request.url.path) else error_reply(error)

    @app.exception_handler(RequestValidationError)
    async def shape(request: Request, error: RequestValidationError) -> JSONResponse:
        return _shape_reply(request, first_problem(error.errors()))

    @app.exception_handler(HTTPException)
    async def plain(request: Request, error: HTTPException) -> JSONResponse:
        unread = unread_body(error.__cause__)
        if is_openai_path(request.url.path):
            return openai_error(error.status_code, unread or str(error.detail), headers=error.headers)
        if unread is not None:
            return _shape_reply(request, Problem(None, unread, "json_invalid"))
        kind = "TooLargeError" if error.status_code == 413 else "HttpError"
        body = body_of(ErrorDetail(type=kind, message=str(error.detail)))
        return JSONResponse(body, error.status_code, headers=error.headers)


def _shape_reply(request: Request, problem: Problem) -> JSONResponse:
    if is_openai_path(request.url.path):
        code = "unknown_parameter" if problem.kind == "extra_forbidden" else "invalid_value"
        return openai_error(400, problem.message, param=problem.field, code=code)
    detail = ErrorDetail(type="ShapeError", message=problem.message, hint=problem.hint, field=problem.field)
    return JSONResponse(body_of(detail), 422)
