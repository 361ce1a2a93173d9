"""`POST /api/VERB`: wait for the result, follow its events, or come back for it later."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Annotated

from fastapi import APIRouter, Header
from fastapi import Request as HttpRequest
from starlette.responses import JSONResponse, Response

from probative.server.base.errors import ErrorBody, documented
from probative.server.base.whole_text import WholeTextRoute
from probative.server.routes.replies import (
    EVENT_STREAM,
    RUN_HEADER,
    ended_reply,
    kept_stream,
    stream_reply,
    wait_reply,
)
from probative.server.runs.run import Run
from probative.server.state.server_state import ServerState
from probative.verbs.spec import VerbSpec
from probative.verbs.table import VERBS

Key = Annotated[str | None, Header(alias="Idempotency-Key", min_length=1, max_length=200)]
Prefer = Annotated[str, Header(max_length=200)]
Accept = Annotated[str, Header(max_length=1000)]


def verb_routes(state: ServerState) -> APIRouter:
    """Return the routes of all verbs."""
    router = APIRouter(prefix="/api", tags=["verbs"], route_class=WholeTextRoute)
    for spec in VERBS.specs():
        router.add_api_route(
            f"/{spec.name}",
            _endpoint(state, spec),
            methods=["POST"],
            summary=spec.help,
            operation_id=spec.name,
            response_class=Response,
            responses={
                **documented(ErrorBody),
                200: {
                    "model": spec.result,
                    "description": "The result as `--json` prints it, or a stream of its events",
                    "content": EVENT_STREAM,
                },
                202: {"model": Run, "description": "Accepted, with `Prefer: respond-async`"},
            },
        )
    return router


def _endpoint(state: ServerState, spec: VerbSpec) -> Callable[..., Awaitable[Response]]:
    """Return the function that starts a run, or takes the earlier one with the same key, and replies in the
    way that the client prefers.
    """
    kind = spec.described_request

    async def endpoint(
        http: HttpRequest,
        body: kind,  # type: ignore[valid-type]
        key: Key = None,
        prefer: Prefer = "",
        accept: Accept = "",
    ) -> Response:
        detached = "respond-async" in prefer.lower()
        run, live = await asyncio.to_thread(state.submit, spec, body, detached=detached, key=key)
        if detached:
            return await asyncio.to_thread(_accepted, state, run.id)
        if "text/event-stream" in accept.lower():
            if live is not None:
                return stream_reply(live, state.manager)
            return await asyncio.to_thread(kept_stream, run, state.store)
        if live is None:
            return await asyncio.to_thread(ended_reply, run, state.store)
        return await wait_reply(http, live, state.manager)

    endpoint.__name__ = spec.name
    endpoint.__doc__ = f"{spec.help}."
    return endpoint


def _accepted(state: ServerState, identity: str) -> Response:
    headers = {
        "Location": f"/api/runs/{identity}",
        RUN_HEADER: identity,
        "Preference-Applied": "respond-async",
    }
    return JSONResponse(state.manager.get(identity).to_dict(), 202, headers=headers)
