"""A model at the loopback server, and a server that answers with whatever it is given."""

from __future__ import annotations

from typing import Any

from probative.models.openai.connection import Connection
from probative.models.openai.model import OpenAIModel
from probative.testing import LoopbackServer
from probative.testing.server import _json

QUICK: dict[str, Any] = {"retry_base": 0.01, "timeout": 60.0}


class Answering(LoopbackServer):
    """A server that answers chats with whatever it is given."""

    def __init__(self, *replies: tuple[int, Any], **options: Any) -> None:
        super().__init__(**options)
        self._replies = list(replies)

    def _chat(self, body: dict[str, Any], *, empty: bool) -> Any:
        status, content = self._replies.pop(0) if len(self._replies) > 1 else self._replies[0]
        if isinstance(content, bytes):
            return status, {}, content
        return _json(status, content)


def said(text: Any, finish: str = "stop", **more: Any) -> dict[str, Any]:
    return {"choices": [{"message": {"content": text}, "finish_reason": finish, **more}]}


def model_at(server: LoopbackServer, **options: Any) -> OpenAIModel:
    return OpenAIModel("m", Connection(base_url=server.base_url, **{**QUICK, **options}))
