"""`POST /api/VERB`: wait for the result, follow its events, or come back for it later."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Annotated, Any

from fastapi import APIRouter, Header
from fastapi import Request as HttpRequest
from starlette.responses import JSONResponse, Response

from probative.server.errors import ErrorBody, documented
from probative.server.requests import Request
from probative.server.routes.replies import (
    EVENT_STREAM,
    RUN_HEADER,
    ended_reply,
    kept_stream,
    stream_reply,
    wait_reply,
)
from probative.server.routes.whole_text import WholeTextRoute
from probative.server.runs.live import LiveRun
from probative.server.runs.run import VERBS, Run, VerbName
from probative.server.verbs import REQUESTS, RESULTS
from probative.server.workbench import Workbench

ABOUT: dict[VerbName, str] = {
    "ask": "Answer a question from a chain of passages that carries it, or say what is missing",
    "check": "Say whether knowledge is a chain of evidence for a question",
    "prove": "Find the sentences that together prove a claim",
    "judge": "Judge a claim by evidence",
    "verify": "Check every claim of a text against sources",
    "reason": "Answer a question over a graph that may not contain the answer",
    "annotate": "Ask the model which sentences of a text a claim needs",
}
Key = Annotated[str | None, Header(alias="Idempotency-Key", min_length=1, max_length=200)]
Prefer = Annotated[str, Header(max_length=200)]
Accept = Annotated[str, Header(max_length=1000)]


def verb_routes(bench: Workbench) -> APIRouter:
    """Return the routes of all verbs."""
    router = APIRouter(prefix="/api", tags=["verbs"], route_class=WholeTextRoute)
    for verb in VERBS:
        router.add_api_route(
            f"/{verb}",
            _endpoint(bench, verb, REQUESTS[verb]),
            methods=["POST"],
            summary=ABOUT[verb],
            operation_id=verb,
            response_class=Response,
            responses={
                **documented(ErrorBody),
                200: {
                    "model": RESULTS[verb],
                    "description": "The result as `--json` prints it, or a stream of its events",
                    "content": EVENT_STREAM,
                },
                202: {"model": Run, "description": "Accepted, with `Prefer: respond-async`"},
            },
        )
    return router


def _endpoint(bench: Workbench, verb: VerbName, kind: type[Request]) -> Callable[..., Awaitable[Response]]:
    async def endpoint(
        http: HttpRequest,
        body: kind,  # type: ignore[valid-type]
        key: Key = None,
        prefer: Prefer = "",
        accept: Accept = "",
    ) -> Response:
        return await start(bench, verb, body, http, key=key, prefer=prefer, accept=accept)

    endpoint.__name__ = verb
    endpoint.__doc__ = f"{ABOUT[verb]}."
    return endpoint


async def start(
    bench: Workbench,
    verb: VerbName,
    body: Any,
    http: HttpRequest,
    *,
    key: str | None,
    prefer: str,
    accept: str,
) -> Response:
    """Start a run, or take the earlier run with the same key, and reply in the way the client prefers."""
    detached = "respond-async" in prefer.lower()

    def submit() -> tuple[Run, LiveRun | None]:
        bench.verbs.check(body)
        return bench.manager.submit(verb, body.title, body.to_dict(), detached=detached, key=key)

    run, live = await asyncio.to_thread(submit)
    if detached:
        shown = await asyncio.to_thread(bench.manager.get, run.id)
        headers = {
            "Location": f"/api/runs/{run.id}",
            RUN_HEADER: run.id,
            "Preference-Applied": "respond-async",
        }
        return JSONResponse(shown.to_dict(), 202, headers=headers)
    if "text/event-stream" in accept.lower():
        if live is not None:
            return stream_reply(live, bench.manager)
        return await asyncio.to_thread(kept_stream, run, bench.store)
    if live is None:
        return await asyncio.to_thread(ended_reply, run, bench.store)
    return await wait_reply(http, live, bench.manager)
