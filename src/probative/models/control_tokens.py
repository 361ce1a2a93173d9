"""Chat control tokens that are written out in a text: made ordinary text, so that a passage cannot end the
user's turn or start the system's.

A zero-width space behind the first character keeps the text readable and breaks the token.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from probative.models.types import Message, Pair, Request

SEPARATOR = "\u200b"
# The forms that published chat models use; a server does not say which of them it knows.
_COMMON = re.compile(
    r"<[|｜][^<>|｜\s]{1,80}[|｜]>"  # <|im_start|>, <|eot_id|>, <｜User｜>
    r"|</?s>|<(?:bos|eos|pad|unk|sop|eop)>|<(?:start|end)_of_turn>|<extra_id_\d+>|<reserved_\d+>"
    r"|<</?SYS>>|\[/?INST\]|\[g?MASK\]"
    r"|\[/?(?:SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS|TOOL_CONTENT|THINK)\]"
)


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
