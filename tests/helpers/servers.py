"""A model at the loopback server, and a server that answers with whatever it is given."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from probative.models.openai.connection import Connection
from probative.models.openai.model import OpenAIModel
from probative.testing import LoopbackServer
from probative.testing.server import _json, pieces

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


class Saying(LoopbackServer):
    """A server that says something of itself at some paths, and refuses prompts longer than its window.

    What it says is an object, or a function of the body that was sent. `told` has the paths that were asked.
    """

    def __init__(self, says: Mapping[str, Any], window: int | None = None, **options: Any) -> None:
        super().__init__(**options)
        self._says, self._window = says, window
        self.told: list[str] = []

    async def handle(self, path: str, headers: dict[str, str], raw: bytes) -> Any:
        if path == "/v1/chat/completions":
            return await super().handle(path, headers, raw)
        self.told.append(path)
        if path not in self._says:
            return _json(404, {"error": {"message": f"no route {path}"}})
        reply = self._says[path]
        return _json(200, reply(json.loads(raw or b"{}")) if callable(reply) else reply)

    def _chat(self, body: dict[str, Any], *, empty: bool) -> Any:
        tokens = sum(len(pieces(message["content"])) for message in body["messages"])
        if self._window is not None and tokens + body["max_tokens"] > self._window:
            message = f"This model's maximum context length is {self._window} tokens, you sent {tokens}."
            return _json(400, {"error": {"message": message}})
        return super()._chat(body, empty=empty)
