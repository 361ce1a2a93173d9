"""`probative graph`: import a graph, show what it contains, look up an entity."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from probative.cli.framework.command import command
from probative.cli.framework.options import EncoderOptions, Json
from probative.errors import InputError

if TYPE_CHECKING:
    from probative.graph.graph import Graph
    from probative.graph.vectors import VectorsMeta
    from probative.settings import Settings

app = typer.Typer(
    help="Import a knowledge graph, show what it contains, look up an entity.", no_args_is_help=True
)

GRAPH_HELP = "A folder made by `graph import`, or a file of triples."
Columns = Annotated[
    str | None,
    typer.Option(
        help="The order of the columns, such as relation,head,tail, or their names in the header: "
        "head=NAME,relation=NAME,tail=NAME."
    ),
]


def import_graph(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="TSV, CSV, JSON lines, RDF or Parquet; also as .gz.")
    ],
    out: Annotated[Path | None, typer.Option("--out", metavar="FOLDER", help="The folder to create.")] = None,
    columns: Columns = None,
    names: Annotated[
        list[Path] | None,
        typer.Option(metavar="FILE", help="Readable names: lines of identifier, tab, name. May be repeated."),
    ] = None,
    keep_names: Annotated[
        bool, typer.Option("--keep-names", help="Leave names such as hot_dog and AtLocation as they are.")
    ] = False,
    separator: Annotated[
        str | None, typer.Option(help="The character between two cells (default: by the file).")
    ] = None,
    encoding: Annotated[str, typer.Option(help="The encoding of the text.")] = "utf-8",
    file_format: Annotated[
        str | None,
        typer.Option(
            "--format", help="text, json, rdf, parquet or a suffix such as ttl (default: by the file name)."
        ),
    ] = None,
    embed: Annotated[
        bool, typer.Option("--embed", help="Also encode the names of the entities, for `find` and `reason`.")
    ] = False,
    json: Json = False,
    *,
    encoders: EncoderOptions,
) -> None:
    """Read triples from a file and store them as a graph that opens at once."""
    settings = encoders.settings()
    if out is None:
        raise InputError("there is no folder for the graph", hint="probative graph import FILE --out FOLDER")
    from probative.cli.views.progress import step_progress
    from probative.cli.views.terminal import print_json
    from probative.graph.formats.arguments import check_path
    from probative.graph.graph import Graph
    from probative.graph.save import check_save_target
    from probative.views.graph import Imported
    from probative.views.terminal import show_result

    check_save_target(check_path(out, "the folder of a graph"))  # fail before a large file is read
    with step_progress() as progress:
        graph = Graph.open(
            file,
            columns=columns,
            names=names,
            tidy=not keep_names,
            separator=_character(separator),
            encoding=encoding,
            file_format=file_format,
            progress=progress,
        )
        if graph.report is None or graph.folder is not None:
            raise InputError(f"{file} is a graph already", hint="name a file of triples")
        progress("write the graph", 0.0)
        graph.save(out)
        progress("write the graph", 1.0)
    imported = Imported(folder=out, report=graph.report, vectors=_embed(graph, settings) if embed else None)
    print_json(imported) if json else show_result(imported)


def info(
    graph: Annotated[Path, typer.Argument(metavar="GRAPH", help=GRAPH_HELP)],
    columns: Columns = None,
    json: Json = False,
) -> None:
    """Show the size of a graph, its most frequent relations and its hubs."""
    from probative.cli.views.terminal import print_json
    from probative.graph.summary import summary
    from probative.session.graphs import graphs_cache
    from probative.views.terminal import show_result

    summarised = summary(_open(graph, columns), cache=graphs_cache())
    print_json(summarised) if json else show_result(summarised)


def find(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The name of an entity, or something like it.")],
    graph: Annotated[Path | None, typer.Option("--graph", metavar="PATH", help=GRAPH_HELP)] = None,
    columns: Columns = None,
    n: Annotated[int, typer.Option("-n", min=1, help="How many near entities, and how many edges.")] = 8,
    json: Json = False,
    *,
    encoders: EncoderOptions,
) -> None:
    """Show the entity of a name, its edges, and the nearest entities."""
    settings = encoders.settings()
    if graph is None:
        raise InputError("there is no graph", hint="probative graph find NAME --graph PATH")
    from probative.cli.views.terminal import print_json
    from probative.session.graphs import find_entity
    from probative.views.terminal import show_result

    lookup = find_entity(_open(graph, columns), name, n, settings=settings)
    _print_notes(lookup.notes)
    print_json(lookup) if json else show_result(lookup)


def _open(path: Path, columns: str | None) -> Graph:
    from probative.cli.views.progress import step_progress
    from probative.graph.formats.arguments import check_path
    from probative.graph.graph import Graph

    path = check_path(path, "the graph")
    if path.is_dir():
        return Graph.open(path)
    with step_progress() as progress:
        graph = Graph.open(path, columns=columns, progress=progress)
    unused = graph.unused_lines
    _print_notes([*([unused] if unused else []), *(graph.report.notes if graph.report else ())])
    return graph


def _print_notes(notes: Iterable[str]) -> None:
    from probative.cli.views.terminal import print_note

    for note in notes:
        print_note(f"note: {note}")


def _embed(graph: Graph, settings: Settings) -> VectorsMeta:
    from probative.cli.views.progress import step_progress
    from probative.graph.vectors import VectorsMeta
    from probative.models import load_encoder
    from probative.session.graphs import entity_index

    encoder = load_encoder(settings=settings)
    with step_progress() as progress:

        def update(done: int, total: int) -> None:
            progress(f"encode {done:,} of {total:,} names", done / total)

        index = entity_index(graph, encoder, settings=settings, progress=update)
    _print_notes(index.notes)
    return VectorsMeta(
        encoder=encoder.fingerprint, entities=len(index), dimensions=index.dimensions, recall=index.recall
    )


def _character(separator: str | None) -> str | None:
    """Return a separator; a shell passes a tab only as a word."""
    character = {"\\t": "\t", "tab": "\t"}.get(separator or "", separator)
    if character is not None and len(character) != 1:
        raise InputError(f"--separator must be one character, got {separator!r}", hint="write tab for a tab")
    return character


command(
    app,
    "import",
    examples=(
        "probative graph import herbs.tsv --out herbs/",
        "probative graph import conceptnet.csv --out concepts/ --columns relation,head,tail --embed",
    ),
)(import_graph)
command(app, "info", examples=("probative graph info herbs/", "probative graph info herbs.tsv --json"))(info)
command(app, "find", examples=('probative graph find "willow bark" --graph herbs/ -n 5',))(find)
