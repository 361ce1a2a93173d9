"""`/v1/chat/completions`: the object and the chunks of its stream."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Annotated, Any, Literal, Self

from pydantic import Field

from probative.server.base.openai_errors import error_body
from probative.server.openai.answer_text import Finding, Reply, UrlCitation
from probative.server.openai.requests import ChatRequest
from probative.types import Usage, Value


class ChatUsage(Value):
    """Tokens that were read and written, with those that were scored among the read ones."""

    prompt_tokens: int
    completion_tokens: int
    total_tokens: int

    @classmethod
    def of(cls, usage: Usage) -> Self:
        """Return a usage of ours."""
        return cls(
            prompt_tokens=usage.prompt_tokens + usage.scored_tokens,
            completion_tokens=usage.completion_tokens,
            total_tokens=usage.tokens,
        )


class Place(Value):
    """The place that a marker stands for."""

    url: str
    title: str
    start_index: int
    end_index: int


class ChatAnnotation(Value):
    """A citation in a message."""

    type: Literal["url_citation"] = "url_citation"
    url_citation: Place


class ChatMessage(Value):
    """The message. `refusal` is always null: some clients show it behind `content`, others in its place."""

    role: Literal["assistant"] = "assistant"
    content: str
    refusal: None = None
    annotations: tuple[ChatAnnotation, ...] = ()


class ChatChoice(Value):
    """The only choice."""

    index: int = 0
    message: ChatMessage
    finish_reason: Literal["stop"] = "stop"
    logprobs: None = None


class ChatCompletion(Value):
    """A completion. `probative` is ours: the verdict, the certainty, what is missing, and the run."""

    id: str
    object: Literal["chat.completion"] = "chat.completion"
    created: int
    model: str
    choices: Annotated[tuple[ChatChoice, ...], Field(min_length=1, max_length=1)]
    usage: ChatUsage
    metadata: dict[str, str] | None = None
    probative: Finding


class ChatWriter:
    """Writes one completion, whole or as the chunks of a stream."""

    end = "data: [DONE]\n\n"

    def __init__(self, request: ChatRequest, identity: str, created: int) -> None:
        self._request = request
        self._base: dict[str, Any] = {
            "id": f"chatcmpl-{identity}",
            "object": "chat.completion.chunk",
            "created": created,
            "model": request.model,
        }
        options = request.stream_options
        self._with_usage = options is not None and bool(options.include_usage)

    def whole(self, reply: Reply, usage: Usage) -> dict[str, Any]:
        """Return the completion as JSON."""
        message = ChatMessage(content=reply.text, annotations=_annotations(reply.annotations))
        return ChatCompletion(
            id=self._base["id"],
            created=self._base["created"],
            model=self._base["model"],
            choices=(ChatChoice(message=message),),
            usage=ChatUsage.of(usage),
            metadata=self._request.metadata,
            probative=reply.finding,
        ).to_dict()

    def begin(self) -> Iterator[dict[str, Any]]:
        """Yield the first chunk, which comes before the answer is known."""
        yield self._chunk({"role": "assistant", "content": ""})

    def finish(self, reply: Reply, usage: Usage) -> Iterator[dict[str, Any]]:
        """Yield the text, the annotations, the end, and the usage if it was asked for."""
        for piece in reply.pieces:
            yield self._chunk({"content": piece})
        if reply.annotations:
            annotations = [annotation.to_dict() for annotation in _annotations(reply.annotations)]
            yield self._chunk({"annotations": annotations})
        yield {**self._chunk({}, "stop"), "probative": reply.finding.to_dict()}
        if self._with_usage:
            yield {**self._base, "choices": [], "usage": ChatUsage.of(usage).to_dict()}

    def fail(self, status: int, message: str) -> dict[str, Any]:
        """Return what ends the stream of a run that failed; the official client raises it."""
        return error_body(status, message)

    def encoded(self, chunk: dict[str, Any]) -> str:
        """Return a chunk as the stream has it."""
        return f"data: {json.dumps(chunk, ensure_ascii=False)}\n\n"

    def _chunk(self, delta: dict[str, Any], finish_reason: str | None = None) -> dict[str, Any]:
        choice = {"index": 0, "delta": delta, "finish_reason": finish_reason, "logprobs": None}
        chunk = {**self._base, "choices": [choice]}
        return {**chunk, "usage": None} if self._with_usage else chunk


def _annotations(citations: Iterable[UrlCitation]) -> tuple[ChatAnnotation, ...]:
    return tuple(
        ChatAnnotation(url_citation=Place(**citation.model_dump(exclude={"type"}))) for citation in citations
    )
