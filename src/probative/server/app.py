"""The server: all routes over one state."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from fastapi import FastAPI
from starlette.responses import FileResponse
from starlette.staticfiles import StaticFiles

from probative import __version__
from probative.server.base.options import ServerOptions
from probative.server.base.security import Guard
from probative.server.mcp.mount import MountedMcp
from probative.server.openai.kept_responses import kept_response_routes
from probative.server.openai.routes import openai_routes
from probative.server.routes.bench import bench_routes
from probative.server.routes.catalogue import catalogue_routes
from probative.server.routes.replies import add_error_handlers
from probative.server.routes.runs import run_routes
from probative.server.routes.uploads import upload_routes
from probative.server.routes.verbs import verb_routes
from probative.server.state.catalog import Catalog
from probative.server.state.reports import BenchReports
from probative.server.state.server_state import ServerState
from probative.session.session import Session
from probative.types import Value

log = logging.getLogger("probative.server")

_CLEANING_SECONDS = 600.0
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
    mcp = MountedMcp(state)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        state.manager.start()
        cleaning = asyncio.create_task(_clean_uploads(state))
        try:
            async with mcp.running():
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
    for routes in (
        verb_routes,
        run_routes,
        catalogue_routes,
        upload_routes,
        openai_routes,
        kept_response_routes,
        bench_routes,
    ):
        app.include_router(routes(state))
    app.router.routes.extend(mcp.routes)
    _add_page(app)
    add_error_handlers(app)
    app.add_middleware(Guard, options=options)
    return app


async def _clean_uploads(state: ServerState) -> None:
    """Delete expired uploads, also if nobody asks for one."""
    while True:
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
