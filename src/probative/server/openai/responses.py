"""`/v1/responses`: the object and the events of its stream."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Annotated, Any, Literal, Self

from pydantic import Field

from probative.server.openai.answer_text import Finding, Reply, UrlCitation
from probative.server.openai.requests import ResponsesRequest
from probative.types import Usage, Value

Status = Literal["queued", "in_progress", "completed", "failed", "cancelled"]


class InputDetails(Value):
    """Tokens of a cache on OpenAI's side; there is none here."""

    cached_tokens: int = 0
    cache_write_tokens: int = 0


class OutputDetails(Value):
    """Tokens of reasoning; there are none here."""

    reasoning_tokens: int = 0


class ResponseUsage(Value):
    """Tokens that were read and written, with those that were scored among the read ones."""

    input_tokens: int
    input_tokens_details: InputDetails = InputDetails()
    output_tokens: int
    output_tokens_details: OutputDetails = OutputDetails()
    total_tokens: int

    @classmethod
    def of(cls, usage: Usage) -> Self:
        """Return a usage of ours."""
        read = usage.prompt_tokens + usage.scored_tokens
        return cls(input_tokens=read, output_tokens=usage.completion_tokens, total_tokens=usage.tokens)


class OutputText(Value):
    """The text and its citations."""

    type: Literal["output_text"] = "output_text"
    text: str
    annotations: tuple[UrlCitation, ...] = ()
    logprobs: tuple[()] = ()


class OutputMessage(Value):
    """The message. There is never a part of the type `refusal`: some clients show it behind the text."""

    id: str
    type: Literal["message"] = "message"
    role: Literal["assistant"] = "assistant"
    status: Literal["in_progress", "completed"] = "completed"
    content: tuple[OutputText, ...] = ()


class ResponseFailure(Value):
    """Why a response failed."""

    code: Literal["server_error"] = "server_error"
    message: str


class ResponseFormat(Value):
    """The form of the text."""

    type: Literal["text"] = "text"


class ResponseText(Value):
    """Options of the text."""

    format: ResponseFormat = ResponseFormat()


class Response(Value):
    """A response. `probative` is ours: the verdict, the certainty, what is missing, and the run."""

    id: str
    object: Literal["response"] = "response"
    created_at: int
    status: Status = "completed"
    error: ResponseFailure | None = None
    incomplete_details: None = None
    instructions: None = None
    model: str
    output: Annotated[tuple[OutputMessage, ...], Field(max_length=1)] = ()
    parallel_tool_calls: bool = False
    previous_response_id: str | None = None
    background: bool = False
    store: bool = True
    text: ResponseText = ResponseText()
    tool_choice: Literal["none"] = "none"
    tools: tuple[()] = ()
    usage: ResponseUsage | None = None
    metadata: dict[str, str] | None = None
    probative: Finding | None = None


class ResponseWriter:
    """Writes one response, whole or as the numbered events of a stream."""

    end = ""

    def __init__(self, request: ResponsesRequest, identity: str, created: int) -> None:
        self._base = Response(
            id=f"resp_{identity}",
            created_at=created,
            status="in_progress",
            model=request.model,
            previous_response_id=request.previous_response_id,
            background=request.in_background,
            store=request.is_kept,
            metadata=request.metadata,
        )
        self._item = f"msg_{identity}"
        self._number = -1

    def whole(self, reply: Reply, usage: Usage) -> dict[str, Any]:
        """Return the response as JSON."""
        return self._done(reply, usage).to_dict()

    def unfinished(self, status: Status) -> dict[str, Any]:
        """Return a response that has no answer, or not yet, as JSON."""
        return self._base.model_copy(update={"status": status}).to_dict()

    def failed(self, message: str) -> dict[str, Any]:
        """Return a response that failed as JSON. OpenAI has one code for all of our failures."""
        error = ResponseFailure(message=message)
        return self._base.model_copy(update={"status": "failed", "error": error}).to_dict()

    def begin(self) -> Iterator[dict[str, Any]]:
        """Yield what comes before the answer is known."""
        yield self._event("created", response=self._base.to_dict())
        yield self._event("in_progress", response=self._base.to_dict())

    def finish(self, reply: Reply, usage: Usage) -> Iterator[dict[str, Any]]:
        """Yield the message with its parts, then the whole response."""
        whole = self._done(reply, usage)
        started = OutputMessage(id=self._item, status="in_progress")
        yield self._event("output_item.added", output_index=0, item=started.to_dict())
        yield from self._text(reply)
        yield self._event("output_item.done", output_index=0, item=whole.output[0].to_dict())
        yield self._event("completed", response=whole.to_dict())

    def fail(self, status: int, message: str) -> dict[str, Any]:
        """Return what ends the stream of a run that failed."""
        return self._event("failed", response=self.failed(message))

    def encoded(self, event: dict[str, Any]) -> str:
        """Return an event as the stream has it."""
        return f"event: {event['type']}\ndata: {json.dumps(event, ensure_ascii=False)}\n\n"

    def _done(self, reply: Reply, usage: Usage) -> Response:
        return self._base.model_copy(
            update={
                "status": "completed",
                "output": (OutputMessage(id=self._item, content=(_text_part(reply),)),),
                "usage": ResponseUsage.of(usage),
                "probative": reply.finding,
            }
        )

    def _text(self, reply: Reply) -> Iterator[dict[str, Any]]:
        yield self._part("content_part.added", 0, part=OutputText(text="").to_dict())
        for piece in reply.pieces:
            yield self._part("output_text.delta", 0, delta=piece, logprobs=[])
        for number, citation in enumerate(reply.annotations):
            yield self._part(
                "output_text.annotation.added", 0, annotation_index=number, annotation=citation.to_dict()
            )
        yield self._part("output_text.done", 0, text=reply.text, logprobs=[])
        yield self._part("content_part.done", 0, part=_text_part(reply).to_dict())

    def _part(self, name: str, index: int, **data: Any) -> dict[str, Any]:
        return self._event(name, item_id=self._item, output_index=0, content_index=index, **data)

    def _event(self, name: str, **data: Any) -> dict[str, Any]:
        self._number += 1
        return {"type": f"response.{name}", "sequence_number": self._number, **data}


def _text_part(reply: Reply) -> OutputText:
    return OutputText(text=reply.text, annotations=reply.annotations)
