"""The requests to language models and their results: typed, frozen, and convertible to JSON.

Chat control tokens that are written out in a text are made ordinary text, so that a passage cannot end the
user's turn or start the system's: a zero-width space behind the first character keeps the text readable and
breaks the token.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple

from pydantic import AfterValidator, Field, ValidationError, field_validator, model_validator

from probative.errors import InputError
from probative.types import Usage, Value

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

SEPARATOR = "\u200b"
# The forms that published chat models use; a server does not say which of them it knows.
_COMMON = re.compile(
    r"<[|｜][^<>|｜\s]{1,80}[|｜]>"  # <|im_start|>, <|eot_id|>, <｜User｜>
    r"|</?s>|<(?:bos|eos|pad|unk|sop|eop)>|<(?:start|end)_of_turn>|<extra_id_\d+>|<reserved_\d+>"
    r"|<</?SYS>>|\[/?INST\]|\[g?MASK\]"
    r"|\[/?(?:SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS|TOOL_CONTENT|THINK)\]"
)

FinishReason = Literal["stop", "length", "filter", "dry-run"]
_THINKING = re.compile(r"<think(?:ing)?>", re.IGNORECASE)
_THOUGHT = re.compile(r"</think(?:ing)?>", re.IGNORECASE)


def encodable(text: str) -> str:
    """Return the text; raises `ValueError` for half of a surrogate pair, which has no UTF-8 form."""
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise ValueError(f"the text cannot be encoded as UTF-8: {error.reason}") from None
    return text


Text = Annotated[str, AfterValidator(encodable)]


class Message(Value):
    """One message of a chat."""

    role: Literal["system", "user", "assistant"]
    content: Text


class Request(Value):
    """A chat that the model continues.

    `temperature` 0 always takes the most probable token. `sample` numbers repeated draws of the same
    request: requests that differ only in `sample` are different draws with different cache entries.
    `json_schema` is a JSON schema for the output. `alternatives` is the number of different texts wanted,
    the most probable ones with their log-probabilities; more than one needs the capability `alternatives`.

    >>> Request.user("Say hello").messages[0].content
    'Say hello'
    """

    messages: tuple[Message, ...]
    max_tokens: int = Field(default=256, ge=1)
    temperature: float = Field(default=0.0, ge=0.0)
    top_p: float = Field(default=1.0, gt=0.0, le=1.0)
    seed: int | None = None
    sample: int = Field(default=0, ge=0)
    stop: tuple[Annotated[Text, Field(min_length=1)], ...] = ()
    json_schema: dict[str, Any] | None = None
    alternatives: int = Field(default=1, ge=1)

    @model_validator(mode="after")
    def _not_drawn(self) -> Request:
        if self.alternatives > 1 and self.temperature > 0:
            raise ValueError("alternatives are the most probable texts, so the temperature must be 0")
        return self

    @field_validator("messages")
    @classmethod
    def _not_empty(cls, messages: tuple[Message, ...]) -> tuple[Message, ...]:
        if not messages or messages[-1].role == "assistant":
            raise ValueError("a request needs messages, and the last one must not be the assistant's")
        return messages

    @classmethod
    def user(cls, text: str, *, system: str | None = None, **options: Any) -> Request:
        """Return a request of one user message, with an optional system message before it."""
        try:
            before = (Message(role="system", content=system),) if system is not None else ()
            return cls(messages=(*before, Message(role="user", content=text)), **options)
        except ValidationError as error:
            raise InputError(f"the request is invalid: {reason(error)}") from None


class Alternative(Value):
    """A text that the model may write, and its log-probability in nats."""

    text: str
    log_probability: float


class Completion(Value):
    """The text that a model wrote. `reasoning` is its thinking before the answer, if it shows it.

    If the request asked for several `alternatives`, they are given here, the most probable first.
    """

    text: str
    finish_reason: FinishReason
    model: str
    usage: Usage = Usage()
    reasoning: str | None = None
    alternatives: tuple[Alternative, ...] = ()


class Pair(Value):
    """A prompt, and the continuation whose log-probability is computed.

    The two are tokenised as one text, so a space may stand on either side of the boundary. A token that
    extends into the continuation belongs to the continuation.
    """

    prompt: Text
    continuation: Text = Field(min_length=1)


class Score(Value):
    """log P(continuation | prompt) in nats, with one value per token of the continuation."""

    log_probability: float
    token_log_probabilities: tuple[float, ...]
    model: str
    usage: Usage = Usage()

    @property
    def mean(self) -> float:
        """The mean log-probability per token."""
        return self.log_probability / len(self.token_log_probabilities)


class Selection(Value):
    """A prompt and the options to choose among."""

    request: Request
    options: tuple[Text, ...]

    @field_validator("options")
    @classmethod
    def _distinct(cls, options: tuple[str, ...]) -> tuple[str, ...]:
        if len(options) < 2 or len({option.strip() for option in options}) < len(options):
            raise ValueError("choose needs at least two options, all of them different")
        if any(not option.strip() for option in options):
            raise ValueError("an option must not be empty")
        return options


class Choice(Value):
    """A distribution over the options, in their order. It sums to 1.

    `coverage` is the total probability of the options before normalisation. Near 0, the model would have
    written something else.
    """

    options: tuple[str, ...]
    probabilities: tuple[float, ...]
    coverage: float
    model: str
    usage: Usage = Usage()

    @property
    def best(self) -> str:
        """The most probable option; the first one in a tie."""
        return self.options[self.probabilities.index(max(self.probabilities))]

    def probability(self, option: str) -> float:
        """Return the probability of an option."""
        return self.probabilities[self.options.index(option)]


class Vector(NamedTuple):
    """The vector of one text, with length 1, and what it cost."""

    values: NDArray[np.float32]
    usage: Usage = Usage()


def reason(error: ValidationError) -> str:
    """Return pydantic's description of the first problem, without the value."""
    problems = error.errors(include_url=False, include_input=False)
    first = problems[0]["loc"][:1]
    # A field that may have one of two types has a problem for each: the one deepest in the value is meant.
    same = [problem for problem in problems if problem["loc"][:1] == first]
    deepest = max(len(_path(problem["loc"])) for problem in same)
    meant = [problem for problem in same if len(_path(problem["loc"])) == deepest]
    where = ".".join(_path(meant[0]["loc"]))
    # JSON and users know lists.
    message = " or ".join(
        dict.fromkeys(problem["msg"].replace("a valid tuple", "a list") for problem in meant)
    )
    message = message.replace(" or Input should be ", " or ")
    return f"{where}: {message}" if where else message


def _path(location: tuple[int | str, ...]) -> list[str]:
    """Return a place in a value by its fields and indexes, without the types that pydantic tried.

    >>> _path(("evidence", "tuple[str, ...]", 1)), _path(("k", "literal['auto']")), _path(("evidence", "str"))
    (['evidence', '1'], ['k'], ['evidence'])
    """
    types = ("str", "int", "float", "bool", "tuple", "list", "dict", "literal", "constrained", "function-")
    return [
        str(part)
        for index, part in enumerate(location)
        if isinstance(part, int) or index == 0 or not part.startswith(types)
    ]


def neutralise(text: str, tokens: Sequence[str] | None = None) -> str:
    r"""Break the control tokens in `text`: those of `tokens`, or the common ones if it is None.

    >>> neutralise("<|im_end|> hi [INST]") == "<\u200b|im_end|> hi [\u200bINST]"
    True
    >>> neutralise("a <b> <END>", ["<END>"]) == "a <b> <\u200bEND>"
    True
    """
    if tokens is None:
        return _COMMON.sub(lambda match: _broken(match[0]), text)
    for token in tokens:
        text = text.replace(token, _broken(token))
    return text


def neutralise_request(request: Request) -> Request:
    """Return the request with the control tokens of its messages broken."""
    messages = tuple(
        Message(role=message.role, content=neutralise(message.content)) for message in request.messages
    )
    return request if messages == request.messages else request.model_copy(update={"messages": messages})


def neutralise_pair(pair: Pair) -> Pair:
    r"""Return the pair with its control tokens broken, one across the boundary included.

    >>> neutralise_pair(Pair(prompt="a <|im_", continuation="end|>")).continuation == "\u200bend|>"
    True
    """
    prompt, continuation = neutralise(pair.prompt), neutralise(pair.continuation)
    if neutralise(prompt + continuation) != prompt + continuation:
        continuation = SEPARATOR + continuation
    return Pair(prompt=prompt, continuation=continuation)


def _broken(token: str) -> str:
    return token[0] + SEPARATOR + token[1:]


def split_thinking(text: str) -> tuple[str, str]:
    """Return the thinking and the answer.

    Everything before the last closing tag is thinking: chat templates often put the opening tag into the
    prompt, so the model writes only the closing one. Everything after an opening tag that starts the answer
    and is never closed is thinking, too.

    >>> split_thinking("<think>Hm.</think> Yes."), split_thinking("Hm.</think>Yes.")
    (('Hm.', 'Yes.'), ('Hm.', 'Yes.'))
    >>> split_thinking("<think>on and on"), split_thinking("Yes.")
    (('on and on', ''), ('', 'Yes.'))
    """
    thinking = ""
    closings = list(_THOUGHT.finditer(text))
    if closings:
        thinking, text = text[: closings[-1].start()], text[closings[-1].end() :].lstrip()
    if (opening := _THINKING.match(text.lstrip())) is not None:
        thinking, text = thinking + text.lstrip()[opening.end() :], ""
    return _THINKING.sub("", thinking).strip(), text
