"""`probative index`: make a folder of documents searchable."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from probative.cli.framework.options import ConfigOptions, Json
from probative.cli.views.terminal import print_json

EXAMPLES = (
    "probative index documents",
    "probative index documents --runner local:4",
    "probative index documents --state",
    "probative index documents --out documents.index --include '*.pdf' --exclude 'drafts/**'",
    'probative ask "When does the lift close?" --corpus documents.index',
)


def index(
    folder: Annotated[
        str,
        typer.Argument(metavar="FOLDER", help="The folder of the documents; with --state, also an index."),
    ],
    out: Annotated[
        Path | None,
        typer.Option(metavar="INDEX", help="The folder of the index (default: one in the cache)."),
    ] = None,
    include: Annotated[
        list[str] | None,
        typer.Option(metavar="GLOB", help="Read only such files, e.g. '*.pdf'. May be repeated."),
    ] = None,
    exclude: Annotated[
        list[str] | None,
        typer.Option(metavar="GLOB", help="Leave such files out, e.g. 'drafts/**'. May be repeated."),
    ] = None,
    hidden: Annotated[bool, typer.Option("--hidden", help="Read hidden files, too.")] = False,
    date: Annotated[
        list[str] | None,
        typer.Option(
            metavar="DATE or GLOB=DATE",
            help="Set the date of all documents, or of some: 'minutes/*=2026-05'. May be repeated.",
        ),
    ] = None,
    rebuild: Annotated[
        bool, typer.Option("--rebuild", help="Read everything again, also files that did not change.")
    ] = False,
    store: Annotated[
        str | None,
        typer.Option(
            metavar="STORE",
            help="Where the passages go: embedded (default) or milvus:URI, a server or a .db file.",
        ),
    ] = None,
    runner: Annotated[
        str,
        typer.Option(
            metavar="RUNNER",
            help="Where documents are read: local (this process), local:N (N processes), ray or ray:ADDRESS.",
        ),
    ] = "local",
    read_seconds: Annotated[
        float, typer.Option(min=0.1, help="The longest reading of a file, in seconds; more for large files.")
    ] = 60.0,
    read_memory: Annotated[
        int, typer.Option(min=256, metavar="MB", help="The memory to read a file with; more for large files.")
    ] = 2_000,
    state: Annotated[
        bool, typer.Option("--state", help="Print what the index has now, and change nothing.")
    ] = False,
    json: Json = False,
    *,
    config: ConfigOptions,
) -> None:
    """Index the documents of a folder, or what has changed in it. The same command again goes on."""
    from probative.cli.views.progress import index_progress
    from probative.corpus.documents.files import Filters
    from probative.corpus.index.index_folder import CorpusState
    from probative.corpus.indexing import index_folder, index_of
    from probative.views.terminal import show_result

    if state:
        found = CorpusState.of(index_of(folder, out, store=store, settings=config.settings()))
        print_json(found) if json else show_result(found)
        return
    chosen = (
        Filters(include=tuple(include or ()), exclude=tuple(exclude or ()), hidden=hidden)
        if include or exclude or hidden
        else None
    )
    with index_progress() as progress:
        summary = index_folder(
            folder,
            out,
            filters=chosen,
            dates=date,
            rebuild=rebuild,
            store=store,
            settings=config.settings(),
            progress=progress,
            runner=runner,
            read_seconds=read_seconds,
            read_memory=read_memory,
        )
    print_json(summary) if json else show_result(summary)
