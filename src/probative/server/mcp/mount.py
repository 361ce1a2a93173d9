"""MCP inside `probative serve`: an endpoint at ``/mcp``, if the extra is installed."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from starlette.routing import BaseRoute, Route

from probative.server.state.server_state import ServerState

if TYPE_CHECKING:
    from probative.server.mcp.http import McpEndpoint


class MountedMcp:
    """The endpoint of a larger server, whose queue carries out its calls.

    Without the extra ``mcp`` there is no route, and the server does without.
    """

    def __init__(self, state: ServerState) -> None:
        self._endpoint: McpEndpoint | None = None
        try:
            from probative.server.mcp.http import McpEndpoint
            from probative.server.mcp.server import mcp_server
        except ModuleNotFoundError as missing:
            if (missing.name or "").partition(".")[0] not in ("mcp", "anyio"):
                raise
            return
        self._endpoint = McpEndpoint(mcp_server(state), state.options.limits.body_bytes)

    @property
    def routes(self) -> list[BaseRoute]:
        """The route of the endpoint; none without the extra."""
        return [] if self._endpoint is None else [Route("/mcp", self._endpoint, include_in_schema=False)]

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Answer messages while the block runs."""
        if self._endpoint is None:
            yield
            return
        async with self._endpoint.running():
            yield
