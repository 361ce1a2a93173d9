"""What `/v1/chat/completions` and `/v1/responses` take.

A parameter is used, accepted and ignored where that does no harm, or refused where ignoring it would mislead.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any

from pydantic import Field

from probative.server.base.openai_errors import ParameterError
from probative.server.openai.conversation import (
    Conversation,
    Message,
    OpenAIValue,
    conversation_of,
)
from probative.types import Value

_IGNORED = "accepted and ignored"
_NEVER_CALLED = "accepted; no tool is ever called"

ModelName = Annotated[
    str, Field(min_length=1, max_length=200, description="`probative/CORPUS`, one of `/v1/models`")
]
IgnoredNumber = Annotated[float | None, Field(description=_IGNORED)]
IgnoredCount = Annotated[int | None, Field(description=_IGNORED)]
IgnoredText = Annotated[str | None, Field(description=_IGNORED)]
IgnoredFlag = Annotated[bool | None, Field(description=_IGNORED)]
IgnoredObject = Annotated[dict[str, Any] | None, Field(description=_IGNORED)]
UncalledTools = Annotated[tuple[dict[str, Any], ...] | None, Field(description=_NEVER_CALLED)]
ToolChoice = Annotated[
    str | dict[str, Any] | None, Field(description="`auto` and `none` are accepted; no tool is ever called")
]
Metadata = Annotated[
    dict[str, str] | None, Field(max_length=16, description="returned as it is; nothing else is done with it")
]
Refused = Annotated[Any, Field(description="refused: it is not offered here")]


class StreamOptions(OpenAIValue):
    """Options of a stream."""

    include_usage: Annotated[bool | None, Field(description="end with a chunk of the usage")] = None


class Format(OpenAIValue):
    """The form of the text. Only `text` is offered."""

    type: Annotated[str, Field(max_length=100)] = "text"


class TextOptions(OpenAIValue):
    """Options of the text of a response."""

    format: Format | None = None


class OpenAIRequest(Value):
    """The parameters that both APIs share."""

    model: ModelName
    stream: Annotated[bool | None, Field(description="reply with a stream of events")] = None
    metadata: Metadata = None
    tools: UncalledTools = None
    tool_choice: ToolChoice = None
    temperature: IgnoredNumber = None
    top_p: IgnoredNumber = None
    parallel_tool_calls: IgnoredFlag = None
    top_logprobs: Annotated[int | None, Field(description="only 0")] = None
    store: Annotated[bool | None, Field(description="false: the run is not kept after its end")] = None
    user: IgnoredText = None
    safety_identifier: IgnoredText = None
    service_tier: IgnoredText = None
    prompt_cache_key: IgnoredText = None
    prompt_cache_options: IgnoredObject = None
    prompt_cache_retention: IgnoredText = None
    moderation: Refused = None

    @property
    def is_kept(self) -> bool:
        """Whether the run stays in `/api/runs`."""
        return self.store is not False

    @property
    def in_background(self) -> bool:
        """Whether the run goes on without its client."""
        return False

    def check(self) -> None:
        """Raise `ParameterError` for a parameter that cannot be ignored."""
        if isinstance(self.tool_choice, dict) or self.tool_choice not in (None, "auto", "none"):
            raise ParameterError(
                "a call of a tool cannot be required: this model only answers from its corpus",
                param="tool_choice",
                code="unsupported_value",
            )
        if self.top_logprobs:
            raise _not_offered("top_logprobs", "log-probabilities of the text are not offered")
        if self.moderation is not None:
            raise _not_offered("moderation", "moderation is not offered")


class ChatRequest(OpenAIRequest):
    """A request of `/v1/chat/completions`. The last message of the user is the question."""

    messages: Annotated[tuple[Message, ...], Field(min_length=1, max_length=10_000)]
    stream_options: StreamOptions | None = None
    n: Annotated[int | None, Field(description="only 1")] = None
    response_format: Annotated[Format | None, Field(description="only `text`")] = None
    logprobs: Annotated[bool | None, Field(description="only false")] = None
    modalities: Annotated[tuple[str, ...] | None, Field(description="only `text`")] = None
    functions: UncalledTools = None
    function_call: ToolChoice = None
    frequency_penalty: IgnoredNumber = None
    presence_penalty: IgnoredNumber = None
    logit_bias: IgnoredObject = None
    max_tokens: IgnoredCount = None
    max_completion_tokens: IgnoredCount = None
    prediction: IgnoredObject = None
    reasoning_effort: IgnoredText = None
    seed: IgnoredCount = None
    stop: Annotated[str | tuple[str, ...] | None, Field(description=_IGNORED)] = None
    verbosity: IgnoredText = None
    # Not OpenAI's: chat pages send them to servers of local models.
    top_k: IgnoredCount = None
    min_p: IgnoredNumber = None
    repeat_penalty: IgnoredNumber = None
    repetition_penalty: IgnoredNumber = None
    chat_template_kwargs: IgnoredObject = None
    audio: Refused = None
    web_search_options: Refused = None

    def check(self) -> None:
        """Raise `ParameterError` for a parameter that cannot be ignored."""
        super().check()
        if self.n not in (None, 1):
            raise ParameterError(f"n must be 1, got {self.n}", param="n", code="unsupported_value")
        if self.function_call not in (None, "auto", "none"):
            raise _not_offered("function_call", "a call of a function cannot be required")
        _check_format(self.response_format, "response_format")
        if self.logprobs:
            raise _not_offered("logprobs", "log-probabilities of the text are not offered")
        if any(kind != "text" for kind in self.modalities or ()) or self.audio is not None:
            raise _not_offered("modalities", "only text is offered")
        if self.web_search_options is not None:
            raise _not_offered("web_search_options", "the web is not searched, only the corpus")

    @property
    def conversation(self) -> Conversation:
        """The question; raises `ParameterError`."""
        return conversation_of(self.messages, "messages")


class ResponsesRequest(OpenAIRequest):
    """A request of `/v1/responses`. `input` is the question, or a conversation that ends with it."""

    input: Annotated[str | tuple[Message, ...], Field(max_length=1_000_000)]
    instructions: Annotated[
        str | None, Field(description="accepted and never passed on: nothing changes the verdict")
    ] = None
    previous_response_id: Annotated[
        str | None, Field(max_length=200, description="its turns come before the question, if it is kept")
    ] = None
    stream_options: StreamOptions | None = None
    text: Annotated[TextOptions | None, Field(description="only the format `text`")] = None
    background: Annotated[
        bool | None, Field(description="reply at once; the run goes on without its client")
    ] = None
    include: Annotated[tuple[str, ...] | None, Field(description=_IGNORED)] = None
    max_output_tokens: IgnoredCount = None
    max_tool_calls: IgnoredCount = None
    reasoning: IgnoredObject = None
    truncation: IgnoredText = None
    access_programs: IgnoredObject = None
    image: IgnoredObject = None
    context_management: Annotated[tuple[dict[str, Any], ...] | None, Field(description=_IGNORED)] = None
    conversation_id: Annotated[Any, Field(alias="conversation", description="refused: not offered here")] = (
        None
    )
    prompt: Refused = None

    @property
    def in_background(self) -> bool:
        """Whether the run goes on without its client."""
        return bool(self.background)

    def check(self) -> None:
        """Raise `ParameterError` for a parameter that cannot be ignored."""
        super().check()
        _check_format(None if self.text is None else self.text.format, "text.format")
        if self.background and self.store is False:
            raise ParameterError(
                "a response in the background must be stored: leave out store, or set it to true",
                param="store",
                code="unsupported_value",
            )
        if self.conversation_id is not None:
            raise _not_offered("conversation", "conversations are not kept", hint="send the question itself")
        if self.prompt is not None:
            raise _not_offered("prompt", "there are no stored prompts", hint="send the question as input")
        if "message.output_text.logprobs" in (self.include or ()):
            raise _not_offered("include", "log-probabilities of the text are not offered")

    @property
    def conversation(self) -> Conversation:
        """The question; raises `ParameterError`."""
        if isinstance(self.input, str):
            conversation = Conversation(self.input, param="input")
        else:
            conversation = conversation_of(self.input, "input")
        earlier = conversation.has_earlier_turns or self.previous_response_id is not None
        orders = f"{self.instructions or ''}\n{conversation.orders}".strip()
        return replace(conversation, has_earlier_turns=earlier, orders=orders)


def _check_format(chosen: Format | None, param: str) -> None:
    if chosen is not None and chosen.type != "text":
        raise ParameterError(
            f"the format {chosen.type!r} is not offered: an answer is text with citations",
            param=param,
            code="unsupported_value",
            hint="POST /api/ask gives the whole result as JSON",
        )


def _not_offered(param: str, what: str, *, hint: str = "") -> ParameterError:
    return ParameterError(what, param=param, hint=hint)


AnyRequest = ChatRequest | ResponsesRequest
