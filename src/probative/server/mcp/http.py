"""The MCP server over streamable HTTP: one endpoint, for a server of its own or inside `probative serve`."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

from mcp.server.lowlevel.server import Server
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecuritySettings

from probative.server.base.options import ServerOptions
from probative.server.base.security import App, Guard, Message, Receive, Scope, Send
from probative.server.base.sockets import serve

PATH = "/mcp"
_SESSION_HEADER = b"mcp-session-id"
# Clients of older protocols have sessions, each of which may be idle for half an hour.
MAX_SESSIONS = 200
# Seconds that streams may stay open after the server was told to stop.
GRACE = 3


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
        session = dict(scope["headers"]).get(_SESSION_HEADER)
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
                session = dict(message.get("headers", ())).get(_SESSION_HEADER)
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

        await self._app({**scope, "method": "DELETE", "headers": [(_SESSION_HEADER, oldest)]}, receive, send)


class McpEndpoint:
    """An ASGI application that answers MCP messages while `running` is entered.

    `Guard` must stand before it: it checks the host, the origin, the token and the size of the body.
    """

    def __init__(self, server: Server[Any], max_body: int) -> None:
        self._server = server
        self._max_body = max_body
        self._app: App | None = None

    @asynccontextmanager
    async def running(self, _: object = None) -> AsyncIterator[None]:
        """Answer while the block runs, then stop every call; it may be entered again."""
        checked_before = TransportSecuritySettings(enable_dns_rebinding_protection=False)
        manager = StreamableHTTPSessionManager(
            self._server,
            security_settings=checked_before,
            max_request_body_size=self._max_body,
            max_sessions=MAX_SESSIONS,
        )
        async with manager.run():
            self._app = BoundedSessions(manager.handle_request, MAX_SESSIONS)
            try:
                yield
            finally:
                self._app = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        assert self._app is not None, "the endpoint is used outside of running()"
        await self._app(scope, receive, send)


def mcp_app(server: Server[Any], options: ServerOptions) -> App:
    """Return an application that serves nothing but MCP."""
    from starlette.applications import Starlette
    from starlette.routing import Route

    endpoint = McpEndpoint(server, options.limits.body_bytes)
    return Guard(Starlette(routes=[Route(PATH, endpoint)], lifespan=endpoint.running), options)


def serve_http(
    server: Server[Any], options: ServerOptions, *, listening: Callable[[str], None] = lambda address: None
) -> None:
    """Serve until the process is interrupted; `listening` is called with the address of the endpoint."""
    serve(
        lambda: mcp_app(server, options),
        options.checked(),
        seconds=GRACE,
        ready=lambda address: listening(f"{address.rstrip('/')}{PATH}"),
    )
