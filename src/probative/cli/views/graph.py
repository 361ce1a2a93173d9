"""A graph at a glance, and an entity with its edges."""

from __future__ import annotations

from typing import TYPE_CHECKING

from probative.cli.views.terminal import console, plain
from probative.graph.summary import EntityLookup, GraphInfo
from probative.graph.vectors import VectorsMeta
from probative.text.labels import counted

if TYPE_CHECKING:
    from rich.table import Table

BAR_WIDTH = 24


def show_info(info: GraphInfo) -> None:
    """Print a graph at a glance."""
    from probative.session.graphs import AT_ONCE

    terminal = console()
    terminal.print(
        f"[bold]{info.entities:,}[/bold] entities, [bold]{info.relations:,}[/bold] relations, "
        f"[bold]{info.edges:,}[/bold] edges"
    )
    terminal.print(
        f"edges per entity: median {info.median_degree:g}, mean {info.mean_degree:g}, "
        f"maximum {info.largest_degree:,}"
    )
    if info.self_loops:
        terminal.print(f"{info.self_loops:,} edges lead from an entity to itself")
    if info.report is not None:
        terminal.print(_origin(info), markup=False, soft_wrap=True)
    for vectors in info.embedded:
        terminal.print(embedded(vectors))
    if not info.embedded:
        terminal.print(
            f"not embedded: 'graph import --embed' embeds it; 'graph find' does so up to {AT_ONCE:,} "
            "entities, and compares words above that",
            soft_wrap=True,
        )
    terminal.print()
    terminal.print(_relations(info))
    terminal.print()
    terminal.print(_hubs(info))


def _origin(info: GraphInfo) -> str:
    """Return which file the graph was read from, and what was dropped."""
    report = info.report
    assert report is not None
    counts = (
        (report.malformed, "could not be used"),
        (report.duplicates, "repeated an edge"),
        (report.merged, "entities had several spellings and were merged"),
    )
    details = "".join(f"; {count:,} {what}" for count, what in counts if count)
    return f"from {report.lines:,} lines of {plain(report.source)}{details}"


def _relations(info: GraphInfo) -> Table:
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("relation")
    table.add_column("edges", justify="right")
    table.add_column("share", justify="right")
    table.add_column("")
    largest = max(relation.share for relation in info.top_relations)
    for relation in info.top_relations:
        bar = "█" * max(1, round(BAR_WIDTH * relation.share / largest))
        table.add_row(Text(plain(relation.name)), f"{relation.edges:,}", f"{relation.share:.1%}", bar)
    return table


def _hubs(info: GraphInfo) -> Table:
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("hub")
    table.add_column("edges", justify="right")
    for hub in info.hubs:
        table.add_row(Text(plain(hub.name)), f"{hub.edges:,}")
    return table


def show_lookup(lookup: EntityLookup) -> None:
    """Print an entity with its edges, and the nearest entities."""
    from rich.text import Text

    terminal = console()
    if lookup.name is None:
        terminal.print(Text.assemble("no entity has the name ", (plain(lookup.query), "bold")))
    else:
        counts = (
            f": {counted(lookup.out_count, 'outgoing edge')}, {counted(lookup.in_count, 'incoming edge')}"
        )
        terminal.print(Text.assemble((plain(lookup.name), "bold"), counts))
        terminal.print(_edges(lookup))
        if rest := lookup.out_count + lookup.in_count - len(lookup.edges):
            terminal.print(f"   … and {rest:,} more")
    if not lookup.near:
        terminal.print("no entity shares a word with it")
        return
    terminal.print("\nnearest" if lookup.near[0].cosine is not None else "\nsharing words")
    for near in lookup.near:
        cosine = "" if near.cosine is None else f"{near.cosine:.2f}"
        terminal.print(f"  {cosine:>6}  {plain(near.name)}", markup=False)


def _edges(lookup: EntityLookup) -> Table:
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, show_header=False)
    for triple in lookup.edges:
        relation = Text(plain(triple.relation), "cyan")
        table.add_row("  ", Text(plain(triple.head)), relation, Text(plain(triple.tail)))
    return table


def embedded(vectors: VectorsMeta) -> str:
    """Return the line about the vectors of a graph."""
    recall = f"; two-pass search finds {vectors.recall:.1%} of the true nearest" if vectors.recall else ""
    return f"embedded: {vectors.entities:,} vectors of {vectors.dimensions} numbers{recall}"
