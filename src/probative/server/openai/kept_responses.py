"""`/v1/responses/{id}`: responses again, from the runs that are kept in `/api/runs`."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path, Query, Request
from starlette.responses import JSONResponse
from starlette.responses import Response as HttpResponse

from probative.server.base.errors import ConflictError, ErrorDetail, NotThereError, documented
from probative.server.base.openai_errors import OpenAIErrorBody, message_of
from probative.server.openai.answering import (
    CHAT_VERB,
    PREFIX,
    RESPONSE,
    ChatRun,
    base_url,
    created_at,
    streamed,
)
from probative.server.openai.requests import ResponsesRequest
from probative.server.openai.responses import Response, ResponseWriter
from probative.server.routes.replies import last_event
from probative.server.runs.run import Run, RunState
from probative.server.state.server_state import ServerState, State
from probative.types import Value

ResponseId = Annotated[str, Path(max_length=100, description="the id of a response")]
_CONFLICT = documented(OpenAIErrorBody, 409)

router = APIRouter(
    prefix="/v1/responses",
    tags=["openai"],
    responses=documented(OpenAIErrorBody, 400, 401, 403, 404, 503),
)


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
    """The input of a response: the question alone."""

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
class KeptResponse:
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

    def chat(self, state: ServerState, http: Request) -> ChatRun:
        """Return the question with its run as it stands."""
        live = state.manager.live(self.run.id)
        run = self.run if live is not None else state.manager.get(self.run.id)  # it may have ended since
        return ChatRun(run, live, self.corpus, base_url(http), self.writer)


@router.get(
    "/{identity}",
    operation_id="get_response",
    response_class=HttpResponse,
    responses={200: {"model": Response}},
)
async def get_response(
    http: Request,
    server: State,
    identity: ResponseId,
    stream: Annotated[bool, Query(description="reply with the events of the response")] = False,
    starting_after: Annotated[
        int, Query(ge=-1, le=10**9, description="the number of the last event that came")
    ] = -1,
) -> HttpResponse:
    """Return a response as it stands."""
    response = await asyncio.to_thread(_kept_response, server, identity)
    if not stream:
        return JSONResponse(await asyncio.to_thread(_as_it_stands, response, server, http))
    chat = await asyncio.to_thread(response.chat, server, http)
    if chat.live is not None:
        server.manager.follow(chat.live)
    return await streamed(server, chat, starting_after)


@router.get("/{identity}/input_items", operation_id="list_input_items")
def list_input_items(server: State, identity: ResponseId) -> InputItems:
    """Return the question of a response."""
    response = _kept_response(server, identity)
    item = InputItem(id=f"msg_q_{response.run.id}", content=(InputText(text=response.question),))
    return InputItems(data=(item,), first_id=item.id, last_id=item.id)


@router.post(
    "/{identity}/cancel",
    operation_id="cancel_response",
    response_class=HttpResponse,
    responses={**_CONFLICT, 200: {"model": Response}},
)
def cancel_response(server: State, identity: ResponseId) -> HttpResponse:
    """Stop the run of a response at its next step. One that was cancelled before is returned."""
    response = _kept_response(server, identity)
    if response.run.state is not RunState.CANCELLED:
        server.manager.cancel(response.run.id)
    return JSONResponse(response.writer.unfinished("cancelled"))


@router.delete("/{identity}", operation_id="delete_response", responses=_CONFLICT)
def delete_response(server: State, identity: ResponseId) -> DeletedResponse:
    """Delete a response and its run."""
    response = _kept_response(server, identity)
    if server.manager.live(response.run.id) is not None:
        raise ConflictError("the response is not complete", hint="cancel it first")
    server.store.delete(response.run.id)
    return DeletedResponse(id=identity)


def _kept_response(state: ServerState, identity: str) -> KeptResponse:
    unknown = NotThereError(
        f"there is no response {identity!r}",
        hint="old runs are deleted; replies that needed no run and those with store=false are not kept",
    )
    if not identity.startswith(RESPONSE):
        raise unknown
    try:
        run = state.manager.get(identity.removeprefix(RESPONSE))
    except NotThereError:
        raise unknown from None
    request = run.request or {}
    if run.verb != CHAT_VERB or request.get("corpus") is None:
        raise unknown
    return KeptResponse(run, request["question"], request["corpus"])


def _as_it_stands(response: KeptResponse, state: ServerState, http: Request) -> dict[str, Any]:
    writer, run = response.writer, response.run
    if run.state is RunState.CANCELLED:
        return writer.unfinished("cancelled")
    if not run.state.is_final:
        return writer.unfinished("queued" if run.state is RunState.QUEUED else "in_progress")
    event = last_event(run, state.store)
    if event.name == "error":
        return writer.failed(message_of(ErrorDetail.model_validate(event.data["error"])))
    return writer.whole(*response.chat(state, http).reply(event))
