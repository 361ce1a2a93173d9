"""`probative mcp`: the verbs as tools for MCP hosts."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from probative.cli.framework.options import JudgedModelOptions
from probative.cli.framework.server_options import AddressOptions, RegisteredOptions, runs_at_once
from probative.errors import InputError, MissingExtraError

if TYPE_CHECKING:
    from probative.server.base.options import ServerOptions

PORT = 8378
EXAMPLES = (
    "probative mcp --corpus minutes=documents",
    "probative mcp --corpus minutes=documents --corpus papers=papers.index --graph herbs=apothecary.tsv",
    "probative mcp --corpus minutes=documents --http --port 8378",
)


def mcp(
    *,
    registered: RegisteredOptions,
    http: Annotated[
        bool, typer.Option("--http", help="Serve streamable HTTP at /mcp, not standard input and output.")
    ] = False,
    address: AddressOptions,
    models: JudgedModelOptions,
) -> None:
    """Serve find_evidence, ask, verify_text, check_claim and reason to MCP hosts, and documents to read."""
    if not http and (unused := address.given()):
        raise InputError(f"{', '.join(unused)} can only be used with --http")
    try:
        import mcp  # noqa: F401
    except ImportError:
        raise MissingExtraError("mcp", "probative mcp") from None
    from probative.server.base.options import Limits, ServerOptions

    limits = Limits(runs_at_once=runs_at_once(models.settings().model))
    options = ServerOptions(**address.fields(port=PORT), limits=limits)
    if http:
        options.checked()
    _serve(registered.corpora(), registered.graphs(), models, options, http=http)


def _serve(
    corpora: dict[str, Path],
    graphs: dict[str, Path],
    models: JudgedModelOptions,
    options: ServerOptions,
    *,
    http: bool,
) -> None:
    from probative.cli.views.progress import index_progress
    from probative.cli.views.terminal import print_note
    from probative.server.mcp.http import serve_http
    from probative.server.mcp.running import temporary_state
    from probative.server.mcp.server import mcp_server
    from probative.server.mcp.stdio import serve_stdio
    from probative.server.state.catalog import Catalog

    with _ended_like_ctrl_c(), models.session(dry_run=False) as session:
        with index_progress() as progress:
            catalog = Catalog.open(corpora, graphs, settings=session.settings, progress=progress)
        with catalog, temporary_state(session, catalog, options.limits) as state:
            server = mcp_server(state)
            if http:
                serve_http(server, options, listening=lambda address: print_note(f"serving MCP on {address}"))
            else:
                serve_stdio(server)


@contextmanager
def _ended_like_ctrl_c() -> Iterator[None]:
    """Let the signal to end do what Ctrl-C does, so that files of the run are removed."""

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
