"""The socket that a server listens on, its address, and the serving itself."""

from __future__ import annotations

import socket
from collections.abc import Callable
from typing import Any

from probative.errors import InputError
from probative.server.base.options import ServerOptions

_BACKLOG = 2048


def bind(options: ServerOptions) -> socket.socket:
    """Return a socket that is bound to the address; raises `InputError` if that is not possible."""
    family = socket.AF_INET6 if ":" in options.host else socket.AF_INET
    bound = socket.socket(family)
    bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        bound.bind((options.host, options.port))
        bound.listen(_BACKLOG)  # whoever is told the address may connect at once
    except OSError as error:
        bound.close()
        raise InputError(
            f"{options.host}:{options.port} cannot be listened on: {error.strerror or error}",
            hint="give another --port; 0 takes a free one",
        ) from None
    return bound


def address_of(bound: socket.socket, options: ServerOptions) -> str:
    """Return the address of the page."""
    host = f"[{options.host}]" if ":" in options.host else options.host
    return f"http://{host}:{bound.getsockname()[1]}/"


def serve(
    make_app: Callable[[], Any],
    options: ServerOptions,
    *,
    seconds: int,
    ready: Callable[[str], None] = lambda address: None,
) -> None:
    """Serve an application until Ctrl-C or a signal to end; raises `InputError` if the address is taken.

    `ready` is called with the address once it is bound. Streams may stay open for `seconds` at the end.
    """
    import uvicorn

    with bind(options) as bound:
        # Requests are not logged: their headers hold the token, their addresses may hold questions.
        config = uvicorn.Config(
            make_app(),
            log_level="warning",
            access_log=False,
            timeout_graceful_shutdown=seconds,
            server_header=False,
            proxy_headers=False,  # nothing depends on who a proxy says is calling
            ws="none",
        )
        ready(address_of(bound, options))
        uvicorn.Server(config).run(sockets=[bound])
