"""`probative graph`: bring a graph of your own, see what is in it, look something up."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from probative.cli import options
from probative.errors import InputError

if TYPE_CHECKING:
    from probative.graph.graph import Graph
    from probative.graph.vectors import VectorsMeta
    from probative.settings import Settings

app = typer.Typer(help="Import a graph, see what is in it, look something up.", no_args_is_help=True)

GraphPath = Annotated[Path, typer.Argument(help="A folder made by `graph import`, or a file of triples.")]
Columns = Annotated[
    str | None,
    typer.Option(
        help="The columns' order, such as relation,head,tail, or their names in the header: "
        "head=NAME,relation=NAME,tail=NAME."
    ),
]


@app.command("import")
def import_graph(
    file: Annotated[Path, typer.Argument(help="TSV, CSV, JSON lines, RDF or Parquet; also .gz.")],
    out: Annotated[Path | None, typer.Option("--out", help="The folder for the graph.")] = None,
    columns: Columns = None,
    names: Annotated[
        list[Path] | None,
        typer.Option(help="Names for people: lines of identifier, tab, name; may be repeated."),
    ] = None,
    keep_names: Annotated[
        bool, typer.Option("--keep-names", help="Leave hot_dog and AtLocation as they are.")
    ] = False,
    separator: Annotated[str | None, typer.Option(help="What stands between two cells.")] = None,
    encoding: Annotated[str, typer.Option(help="How the text is encoded.")] = "utf-8",
    file_format: Annotated[
        str | None,
        typer.Option(
            "--format", help="text, json, rdf, parquet or a suffix such as ttl, if its own does not say."
        ),
    ] = None,
    embed: Annotated[bool, typer.Option("--embed", help="Encode the entities' names too.")] = False,
    encoder: options.EncoderName = None,
    base_url: options.BaseUrl = None,
    api_key: options.ApiKey = None,
    json: options.Json = False,
) -> None:
    """Read triples from a file and store them as a graph that opens at once."""
    settings = options.settings_of(locals())
    if out is None:
        raise InputError("there is no folder for the graph", hint="probative graph import FILE --out FOLDER")
    from probative import Graph
    from probative.cli.views.graph import showing_import
    from probative.graph.arguments import check_path
    from probative.graph.store import check_save_target

    check_save_target(check_path(out, "the folder of a graph"))  # better said before a large file is read
    with showing_import() as report:
        graph = Graph.open(
            file,
            columns=columns,
            names=names,
            tidy=not keep_names,
            separator=_character(separator),
            encoding=encoding,
            file_format=file_format,
            progress=report,
        )
        if graph.report is None or graph.folder is not None:
            raise InputError(f"{file} is a graph already", hint="name a file of triples")
        report("write the graph", 0.0)
        graph.save(out)
        report("write the graph", 1.0)
    vectors = _embed(graph, settings) if embed else None
    from probative.cli.views.graph import Imported, show_import

    imported = Imported(folder=out, report=graph.report, vectors=vectors)
    typer.echo(imported.to_json()) if json else show_import(imported)


@app.command()
def info(graph: GraphPath, columns: Columns = None, json: options.Json = False) -> None:
    """Show how large a graph is, its commonest relations and its hubs."""
    opened = _open(graph, columns)
    from probative.graph.summary import summary
    from probative.session.graphs import graphs_cache

    shown = summary(opened, cache=graphs_cache())
    if json:
        typer.echo(shown.to_json())
        return
    from probative.cli.views.graph import show_info

    show_info(shown)


@app.command()
def find(
    name: Annotated[str, typer.Argument(help="An entity's name, or anything near it.")],
    graph: Annotated[
        Path | None, typer.Option("--graph", help="A folder made by `graph import`, or a file of triples.")
    ] = None,
    columns: Columns = None,
    n: Annotated[int, typer.Option("-n", min=1, help="How many near entities and edges.")] = 8,
    encoder: options.EncoderName = None,
    base_url: options.BaseUrl = None,
    api_key: options.ApiKey = None,
    json: options.Json = False,
) -> None:
    """Show the entity of a name, its edges, and the nearest entities."""
    settings = options.settings_of(locals())
    if graph is None:
        raise InputError("there is no graph", hint="probative graph find NAME --graph GRAPH")
    from probative.session.graphs import find_entity

    shown = find_entity(_open(graph, columns), name, n, settings=settings)
    if json:
        typer.echo(shown.to_json())
        return
    from probative.cli.views.graph import note, show_found

    for text in shown.notes:
        note(text)
    show_found(shown)


def _open(path: Path, columns: str | None) -> Graph:
    from probative import Graph
    from probative.cli.views.graph import note, showing_import
    from probative.graph.arguments import check_path
    from probative.graph.report import unused_lines

    path = check_path(path, "the graph")
    if path.is_dir():
        return Graph.open(path)
    with showing_import() as report:
        graph = Graph.open(path, columns=columns, progress=report)
    told = [unused_lines(graph), *(graph.report.notes if graph.report else ())]
    for one in told:
        if one:
            note(one)
    return graph


def _embed(graph: Graph, settings: Settings) -> VectorsMeta:
    from probative.cli.views.graph import note, showing_import
    from probative.graph.vectors import VectorsMeta
    from probative.models import load_encoder
    from probative.session.graphs import entity_index

    encoder = load_encoder(settings=settings)
    with showing_import() as report:

        def tell(done: int, total: int) -> None:
            report(f"encode {done:,} of {total:,} names", done / total)

        index = entity_index(graph, encoder, settings=settings, progress=tell)
    for text in index.notes:
        note(text)
    return VectorsMeta(
        encoder=encoder.fingerprint, entities=len(index), dimensions=index.dimensions, recall=index.recall
    )


def _character(separator: str | None) -> str | None:
    """A separator as it was meant: a shell passes no tab by itself."""
    meant = {"\\t": "\t", "tab": "\t"}.get(separator or "", separator)
    if meant is not None and len(meant) != 1:
        raise InputError(f"a separator is one character, not {separator!r}", hint="write tab for a tab")
    return meant
