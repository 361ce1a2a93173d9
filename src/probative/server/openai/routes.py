"""`/v1/models`, `/v1/chat/completions` and `/v1/responses`: every registered corpus as a model."""

from __future__ import annotations

import time
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path, Request
from starlette.responses import Response as HttpResponse

from probative.server.base.errors import documented
from probative.server.base.openai_errors import OpenAIErrorBody
from probative.server.base.whole_text import WholeTextRoute
from probative.server.openai.answering import PREFIX, answer, corpus_of
from probative.server.openai.chat import ChatCompletion
from probative.server.openai.requests import ChatRequest, ResponsesRequest
from probative.server.openai.responses import Response
from probative.server.routes.verbs import Key
from probative.server.state.server_state import State
from probative.types import Value

_EVENT = {"event": {"type": "string"}, "data": {"type": "string"}}
_STREAM: dict[str, Any] = {
    "text/event-stream": {"schema": {"type": "object", "properties": _EVENT, "required": ["data"]}}
}
_ERRORS = documented(OpenAIErrorBody, 400, 401, 402, 403, 404, 409, 413, 415, 429, 502, 503, 504)
_STARTED = int(time.time())

router = APIRouter(prefix="/v1", tags=["openai"], route_class=WholeTextRoute)


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


@router.get("/models", operation_id="list_models", responses=documented(OpenAIErrorBody, 401, 403))
def list_models(server: State) -> ModelList:
    """Return the models: one for each registered corpus."""
    return ModelList(data=tuple(Model(id=PREFIX + name, created=_STARTED) for name in server.catalog.corpora))


@router.get(
    "/models/{model:path}",
    operation_id="get_model",
    responses=documented(OpenAIErrorBody, 400, 401, 403, 404),
)
def get_model(
    server: State, model: Annotated[str, Path(max_length=200, description="`probative/CORPUS`")]
) -> Model:
    """Return a model."""
    return Model(id=PREFIX + corpus_of(server, model), created=_STARTED)


@router.post(
    "/chat/completions",
    operation_id="create_chat_completion",
    response_class=HttpResponse,
    responses={**_ERRORS, 200: {"model": ChatCompletion, "content": _STREAM}},
)
async def create_chat_completion(
    http: Request, server: State, body: ChatRequest, key: Key = None
) -> HttpResponse:
    """Answer the last message of the user from a corpus, with citations, or refuse."""
    return await answer(server, http, body, key)


@router.post(
    "/responses",
    operation_id="create_response",
    response_class=HttpResponse,
    responses={**_ERRORS, 200: {"model": Response, "content": _STREAM}},
)
async def create_response(
    http: Request, server: State, body: ResponsesRequest, key: Key = None
) -> HttpResponse:
    """Answer the last message of the user from a corpus, with citations, or refuse."""
    return await answer(server, http, body, key)
