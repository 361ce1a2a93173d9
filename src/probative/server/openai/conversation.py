"""The question of a conversation: the last message of the user, and the turns before it, by which a model
may rewrite it. System and developer messages stay unread.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import ConfigDict, Field

from probative.scope.follow_up import Turn
from probative.server.base.openai_errors import ParameterError
from probative.types import Value

MAX_CHARACTERS = 4_000
_TEXT_PARTS = ("text", "input_text", "output_text")
# Messages that may stand behind the question without ending its turn.
_SILENT = ("system", "developer")
READ_AS = "Read as: "
"""What stands before the question that the documents were asked, at the beginning of a reply."""
_MARKER = re.compile(r"(?:, by way of)? ?\[\d+\]")


class OpenAIValue(Value):
    """A value of OpenAI's that may bring more fields than are read here."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class Part(OpenAIValue):
    """A part of a message. Only text can be a question."""

    type: Annotated[str, Field(max_length=100, description="`text`, or `input_text` in responses")]
    text: str | None = None


class Message(OpenAIValue):
    """A message of a conversation; with another `type`, an item that is not a message.

    The last message of the user is the question. System and developer messages are never passed on.
    """

    type: Annotated[str, Field(max_length=100)] = "message"
    role: Literal["system", "developer", "user", "assistant", "tool", "function"] | None = None
    content: str | tuple[Part, ...] | None = None

    @property
    def words(self) -> str:
        """The text of the message."""
        if self.content is None or isinstance(self.content, str):
            return self.content or ""
        return "\n".join(part.text or "" for part in self.content)


@dataclass(frozen=True)
class Conversation:
    """The last message of the user, the turns before it, and what the page orders (`orders`).

    `has_earlier_turns` is true also of turns that are not known. `param` is the parameter that the message
    came in.
    """

    text: str
    has_earlier_turns: bool = False
    turns: tuple[Turn, ...] = ()
    orders: str = ""
    param: str = "messages"

    @property
    def question(self) -> str:
        """The question without white space around it; raises `ParameterError` if it is empty or too long."""
        question = self.text.strip()
        if not question:
            raise ParameterError("the question is empty", param=self.param, code="invalid_value")
        if len(question) > MAX_CHARACTERS:
            raise ParameterError(
                f"the question has {len(question):,} characters, more than {MAX_CHARACTERS:,}",
                param=self.param,
                code="string_above_max_length",
                hint="the documents are those of the corpus; send only the question",
            )
        return question


def conversation_of(messages: Sequence[Message], param: str) -> Conversation:
    """Return the question of a conversation; raises `ParameterError`.

    >>> first, second = Message(role="user", content="Who?"), Message(role="user", content="Who built it?")
    >>> conversation_of([first, second], "messages").question
    'Who built it?'
    """
    turns = [message for message in messages if message.role not in _SILENT]
    if not turns or turns[-1].role != "user":
        raise ParameterError(
            "the last message must be a question of the user", param=param, code="invalid_value"
        )
    orders = [message.words for message in messages if message.role in _SILENT]
    _check_parts(turns[-1], param)
    return Conversation(turns[-1].words, len(turns) > 1, tuple(_turns(turns[:-1])), "\n".join(orders), param)


def _turns(messages: Sequence[Message]) -> Iterator[Turn]:
    """Yield the questions of the user with the replies to them."""
    question = ""
    for message in messages:
        if message.role == "assistant" and question:
            yield replied(question, message.words)
            question = ""
        elif message.role == "user":
            if question:
                yield Turn(question=question)
            question = message.words.strip()
    if question:
        yield Turn(question=question)


def replied(question: str, reply: str) -> Turn:
    r"""Return a turn from a question and the text of its reply: the question as it was read, and the first
    paragraph without markers.

    >>> replied("And it?", "Read as: Who built the lift?\n\nAnton Brill [1]\n\nSources:")
    Turn(question='Who built the lift?', answer='Anton Brill')
    """
    paragraphs = [paragraph.strip() for paragraph in reply.strip().split("\n\n")]
    if paragraphs[0].startswith(READ_AS) and len(paragraphs) > 1:
        question = paragraphs.pop(0).removeprefix(READ_AS)
    return Turn(question=question, answer=_MARKER.sub("", paragraphs[0]) or None)


def _check_parts(message: Message, param: str) -> None:
    if message.content is None or isinstance(message.content, str):
        return
    other = next((part.type for part in message.content if part.type not in _TEXT_PARTS), None)
    if other is not None:
        raise ParameterError(
            f"a question is text; a part of the type {other!r} cannot be read",
            param=param,
            code="unsupported_value",
            hint="register documents as a corpus when the server is started",
        )
