"""`/v1/responses/{id}`: responses again, from the runs that are kept in `/api/runs`."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path, Query, Request
from starlette.responses import JSONResponse
from starlette.responses import Response as HttpResponse

from probative.server.base.errors import ConflictError, ErrorDetail, NotThereError, documented
from probative.server.base.openai_errors import OpenAIErrorBody, OpenAIRoute, message_of
from probative.server.openai.answering import PREFIX, Asked, base_url, created_at, streamed
from probative.server.openai.requests import ResponsesRequest
from probative.server.openai.responses import Response, ResponseWriter
from probative.server.routes.replies import last_event
from probative.server.runs.run import Run, RunState
from probative.server.state.server_state import ServerState
from probative.types import Value

_RESPONSE = "resp_"
ResponseId = Annotated[str, Path(max_length=100, description="the id of a response")]


class InputText(Value):
    """The words of a question."""

    type: Literal["input_text"] = "input_text"
    text: str


class InputItem(Value):
    """A question as an item of the input."""

    id: str
    type: Literal["message"] = "message"
    role: Literal["user"] = "user"
    status: Literal["completed"] = "completed"
    content: tuple[InputText, ...]


class InputItems(Value):
    """The input of a response: the question alone, as nothing else of a conversation is kept."""

    object: Literal["list"] = "list"
    data: tuple[InputItem, ...]
    first_id: str
    last_id: str
    has_more: bool = False


class DeletedResponse(Value):
    """That a response and its run are deleted."""

    id: str
    object: Literal["response"] = "response"
    deleted: Literal[True] = True


@dataclass(frozen=True)
class Kept:
    """A run that `/v1` shows as a response: a question to a corpus."""

    run: Run
    question: str
    corpus: str

    @property
    def writer(self) -> ResponseWriter:
        """The writer of the response. Metadata is not kept."""
        request = ResponsesRequest(
            model=PREFIX + self.corpus, input=self.question, background=self.run.detached
        )
        return ResponseWriter(request, self.run.id, created_at(self.run))

    def asked(self, state: ServerState, http: Request) -> Asked:
        """Return the question with its run as it stands."""
        live = state.manager.live(self.run.id)
        run = self.run if live is not None else state.manager.get(self.run.id)  # it may have ended since
        return Asked(run, live, self.corpus, base_url(http), self.writer)


def kept_response_routes(state: ServerState) -> APIRouter:
    """Return the routes of responses that were given before."""
    router = APIRouter(
        prefix="/v1/responses",
        tags=["openai"],
        route_class=OpenAIRoute,
        responses=documented(OpenAIErrorBody, 400, 401, 403, 404, 503),
    )
    conflict = documented(OpenAIErrorBody, 409)

    @router.get(
        "/{identity}",
        operation_id="get_response",
        response_class=HttpResponse,
        responses={200: {"model": Response}},
    )
    async def get_response(
        http: Request,
        identity: ResponseId,
        stream: Annotated[bool, Query(description="reply with the events of the response")] = False,
        starting_after: Annotated[
            int, Query(ge=-1, le=10**9, description="the number of the last event that came")
        ] = -1,
    ) -> HttpResponse:
        """Return a response as it stands."""
        kept = await asyncio.to_thread(_kept, state, identity)
        if stream:
            asked = await asyncio.to_thread(kept.asked, state, http)
            if asked.live is not None:
                state.manager.follow(asked.live)
            return await streamed(state, asked, starting_after)
        return JSONResponse(await asyncio.to_thread(_shown, kept, state, http))

    @router.get("/{identity}/input_items", operation_id="list_input_items")
    def list_input_items(identity: ResponseId) -> InputItems:
        """Return the question of a response."""
        kept = _kept(state, identity)
        item = InputItem(id=f"msg_q_{kept.run.id}", content=(InputText(text=kept.question),))
        return InputItems(data=(item,), first_id=item.id, last_id=item.id)

    @router.post(
        "/{identity}/cancel",
        operation_id="cancel_response",
        response_class=HttpResponse,
        responses={**conflict, 200: {"model": Response}},
    )
    def cancel_response(identity: ResponseId) -> HttpResponse:
        """Stop the run of a response at its next step. One that was cancelled before is returned."""
        kept = _kept(state, identity)
        if kept.run.state is not RunState.CANCELLED:
            state.manager.cancel(kept.run.id)
        return JSONResponse(kept.writer.unfinished("cancelled"))

    @router.delete("/{identity}", operation_id="delete_response", responses=conflict)
    def delete_response(identity: ResponseId) -> DeletedResponse:
        """Delete a response and its run."""
        kept = _kept(state, identity)
        if state.manager.live(kept.run.id) is not None:
            raise ConflictError("the response is not complete", hint="cancel it first")
        state.store.delete(kept.run.id)
        return DeletedResponse(id=identity)

    return router


def _kept(state: ServerState, identity: str) -> Kept:
    unknown = NotThereError(
        f"there is no response {identity!r}",
        hint="old runs are deleted; replies that needed no run and those with store=false are not kept",
    )
    if not identity.startswith(_RESPONSE):
        raise unknown
    try:
        run = state.manager.get(identity.removeprefix(_RESPONSE))
    except NotThereError:
        raise unknown from None
    request = run.request or {}
    if run.verb != "ask" or request.get("corpus") is None:
        raise unknown
    return Kept(run, request["question"], request["corpus"])


def _shown(kept: Kept, state: ServerState, http: Request) -> dict[str, Any]:
    writer = kept.writer
    if kept.run.state is RunState.CANCELLED:
        return writer.unfinished("cancelled")
    if not kept.run.state.is_final:
        return writer.unfinished("queued" if kept.run.state is RunState.QUEUED else "in_progress")
    event = last_event(kept.run, state.store)
    if event.name == "error":
        return writer.failed(message_of(ErrorDetail.model_validate(event.data["error"])))
    return writer.whole(*kept.asked(state, http).reply(event))
