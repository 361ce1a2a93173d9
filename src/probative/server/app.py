"""The server: all routes over one state, and the address it listens on."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

from fastapi import FastAPI
from starlette.responses import FileResponse
from starlette.routing import Route
from starlette.staticfiles import StaticFiles

from probative import __version__
from probative.errors import StoreError
from probative.server.base.options import ServerOptions
from probative.server.base.security import Guard
from probative.server.base.sockets import serve
from probative.server.openai import kept_responses
from probative.server.openai import routes as openai
from probative.server.routes import (
    bench,
    calibration,
    catalogue,
    corpora,
    corpus_export,
    marks,
    pages,
    runs,
    threads,
    uploads,
    verbs,
)
from probative.server.routes.replies import add_error_handlers
from probative.server.state.catalog import Catalog
from probative.server.state.server_state import BenchReports, ServerState
from probative.session.session import Session
from probative.types import Value

if TYPE_CHECKING:
    from probative.server.mcp.http import McpEndpoint

log = logging.getLogger("probative.server")

_CLEANING_SECONDS = 600.0
# Seconds that streams may stay open after the server was told to stop.
_GRACE = 5
PAGE = Path(__file__).parent / "page"


class Health(Value):
    """That the server answers."""

    status: str = "ok"
    version: str = __version__


def create_app(
    session: Session,
    catalog: Catalog,
    options: ServerOptions | None = None,
    *,
    reports: BenchReports | None = None,
) -> FastAPI:
    """Return the server as an ASGI application. The session and the catalogue stay the caller's;
    `reports` are the bench reports that it shows.

    Raises `InputError` if it would be open to other machines without a token.
    """
    options = (options or ServerOptions()).checked()
    state = ServerState.open(session, catalog, options, reports)
    mcp = _mcp_endpoint(state)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        state.manager.start()
        if options.suggest:
            state.suggestions.start()
        cleaning = asyncio.create_task(_clean(state))
        try:
            async with nullcontext() if mcp is None else mcp.running():
                yield
        finally:
            cleaning.cancel()
            await asyncio.to_thread(state.close)

    app = FastAPI(
        title="Probative",
        version=__version__,
        summary="Finds the evidence that carries an answer, answers from it, and shows why",
        lifespan=lifespan,
        docs_url=None,  # these pages load scripts from another host
        redoc_url=None,
    )
    app.state.server = state
    app.include_router(verbs.verb_routes(state))
    ours = (runs, marks, threads, catalogue, corpora, corpus_export, calibration, pages, uploads, bench)
    for routes in (*ours, openai, kept_responses):
        app.include_router(routes.router)
    app.include_router(corpora.files)
    if mcp is not None:
        app.router.routes.append(Route("/mcp", mcp, include_in_schema=False))
    _add_page(app)
    add_error_handlers(app)
    app.add_middleware(Guard, options=options)
    return app


def listen(
    session: Session,
    catalog: Catalog,
    options: ServerOptions,
    *,
    reports: BenchReports | None = None,
    ready: Callable[[str], None] = lambda address: None,
) -> None:
    """Serve until Ctrl-C or a signal to end; `ready` is called with the address once it is bound.

    Raises `InputError` if the address is taken.
    """
    serve(
        lambda: create_app(session, catalog, options, reports=reports), options, seconds=_GRACE, ready=ready
    )


def _mcp_endpoint(state: ServerState) -> McpEndpoint | None:
    """Return MCP as a part of this server, whose queue carries out its calls; None without the extra."""
    try:
        from probative.server.mcp.http import McpEndpoint
        from probative.server.mcp.server import mcp_server
    except ModuleNotFoundError as missing:
        if (missing.name or "").partition(".")[0] not in ("mcp", "anyio"):
            raise
        return None
    return McpEndpoint(mcp_server(state), state.options.limits.body_bytes)


async def _clean(state: ServerState) -> None:
    """Delete expired uploads, threads and corpora, also if nobody asks for one."""
    while True:
        try:
            await asyncio.to_thread(state.clean)
        except (StoreError, OSError) as error:
            log.error("deleted threads or corpora could not be removed: %s", error)
        await asyncio.sleep(_CLEANING_SECONDS)
        try:
            await asyncio.to_thread(state.uploads.clean)
        except OSError as error:
            log.error("expired uploads could not be deleted: %s", error)


def _add_page(app: FastAPI) -> None:
    @app.get("/healthz", operation_id="health", tags=["server"])
    def health() -> Health:
        """Say that the server answers."""
        return Health()

    @app.get("/", include_in_schema=False)
    def index() -> FileResponse:
        return FileResponse(PAGE / "index.html", media_type="text/html")

    app.mount("/static", StaticFiles(directory=PAGE), name="static")
