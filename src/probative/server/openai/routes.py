"""`/v1/models`, `/v1/chat/completions` and `/v1/responses`: every registered corpus as a model."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Any, Literal, Protocol

from fastapi import APIRouter, Path, Request
from starlette.responses import JSONResponse, StreamingResponse
from starlette.responses import Response as HttpResponse

from probative.scope.result import Answer
from probative.server.errors import ErrorDetail, status_of_type
from probative.server.openai.answer_text import Reply, place_url, reply_of, reply_to_follow_up
from probative.server.openai.chat import ChatCompletion, ChatWriter
from probative.server.openai.errors import (
    ERRORS,
    OpenAIRoute,
    UnknownModelError,
    detail_reply,
    message_of,
)
from probative.server.openai.follow_up import points_back
from probative.server.openai.requests import AnyRequest, ChatRequest, ResponsesRequest
from probative.server.openai.responses import Response, ResponseWriter
from probative.server.requests import AskRequest
from probative.server.routes.replies import RUN_HEADER, RunStream, wait_end
from probative.server.runs.events import LAST, Event
from probative.server.runs.live import LiveRun
from probative.server.workbench import Workbench
from probative.types import Value
from probative.usage import Usage

PREFIX = "probative/"
_EVENT = {"event": {"type": "string"}, "data": {"type": "string"}}
_STREAM: dict[str, Any] = {
    "text/event-stream": {"schema": {"type": "object", "properties": _EVENT, "required": ["data"]}}
}


class Model(Value):
    """A registered corpus as a model."""

    id: str
    object: Literal["model"] = "model"
    created: int
    owned_by: Literal["probative"] = "probative"


class ModelList(Value):
    """All models."""

    object: Literal["list"] = "list"
    data: tuple[Model, ...] = ()


class Writer(Protocol):
    """Writes a reply, whole or as a stream."""

    end: str

    def whole(self, reply: Reply, usage: Usage) -> dict[str, Any]:
        """Return the whole reply."""

    def begin(self) -> Iterator[dict[str, Any]]:
        """Yield what a stream begins with."""

    def finish(self, reply: Reply, usage: Usage) -> Iterator[dict[str, Any]]:
        """Yield the reply and the end."""

    def fail(self, status: int, message: str) -> dict[str, Any]:
        """Return what ends a stream that failed."""

    def encoded(self, data: dict[str, Any]) -> str:
        """Return data as the stream has it."""


@dataclass(frozen=True)
class Asked:
    """A question to a corpus that is under way, and the writer of its reply."""

    live: LiveRun
    corpus: str
    base: str
    writer: Writer

    def reply(self, event: Event) -> tuple[Reply, Usage]:
        """Return what is said after the last event of a run that is done."""
        answer = Answer.model_validate(event.data["result"])
        url = partial(place_url, self.base, self.corpus)
        return reply_of(answer, self.corpus, self.live.run.id, url), answer.usage

    def ending(self, event: Event) -> Iterator[dict[str, Any]]:
        """Yield the end of a stream after the last event of a run."""
        if event.name == "result":
            yield from self.writer.finish(*self.reply(event))
        else:
            error = ErrorDetail.model_validate(event.data["error"])
            yield self.writer.fail(status_of_type(error.type), message_of(error))


def openai_routes(bench: Workbench) -> APIRouter:
    """Return the routes of the OpenAI API."""
    router = APIRouter(prefix="/v1", tags=["openai"], route_class=OpenAIRoute)
    started = int(time.time())

    @router.get("/models", operation_id="list_models", responses=_errors(401, 403))
    def list_models() -> ModelList:
        """Return the models: one for each registered corpus."""
        return ModelList(
            data=tuple(Model(id=PREFIX + name, created=started) for name in bench.catalog.corpora)
        )

    @router.get("/models/{model:path}", operation_id="get_model", responses=_errors(400, 401, 403, 404))
    def get_model(
        model: Annotated[str, Path(max_length=200, description="`probative/CORPUS`")],
    ) -> Model:
        """Return a model."""
        return Model(id=PREFIX + _corpus(bench, model), created=started)

    @router.post(
        "/chat/completions",
        operation_id="create_chat_completion",
        response_class=HttpResponse,
        responses={**ERRORS, 200: {"model": ChatCompletion, "content": _STREAM}},
    )
    async def create_chat_completion(http: Request, body: ChatRequest) -> HttpResponse:
        """Answer the last message of the user from a corpus, with citations, or refuse."""
        return await _answer(bench, http, body, ChatWriter)

    @router.post(
        "/responses",
        operation_id="create_response",
        response_class=HttpResponse,
        responses={**ERRORS, 200: {"model": Response, "content": _STREAM}},
    )
    async def create_response(http: Request, body: ResponsesRequest) -> HttpResponse:
        """Answer the last message of the user from a corpus, with citations, or refuse."""
        return await _answer(bench, http, body, ResponseWriter)

    return router


def _errors(*statuses: int) -> dict[int | str, dict[str, Any]]:
    return {status: ERRORS[status] for status in statuses}


def _corpus(bench: Workbench, model: str) -> str:
    name = model.removeprefix(PREFIX)
    if not model.startswith(PREFIX) or name not in bench.catalog.corpora:
        known = (
            ", ".join(PREFIX + corpus for corpus in bench.catalog.corpora) or "none: no corpus is registered"
        )
        raise UnknownModelError(f"the model {model!r} does not exist", hint=f"models: {known}")
    return name


async def _answer(bench: Workbench, http: Request, body: AnyRequest, kind: type[Any]) -> HttpResponse:
    body.check()
    corpus = _corpus(bench, body.model)
    conversation = body.conversation
    pointer = points_back(conversation.question) if conversation.has_earlier_turns else None
    if pointer is not None:
        writer = kind(body, secrets.token_urlsafe(12), int(time.time()))
        return _without_run(writer, reply_to_follow_up(pointer), streamed=bool(body.stream))
    ask = AskRequest(question=conversation.question, corpus=corpus)
    await asyncio.to_thread(bench.verbs.check, ask)
    _, live = await asyncio.to_thread(bench.manager.submit, "ask", ask.title, ask.to_dict())
    assert live is not None, "a run without a key is new"
    base = f"{http.url.scheme}://{http.headers.get('host', 'localhost')}"
    asked = Asked(live, corpus, base, kind(body, live.run.id, int(time.time())))
    return _streamed(bench, asked) if body.stream else await _waited(bench, http, asked)


async def _waited(bench: Workbench, http: Request, asked: Asked) -> HttpResponse:
    run = asked.live.run.id
    event = await wait_end(http, asked.live, bench.manager)
    if event is None:  # the client is gone
        return HttpResponse(status_code=499)
    if event.name == "error":
        reply = detail_reply(ErrorDetail.model_validate(event.data["error"]))
        reply.headers[RUN_HEADER] = run
        return reply
    return JSONResponse(asked.writer.whole(*asked.reply(event)), headers={RUN_HEADER: run})


def _streamed(bench: Workbench, asked: Asked) -> StreamingResponse:
    live, writer = asked.live, asked.writer

    async def events() -> AsyncIterator[str]:
        for data in writer.begin():
            yield writer.encoded(data)
        async for event in live.log.follow():
            if event is None:
                yield ": still here\n\n"
            elif event.name in LAST:
                for data in asked.ending(event):
                    yield writer.encoded(data)
        yield writer.end

    return RunStream(live, bench.manager, events())


def _without_run(writer: Writer, reply: Reply, *, streamed: bool) -> HttpResponse:
    if not streamed:
        return JSONResponse(writer.whole(reply, Usage()))

    async def events() -> AsyncIterator[str]:
        for data in (*writer.begin(), *writer.finish(reply, Usage())):
            yield writer.encoded(data)
        yield writer.end

    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return StreamingResponse(events(), media_type="text/event-stream", headers=headers)
