"""The MCP server over standard input and output, as hosts start it."""

from __future__ import annotations

from typing import Any

import anyio
from mcp.server.lowlevel.server import Server
from mcp.server.stdio import stdio_server


def serve_stdio(server: Server[Any]) -> None:
    """Serve one client until it closes standard input.

    Meanwhile, what anything prints on standard output goes to standard error: the protocol has it alone.
    """
    anyio.run(_serve, server)


async def _serve(server: Server[Any]) -> None:
    async with stdio_server() as (incoming, outgoing):
        await server.run(incoming, outgoing, server.create_initialization_options())
