"""An OpenAI-compatible server on this machine with configurable faults.

    with LoopbackServer(faults=Faults(rate_limit=0.3)) as server:
        model = load_model("openai:any", base_url=server.base_url)

It answers chats, completions with echoed log-probabilities, SGLang's native scoring, and embeddings. Its
replies are computed from the request alone, so a test can check them. It listens on 127.0.0.1 only.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import math
import random
import re
import threading
from collections import Counter
from collections.abc import Callable
from typing import Any, Literal

from pydantic import Field

from probative.models.structured import example
from probative.types import Value

Scoring = Literal["echo", "prompt_logprobs", "sglang", "pretend", "none"]
Reply = tuple[int, dict[str, str], bytes]


class Faults(Value):
    """The share of requests with each fault, 0 to 1."""

    slow: float = Field(default=0.0, ge=0, le=1)
    rate_limit: float = Field(default=0.0, ge=0, le=1)
    failure: float = Field(default=0.0, ge=0, le=1)
    drop: float = Field(default=0.0, ge=0, le=1)
    truncate: float = Field(default=0.0, ge=0, le=1)
    malformed: float = Field(default=0.0, ge=0, le=1)
    empty: float = Field(default=0.0, ge=0, le=1)
    """A thinking model that thinks and gives no answer."""


class LoopbackServer:
    """A server in a thread. `answer` maps the last message to the text of the reply."""

    def __init__(
        self,
        *,
        answer: Callable[[str], str] | None = None,
        faults: Faults | None = None,
        delay: float = 0.0,
        slow_seconds: float = 2.0,
        retry_after: float | None = None,
        scoring: Scoring = "echo",
        json_schema: bool = True,
        logprobs: bool = True,
        api_key: str | None = None,
        seed: int = 0,
    ) -> None:
        self._answer = answer or default_answer
        self._faults = faults or Faults()
        self._delay = delay
        self._slow_seconds = slow_seconds
        self._retry_after = retry_after
        self._scoring = scoring
        self._json_schema = json_schema
        self._logprobs = logprobs
        self._api_key = api_key
        self._random = random.Random(seed)
        self.seen: Counter[str] = Counter()
        """The number of requests for each path and with each fault."""
        self.bodies: list[dict[str, Any]] = []
        """The bodies of the requests, in order of arrival."""
        self.most_at_once = 0
        self._at_once = 0
        self._open: set[asyncio.Transport] = set()
        self._port = 0

    @property
    def base_url(self) -> str:
        """The address to pass as `base_url`."""
        return f"http://127.0.0.1:{self._port}/v1"

    def __enter__(self) -> LoopbackServer:
        self._loop = asyncio.new_event_loop()
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._serve, name="loopback-server", daemon=True)
        self._thread.start()
        self._ready.wait(timeout=60)
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(timeout=60)

    def _serve(self) -> None:
        asyncio.set_event_loop(self._loop)
        server = self._loop.run_until_complete(
            self._loop.create_server(lambda: _Conversation(self), "127.0.0.1", 0, backlog=1024)
        )
        self._port = server.sockets[0].getsockname()[1]
        self._ready.set()
        try:
            self._loop.run_forever()
        finally:
            server.close()
            for transport in tuple(self._open):
                transport.abort()
            for task in asyncio.all_tasks(self._loop):
                task.cancel()
            self._loop.run_until_complete(asyncio.sleep(0))
            self._loop.close()

    async def handle(self, path: str, headers: dict[str, str], raw: bytes) -> Reply | None:
        """Return the reply to a request; None closes the connection."""
        self._at_once += 1
        self.most_at_once = max(self.most_at_once, self._at_once)
        try:
            self.seen[path] += 1
            body = json.loads(raw)
            self.bodies.append(body)
            if self._api_key and headers.get("authorization") != f"Bearer {self._api_key}":
                return _json(401, {"error": {"message": "that key is not known"}})
            if self._delay:
                await asyncio.sleep(self._delay)
            return await self._with_faults(path, body)
        finally:
            self._at_once -= 1

    async def _with_faults(self, path: str, body: dict[str, Any]) -> Reply | None:
        fault = self._pick_fault()
        self.seen[fault] += 1
        match fault:
            case "slow":
                await asyncio.sleep(self._slow_seconds)
            case "rate_limit":
                wait = {"Retry-After": str(self._retry_after)} if self._retry_after is not None else {}
                return _json(429, {"error": {"message": "too many requests"}}, wait)
            case "failure":
                return _json(self._random.choice([500, 502, 503]), {"error": {"message": "something broke"}})
            case "drop":
                return None
        status, headers, reply = self._route(path, body, empty=fault == "empty")
        if fault == "truncate" and status == 200:
            reply = reply[: len(reply) // 2]
        if fault == "malformed" and status == 200:
            reply = b"<html>upstream had a bad day</html>"
        return status, headers, reply

    def _pick_fault(self) -> str:
        drawn = self._random.random()
        for name, share in self._faults:
            if drawn < share:
                return str(name)
            drawn -= share
        return "fine"

    def _route(self, path: str, body: dict[str, Any], *, empty: bool) -> Reply:
        if path == "/v1/chat/completions":
            return self._chat(body, empty=empty)
        if path == "/v1/completions":
            return self._complete(body)
        if path == "/generate" and self._scoring == "sglang":
            return _json(200, self._sglang(body))
        if path == "/v1/embeddings":
            return _json(200, self._embed(body))
        return _json(404, {"error": {"message": f"no route {path}"}})

    def _chat(self, body: dict[str, Any], *, empty: bool) -> Reply:
        if "response_format" in body and not self._json_schema:
            return _json(400, {"error": {"message": "response_format json_schema is not supported"}})
        if body.get("logprobs") and not self._logprobs:
            return _json(400, {"error": {"message": "logprobs are not supported"}})
        asked = body["messages"][-1]["content"]
        text = self._answer(asked)
        if "response_format" in body and not text.startswith("{"):
            text = example(body["response_format"]["json_schema"]["schema"])
        message = {"role": "assistant", "content": text}
        if empty:
            message = {"role": "assistant", "content": "", "reasoning_content": "Let me think about it."}
        choice: dict[str, Any] = {"index": 0, "message": message, "finish_reason": "stop"}
        if body.get("logprobs"):
            top = [
                {"token": (text.split() or [""])[0], "logprob": math.log(0.8)},
                {"token": "\n", "logprob": math.log(0.1)},
            ]
            choice["logprobs"] = {
                "content": [{"token": top[0]["token"], "logprob": -0.2, "top_logprobs": top}]
            }
        usage = {"prompt_tokens": len(pieces(asked)), "completion_tokens": len(pieces(text))}
        return _json(200, {"object": "chat.completion", "choices": [choice], "usage": usage})

    def _complete(self, body: dict[str, Any]) -> Reply:
        tokens = pieces(body["prompt"])
        values = token_log_probabilities(tokens)
        choice: dict[str, Any] = {"index": 0, "text": " and", "finish_reason": "length"}
        if self._scoring == "echo" and body.get("echo"):
            choice["text"] = body["prompt"] + " and"
            choice["logprobs"] = {"tokens": [*tokens, " and"], "token_logprobs": [*values, -1.0]}
        elif body.get("logprobs") is not None:  # accepted, but returned only for the generated token
            choice["logprobs"] = {"tokens": [" and"], "token_logprobs": [-1.0]}
        if self._scoring == "prompt_logprobs" and body.get("prompt_logprobs") is not None:
            choice["prompt_logprobs"] = [
                None if value is None else {str(i): {"logprob": value, "decoded_token": token}}
                for i, (token, value) in enumerate(zip(tokens, values, strict=True))
            ]
        if self._scoring == "none":
            return _json(404, {"error": {"message": "no route /v1/completions"}})
        if self._scoring == "pretend":
            count = len(tokens)
            choice["logprobs"] = {"tokens": [*tokens, " and"], "token_logprobs": [None, *[0.0] * count]}
        return _json(
            200, {"choices": [choice], "usage": {"prompt_tokens": len(tokens), "completion_tokens": 1}}
        )

    def _sglang(self, body: dict[str, Any]) -> dict[str, Any]:
        tokens = pieces(body["text"])
        values = token_log_probabilities(tokens)
        start = body.get("logprob_start_len", 0)
        entries = [[value, i, token] for i, (token, value) in enumerate(zip(tokens, values, strict=True))][
            start:
        ]
        if entries:
            entries[0][0] = None  # SGLang returns no value for the first one
        return {"text": " and", "meta_info": {"input_token_logprobs": entries, "prompt_tokens": len(tokens)}}

    def _embed(self, body: dict[str, Any]) -> dict[str, Any]:
        data = [{"index": index, "embedding": embedding(text)} for index, text in enumerate(body["input"])]
        data.reverse()  # the order is not guaranteed; the index is
        return {"data": data, "usage": {"prompt_tokens": sum(len(pieces(t)) for t in body["input"])}}


class _Conversation(asyncio.Protocol):
    """One connection: HTTP/1.1 with Content-Length bodies and keep-alive."""

    def __init__(self, server: LoopbackServer) -> None:
        self._server = server
        self._received = b""
        self._transport: asyncio.Transport | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        self._server._open.add(transport)

    def connection_lost(self, exc: Exception | None) -> None:
        if self._transport is not None:
            self._server._open.discard(self._transport)

    def data_received(self, data: bytes) -> None:
        self._received += data
        while (end := self._received.find(b"\r\n\r\n")) >= 0:
            first, *lines = self._received[:end].decode("latin-1").split("\r\n")
            headers = {k.strip().lower(): v.strip() for k, _, v in (line.partition(":") for line in lines)}
            whole = end + 4 + int(headers.get("content-length", "0"))
            if len(self._received) < whole:
                return
            raw, self._received = self._received[end + 4 : whole], self._received[whole:]
            task = asyncio.get_running_loop().create_task(self._reply(first.split(" ")[1], headers, raw))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _reply(self, path: str, headers: dict[str, str], raw: bytes) -> None:
        try:
            reply = await self._server.handle(path, headers, raw)
        except (ValueError, KeyError, TypeError) as error:
            reply = _json(400, {"error": {"message": f"bad request: {error!r}"}})
        except Exception as error:  # the function of the test failed: report it
            reply = _json(500, {"error": {"message": f"the server failed: {error!r}"}})
        if self._transport is None or self._transport.is_closing():
            return
        if reply is None:
            self._transport.abort()
            return
        status, extra, body = reply
        more = "".join(f"{name}: {value}\r\n" for name, value in extra.items())
        kind = "Content-Type: application/json\r\n"
        head = f"HTTP/1.1 {status} X\r\n{kind}Content-Length: {len(body)}\r\n{more}\r\n"
        self._transport.write(head.encode("latin-1") + body)


def default_answer(asked: str) -> str:
    """Return the default reply to a message: different for each message."""
    return f"answer {hashlib.sha256(asked.encode()).hexdigest()[:12]}"


def pieces(text: str) -> list[str]:
    """Return the tokens of the server: words with the space before them, and single other characters."""
    return re.findall(r"\s?\w+|\s|[^\w\s]", text)


def token_log_probabilities(tokens: list[str]) -> list[float | None]:
    """Return artificial log-probabilities that depend on each token and its position."""
    return [
        None,
        *(-0.1 * (1 + (len(token) * 7 + position) % 50) for position, token in enumerate(tokens[1:], 1)),
    ]


def embedding(text: str, dimensions: int = 16) -> list[float]:
    """Return an artificial vector that depends on the text alone."""
    drawn = random.Random(text)
    return [drawn.gauss(0.0, 1.0) for _ in range(dimensions)]


def _json(status: int, body: dict[str, Any], headers: dict[str, str] | None = None) -> Reply:
    return status, headers or {}, json.dumps(body).encode()
