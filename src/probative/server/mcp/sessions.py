"""The sessions of MCP clients: a new one ends the one that has sent nothing for the longest time."""

from __future__ import annotations

from collections import OrderedDict

from probative.server.base.security import App, Message, Receive, Scope, Send

_HEADER = b"mcp-session-id"


class BoundedSessions:
    """An ASGI application around that of MCP, in which at most `limit` sessions are open.

    A session with a call under way is never ended; an open stream without calls is idle. The client of a
    session that was ended is told so (404) at its next message, and begins another one.
    """

    def __init__(self, app: App, limit: int) -> None:
        self._app = app
        self._limit = limit
        # The number of calls of each session, the one that has waited longest for a message first.
        self._calls: OrderedDict[bytes, int] = OrderedDict()
        self._opening = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        session = dict(scope["headers"]).get(_HEADER)
        if session is None:
            await self._open(scope, receive, send)
        elif scope["method"] == "POST" and session in self._calls:
            self._calls.move_to_end(session)
            self._calls[session] += 1
            try:
                await self._app(scope, receive, send)
            finally:
                if session in self._calls:
                    self._calls[session] -= 1
        else:
            if scope["method"] == "DELETE":
                self._calls.pop(session, None)
            await self._app(scope, receive, send)

    async def _open(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on a message that may open a session."""

        async def noting(message: Message) -> None:
            if message["type"] == "http.response.start" and message["status"] < 400:
                session = dict(message.get("headers", ())).get(_HEADER)
                if session is not None:
                    self._calls[session] = 0
            await send(message)

        self._opening += 1
        try:
            if len(self._calls) + self._opening > self._limit:
                await self._end_oldest(scope)
            await self._app(scope, receive, noting)
        finally:
            self._opening -= 1

    async def _end_oldest(self, scope: Scope) -> None:
        oldest = next((session for session, calls in self._calls.items() if not calls), None)
        if oldest is None:
            return
        del self._calls[oldest]

        async def receive() -> Message:
            return {"type": "http.request", "body": b"", "more_body": False}

        async def send(_: Message) -> None:
            return

        await self._app({**scope, "method": "DELETE", "headers": [(_HEADER, oldest)]}, receive, send)
