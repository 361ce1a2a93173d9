"""The question of a conversation: the last message of the user. Everything else stays unread.

Rules for English say whether a question can be read without the turns before it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import ConfigDict, Field

from probative.server.base.openai_errors import ParameterError
from probative.types import Value

MAX_CHARACTERS = 4_000
_TEXT_PARTS = ("text", "input_text", "output_text")
# Messages that may stand behind the question without ending its turn.
_SILENT = ("system", "developer")

_JOINT = re.compile(r"^\W*(?:(?:and|but|or|so|then|also|ok|okay)\b[\s,]*)+", re.IGNORECASE)
_ABOUT = re.compile(r"(?:what|how) about\b", re.IGNORECASE)
_ASKS = re.compile(
    r"\b(?:who|whom|whose|what|which|when|where|why|how|is|are|was|were|do|does|did|has|have|had|can|could|may"
    r"|will|would|should|name|list)\b",
    re.IGNORECASE,
)
_POINTER = re.compile(
    r"\b(?:it|he|him|she|they|them|hers|theirs)\b|\b(?P<owner>its|his|her|their)\b"
    r"|\b(?:that|this|these|those)(?=\W*$|\s+(?:is|was|are|were|has|had|did|does|do|happen|mean|cost|ones?)\w*\b)"
    r"|\b(?:there|then)(?=\W*$)|\bthe (?:other|same|former|latter)(?: ones?)?(?=\W*$)",
    re.IGNORECASE,
)
# "Is it true that …", "How long does it take to …": the word stands for nothing.
_DUMMY = re.compile(
    r"\bit\s+(?:true|correct|known|possible|necessary|allowed|permitted|likely|safe|rain|snow)"
    r"|\b(?:does|did|will|would)\s+it\s+take\b|\b(?:is|was)\s+it\s+(?:the|a|an|in|on|at)\b",
    re.IGNORECASE,
)
# What a pronoun behind it may stand for: a noun with its article, or a name.
_NOUN = re.compile(r"\b(?:[Tt]he|[Aa]n?|[Ee]ach|[Ee]very|[Bb]oth)\s+[^\W\d_]{3,}|\s[A-Z]\w+")
_ASKED_NOUN = re.compile(
    r"\b(?:which|what)\s+(?!is\b|are\b|was\b|were\b|did\b|does\b)[^\W\d_]{3,}", re.IGNORECASE
)
_ASKED_PERSON = re.compile(r"\bwho\b", re.IGNORECASE)


class OpenAIValue(Value):
    """A value of OpenAI's that may bring more fields than are read here."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class Part(OpenAIValue):
    """A part of a message. Only text can be a question."""

    type: Annotated[str, Field(max_length=100, description="`text`, or `input_text` in responses")]
    text: str | None = None


class Message(OpenAIValue):
    """A message of a conversation; with another `type`, an item that is not a message.

    Only the last message of the user is read. System and developer messages are never passed on.
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
    """The last message of the user, whether turns stand before it, and what the page orders (`orders`).

    `param` is the parameter that the message came in.
    """

    text: str
    has_earlier_turns: bool = False
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
    return Conversation(turns[-1].words, len(turns) > 1, "\n".join(orders), param)


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


def points_back(question: str) -> str | None:
    """Return the words of a question that point at an earlier turn, or None if it can be read by itself.

    >>> points_back("And when was it opened?"), points_back("What about the tea room?"), points_back("Why?")
    ('it', 'What about', 'Why?')
    >>> points_back("When was the lift opened, and who opened it?"), points_back("Which car lost its brake?")
    (None, None)
    """
    text = question.strip()
    core = _JOINT.sub("", text)
    about = _ABOUT.match(core)
    if about is not None:
        return about.group()
    # "Why?", "And in 2024?"; other scripts may write a whole question without a space.
    if core.isascii() and (len(core.split()) <= 1 or (core != text and _ASKS.search(core) is None)):
        return text
    return next((match.group() for match in _POINTER.finditer(core) if _is_open(core, match)), None)


def _is_open(text: str, pointer: re.Match[str]) -> bool:
    """Return whether nothing before a pronoun can be what it stands for."""
    if any(dummy.start() <= pointer.start() < dummy.end() for dummy in _DUMMY.finditer(text)):
        return False
    before = text[: pointer.start()]
    owner = (pointer["owner"] or "").lower()
    if owner and _ASKED_NOUN.search(before):
        return False
    if owner and owner != "its" and _ASKED_PERSON.search(before):
        return False
    return _NOUN.search(before) is None
