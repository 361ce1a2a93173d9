"""`probative mcp`: the verbs as tools for MCP hosts."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from probative.cli.command import command
from probative.cli.commands.serve import named_paths
from probative.cli.options import JudgedModelOptions
from probative.errors import InputError, MissingExtraError

if TYPE_CHECKING:
    from probative.server.options import ServerOptions

HTTP = "HTTP"
PORT = 8378
EXAMPLES = (
    "probative mcp --corpus minutes=documents",
    "probative mcp --corpus minutes=documents --corpus papers=papers.index --graph herbs=apothecary.tsv",
    "probative mcp --corpus minutes=documents --http --port 8378",
)


def mcp(
    corpus: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=FOLDER-or-INDEX",
            help="Register documents: a folder, which is indexed, or an index. May be repeated.",
        ),
    ] = None,
    graph: Annotated[
        list[str] | None, typer.Option(metavar="NAME=FILE", help="Register a graph. May be repeated.")
    ] = None,
    http: Annotated[
        bool,
        typer.Option(
            "--http",
            help="Serve streamable HTTP at /mcp, not standard input and output.",
            rich_help_panel=HTTP,
        ),
    ] = False,
    host: Annotated[
        str | None,
        typer.Option(
            help="Listen on this address (default: 127.0.0.1). Another than loopback needs a token.",
            rich_help_panel=HTTP,
        ),
    ] = None,
    port: Annotated[
        int | None,
        typer.Option(
            min=0, max=65535, help=f"The port (default: {PORT}); 0 for any free one.", rich_help_panel=HTTP
        ),
    ] = None,
    token: Annotated[
        str | None,
        typer.Option(
            envvar="PROBATIVE_TOKEN",
            help="Ask clients for this token. Safer: the variable PROBATIVE_TOKEN.",
            rich_help_panel=HTTP,
            show_envvar=False,
        ),
    ] = None,
    allow_host: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help="Accept this name in the Host header, such as that of a proxy. May be repeated.",
            rich_help_panel=HTTP,
        ),
    ] = None,
    *,
    models: JudgedModelOptions,
) -> None:
    """Serve find_evidence, ask, verify_text, check_claim and reason to MCP hosts, and documents to read."""
    given = {"--host": host, "--port": port, "--allow-host": allow_host}
    if not http and (unused := [name for name, value in given.items() if value is not None]):
        raise InputError(f"{', '.join(unused)} can only be used with --http")
    try:
        import mcp  # noqa: F401
    except ImportError:
        raise MissingExtraError("mcp", "probative mcp") from None
    from probative.server.options import Limits, ServerOptions

    at_once = 2 if models.settings().model.startswith(("embedded", "hf:")) else 16
    options = ServerOptions.model_validate(
        {
            "host": host or "127.0.0.1",
            "port": PORT if port is None else port,
            "token": token or None,
            "allowed_hosts": tuple(allow_host or ()),
            "limits": Limits(runs_at_once=at_once),
        }
    )
    if http:
        options.checked()
    corpora, graphs = named_paths(corpus, "--corpus"), named_paths(graph, "--graph")
    _serve(corpora, graphs, models, options, http=http)


def _serve(
    corpora: dict[str, Path],
    graphs: dict[str, Path],
    models: JudgedModelOptions,
    options: ServerOptions,
    *,
    http: bool,
) -> None:
    from probative.cli.views.index import index_progress
    from probative.cli.views.terminal import print_note
    from probative.server.catalog import Catalog
    from probative.server.mcp.http import serve_http
    from probative.server.mcp.running import temporary_workbench
    from probative.server.mcp.server import mcp_server
    from probative.server.mcp.stdio import serve_stdio

    with _ended_like_ctrl_c(), models.session(dry_run=False) as session:
        with index_progress() as progress:
            catalog = Catalog.open(corpora, graphs, settings=session.settings, progress=progress)
        with catalog, temporary_workbench(session, catalog, options.limits) as bench:
            server = mcp_server(bench)
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


def add_to(app: typer.Typer) -> None:
    """Add the command to the application."""
    command(app, "mcp", examples=EXAMPLES)(mcp)
