"""A graph as people read it: what an import found, what is in it, what is near a name."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from probative.cli.views.plain_text import plain
from probative.graph.report import ImportReport
from probative.graph.summary import EntityLookup, GraphInfo
from probative.graph.vectors import VectorsMeta
from probative.types import Value

if TYPE_CHECKING:
    from rich.console import Console

_BAR = 24


class Imported(Value):
    """A graph that was imported: where it is, what was found, and what it was embedded with."""

    folder: Path
    report: ImportReport
    vectors: VectorsMeta | None


@contextmanager
def showing_import() -> Iterator[Callable[[str, float], None]]:
    """A bar on standard error that says what is being done; nothing where that is no terminal."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    console = Console(stderr=True)
    columns = (TextColumn("{task.description}", markup=False), BarColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("open", total=1.0)

        def tell(what: str, part: float) -> None:
            bar.update(task, description=plain(what), completed=part)

        yield tell


def note(what: str) -> None:
    """Tell the user something beside the result, on standard error."""
    from rich.console import Console

    Console(stderr=True, highlight=False).print(
        f"probative: {plain(what)}", style="yellow", markup=False, soft_wrap=True
    )


def show_import(imported: Imported) -> None:
    """Print what was read and what was dropped, and the lines that could not be used."""
    console, report = _console(), imported.report
    console.print(
        f"{report.entities:,} entities, {report.relations:,} relations, {report.edges:,} edges", style="bold"
    )
    read = f"from {report.lines:,} lines of {plain(report.source)} in {report.seconds:.1f} s"
    console.print(f"{read}, in {plain(str(imported.folder))}", markup=False, soft_wrap=True)
    said = (
        (report.duplicates, "repeated an edge and were dropped"),
        (report.self_loops, "edges lead from an entity to itself; they are kept, and never part of a path"),
        (report.merged, "entities were written in several ways and are one"),
        (report.named, "names were given"),
        (report.malformed, "lines could not be used"),
    )
    for count, what in said:
        if count:
            console.print(f"  {count:>9,} {what}")
    for one in report.notes:
        console.print(f"  {plain(one)}", style="yellow", markup=False, soft_wrap=True)
    for bad in report.examples:
        console.print(f"            line {bad.line:,} {plain(bad.why)}", style="yellow", markup=False)
    if report.malformed > len(report.examples):
        console.print(f"            … and {report.malformed - len(report.examples):,} more", style="yellow")
    if imported.vectors is not None:
        console.print(_embedded(imported.vectors))


def show_info(info: GraphInfo) -> None:
    """Print a graph at a glance."""
    from rich.table import Table
    from rich.text import Text

    from probative.session.graphs import AT_ONCE

    console = _console()
    console.print(
        f"[bold]{info.entities:,}[/bold] entities, [bold]{info.relations:,}[/bold] relations, "
        f"[bold]{info.edges:,}[/bold] edges"
    )
    console.print(
        f"edges at an entity: median {info.median_degree:g}, mean {info.mean_degree:g}, most "
        f"{info.largest_degree:,}"
    )
    if info.self_loops:
        console.print(f"{info.self_loops:,} edges lead from an entity to itself")
    if info.report is not None:
        said = (
            (info.report.malformed, "could not be used"),
            (info.report.duplicates, "repeated an edge"),
            (info.report.merged, "entities were written in several ways and are one"),
        )
        told = "".join(f"; {count:,} {what}" for count, what in said if count)
        console.print(
            f"from {info.report.lines:,} lines of {plain(info.report.source)}{told}",
            markup=False,
            soft_wrap=True,
        )
    for vectors in info.embedded:
        console.print(_embedded(vectors))
    if not info.embedded:
        console.print(
            f"not embedded: 'graph import --embed' does it, and 'graph find' by itself up to {AT_ONCE:,} "
            "entities; above, it goes by shared words",
            soft_wrap=True,
        )
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading, side in (("relation", "left"), ("edges", "right"), ("share", "right"), ("", "left")):
        table.add_column(heading, justify=side)  # type: ignore[arg-type]
    largest = max(one.share for one in info.top_relations)
    for one in info.top_relations:
        bar = "█" * max(1, round(_BAR * one.share / largest))
        table.add_row(Text(plain(one.name)), f"{one.edges:,}", f"{one.share:.1%}", bar)
    console.print()
    console.print(table)
    hubs = Table(box=None, pad_edge=False, header_style="bold")
    hubs.add_column("hub")
    hubs.add_column("edges", justify="right")
    for hub in info.hubs:
        hubs.add_row(Text(plain(hub.name)), f"{hub.edges:,}")
    console.print()
    console.print(hubs)


def show_found(found: EntityLookup) -> None:
    """Print an entity with its edges, and the nearest ones."""
    from rich.table import Table
    from rich.text import Text

    console = _console()
    if found.name is None:
        console.print(Text.assemble("no entity is called ", (plain(found.query), "bold")))
    else:
        counts = f": {found.out_count:,} edges out of it, {found.in_count:,} into it"
        console.print(Text.assemble((plain(found.name), "bold"), counts))
        table = Table(box=None, pad_edge=False, show_header=False)
        for triple in found.edges:
            cells = (triple.head, triple.relation, triple.tail)
            styles = ("", "cyan", "")
            table.add_row(
                "  ", *(Text(plain(cell), style) for cell, style in zip(cells, styles, strict=True))
            )
        console.print(table)
        left = found.out_count + found.in_count - len(found.edges)
        if left:
            console.print(f"   … and {left:,} more")
    if found.near:
        by = "nearest" if found.near[0].cosine is not None else "sharing words"
        console.print(f"\n{by}")
    for near in found.near:
        cosine = "      " if near.cosine is None else f"{near.cosine:>6.2f}"
        console.print(f"  {cosine}  {plain(near.name)}", markup=False)
    if not found.near:
        console.print("and none shares a word with it")


def _embedded(vectors: VectorsMeta) -> str:
    recall = f"; two-pass search finds {vectors.recall:.1%} of the true nearest" if vectors.recall else ""
    return f"embedded: {vectors.entities:,} vectors of {vectors.dimensions} numbers{recall}"


def _console() -> Console:
    from rich.console import Console

    return Console(highlight=False)
