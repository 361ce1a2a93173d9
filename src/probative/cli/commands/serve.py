"""`probative serve`: the page and the API."""

from __future__ import annotations

from contextlib import ExitStack
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Any

import typer

from probative.cli.framework.options import JudgedModelOptions
from probative.cli.framework.server_options import AddressOptions, RegisteredOptions, is_in_process
from probative.cli.framework.server_options import runs_at_once as default_runs_at_once
from probative.errors import InputError, MissingExtraError

PORT = 8377
limit_option = partial(typer.Option, rich_help_panel="Limits")
EXAMPLES = (
    "probative serve --demo",
    "probative serve --corpus minutes=documents/minutes --graph herbs=herbs.tsv",
    "probative serve --host 0.0.0.0 --corpus minutes=documents/minutes  (with PROBATIVE_TOKEN)",
)


def serve(
    *,
    registered: RegisteredOptions,
    bench: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="FOLDER",
            help="Show bench reports: the folder of a run, or of several, or of kept reports. "
            "May be repeated.",
        ),
    ] = None,
    data: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Where runs, uploads and corpora are kept.")
    ] = None,
    demo: Annotated[
        bool, typer.Option("--demo", help="Register the examples, and keep nothing after the end.")
    ] = False,
    watch: Annotated[
        bool,
        typer.Option("--watch", help="Read what changes in the folders of --corpus while the server runs."),
    ] = False,
    suggest: Annotated[
        bool | None,
        typer.Option(
            "--suggest/--no-suggest",
            help="Make questions about each corpus while nobody asks "
            "(default: if a model that writes is in this process).",
        ),
    ] = None,
    choose_model: Annotated[
        bool,
        typer.Option(
            "--choose-model/--no-choose-model",
            help="Let requests choose between the server's model and the small and large one of the package.",
        ),
    ] = True,
    runs_at_once: Annotated[
        int | None, limit_option(min=1, help="Runs at a time (default: 2; 16 with a server).")
    ] = None,
    queue: Annotated[int, limit_option(min=0, help="Runs that may wait.")] = 64,
    run_seconds: Annotated[float, limit_option(min=1, help="The longest run, in seconds.")] = 600.0,
    read_seconds: Annotated[
        float, limit_option(min=0.1, help="The longest reading of an uploaded file, in seconds.")
    ] = 60.0,
    read_memory: Annotated[
        int, limit_option(min=256, metavar="MB", help="The memory to read an uploaded file with.")
    ] = 2_000,
    kept_runs: Annotated[
        int, limit_option(min=1, help="Runs that are kept; older ones are deleted.")
    ] = 2_000,
    kept_megabytes: Annotated[
        int, limit_option(min=1, help="Size of the runs that are kept, in all.")
    ] = 2_000,
    address: AddressOptions,
    models: JudgedModelOptions,
) -> None:
    """Serve a page and an API on this machine."""
    corpora, graphs = registered.corpora(), registered.graphs()
    limits = {
        "runs_at_once": runs_at_once or default_runs_at_once(models.settings().model),
        "queue": queue,
        "run_seconds": run_seconds,
        "read_seconds": read_seconds,
        "read_memory_bytes": read_memory * 1_000_000,
        "kept_runs": kept_runs,
        "kept_bytes": kept_megabytes * 1_000_000,
    }
    with ExitStack() as closing:
        if demo:
            folder = Path(closing.enter_context(TemporaryDirectory(prefix="probative-")))
        elif data is not None:
            folder = data.expanduser()
        else:
            folder = None
        options = address.fields(port=PORT)
        options["suggest"] = is_in_process(models.settings().model) if suggest is None else suggest
        options["choose_model"] = choose_model
        if folder is not None:
            options["data"] = folder
        reports = [folder.expanduser() for folder in bench or []]
        _serve(
            corpora,
            graphs,
            reports,
            options,
            limits,
            models,
            demo=demo or not (corpora or graphs),
            watch=watch,
        )


def _serve(
    corpora: dict[str, Path],
    graphs: dict[str, Path],
    bench: list[Path],
    options: dict[str, Any],
    limits: dict[str, Any],
    models: JudgedModelOptions,
    *,
    demo: bool,
    watch: bool,
) -> None:
    try:
        import fastapi  # noqa: F401
        import uvicorn  # noqa: F401
    except ImportError:
        raise MissingExtraError("serve", "probative serve") from None
    from probative.bench.reports import ReportIndex
    from probative.cli.views.progress import index_progress
    from probative.cli.views.terminal import print_note, print_text
    from probative.corpus.documents.files import is_index
    from probative.corpus.watching import following
    from probative.server.app import listen
    from probative.server.base.options import Limits, ServerOptions
    from probative.server.opening import open_models
    from probative.server.state.catalog import Catalog
    from probative.server.state.demo import example_paths

    reports = ReportIndex(bench) if bench else None
    chosen = ServerOptions(**options, limits=Limits(**limits)).checked()
    if demo:
        more_corpora, more_graphs = example_paths()
        corpora, graphs = {**more_corpora, **corpora}, {**more_graphs, **graphs}
    with models.session(dry_run=False) as session:
        with index_progress() as progress:
            catalog = Catalog.open(corpora, graphs, settings=session.settings, progress=progress)
        watched = {name: path for name, path in corpora.items() if watch and not is_index(path)}
        if watch and not watched:
            raise InputError("there is nothing to watch", hint="name a folder: --corpus NAME=FOLDER")
        with catalog, following(watched, session.settings, print_note):
            for entry in catalog.describe().corpora:
                for note in entry.notes:
                    print_note(f"{entry.name}: {note}")
            for note in open_models(session):
                print_note(note)
            listen(
                session,
                catalog,
                chosen,
                reports=reports,
                ready=lambda url: print_text(f"serving on {url} (Ctrl-C stops)"),
            )
