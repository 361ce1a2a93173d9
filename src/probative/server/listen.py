"""Listen on an address until the process is stopped."""

from __future__ import annotations

import socket
from collections.abc import Callable

from probative.errors import InputError
from probative.server.catalog import Catalog
from probative.server.options import ServerOptions
from probative.server.reports import BenchReports
from probative.session.session import Session

_BACKLOG = 2048


def listen(
    session: Session,
    catalog: Catalog,
    options: ServerOptions,
    *,
    reports: BenchReports | None = None,
    ready: Callable[[str], None] | None = None,
) -> None:
    """Serve until Ctrl-C or a signal to end; `ready` is called with the address once it is bound.

    Raises `InputError` if the address is taken.
    """
    import uvicorn

    from probative.server.app import create_app

    bound = bind(options)
    app = create_app(session, catalog, options, reports=reports)
    # Requests are not logged: their headers hold the token, their addresses may hold questions.
    server = uvicorn.Server(
        uvicorn.Config(
            app,
            log_level="warning",
            access_log=False,
            timeout_graceful_shutdown=5,
            server_header=False,
            proxy_headers=False,  # nothing depends on who a proxy says is calling
            ws="none",
        )
    )
    if ready is not None:
        ready(address_of(bound, options))
    with bound:
        server.run(sockets=[bound])


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
