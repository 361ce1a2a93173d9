"""The MCP server over standard input and output, as hosts start it."""

from __future__ import annotations

import threading
from typing import Any

import anyio
from mcp.server.lowlevel.server import Server
from mcp.server.stdio import stdio_server


def serve_stdio(server: Server[Any]) -> None:
    """Serve one client until it closes standard input.

    Meanwhile, what anything prints on standard output goes to standard error: the protocol has it alone. The
    messages are read in a thread of their own, so that a signal ends this function at once; a read of
    standard input cannot be stopped.
    """
    errors: list[BaseException] = []

    def work() -> None:
        try:
            anyio.run(_serve, server)
        except BaseException as error:
            errors.append(error)

    thread = threading.Thread(target=work, name="probative-mcp", daemon=True)
    thread.start()
    while thread.is_alive():
        thread.join(1.0)  # without a limit, Windows would not hear Ctrl-C
    if errors:
        raise errors[0]


async def _serve(server: Server[Any]) -> None:
    async with stdio_server() as (incoming, outgoing):
        await server.run(incoming, outgoing, server.create_initialization_options())
