"""Listen on an address until the process is stopped."""

from __future__ import annotations

from collections.abc import Callable

from probative.server.base.options import ServerOptions
from probative.server.base.sockets import address_of, bind
from probative.server.state.catalog import Catalog
from probative.server.state.reports import BenchReports
from probative.session.session import Session


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
