"""The MCP server over streamable HTTP: one endpoint, for a server of its own or inside `probative serve`."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

from mcp.server.lowlevel.server import Server
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecuritySettings

from probative.server.base.options import ServerOptions
from probative.server.base.security import App, Guard, Receive, Scope, Send
from probative.server.base.sockets import address_of, bind
from probative.server.mcp.sessions import BoundedSessions

PATH = "/mcp"
# Clients of older protocols have sessions, each of which may be idle for half an hour.
MAX_SESSIONS = 200
# Seconds that streams may stay open after the server was told to stop.
GRACE = 3


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
    import uvicorn

    bound = bind(options.checked())
    # Requests are not logged: their headers hold the token.
    config = uvicorn.Config(
        mcp_app(server, options),
        log_level="warning",
        access_log=False,
        timeout_graceful_shutdown=GRACE,
        server_header=False,
    )
    with bound:
        listening(f"{address_of(bound, options).rstrip('/')}{PATH}")
        uvicorn.Server(config).run(sockets=[bound])
