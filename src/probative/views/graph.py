"""A graph at a glance, its import, and an entity with its edges."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from probative.graph.formats.sources import ImportReport
from probative.graph.summary import EntityLookup, GraphInfo
from probative.graph.vectors import VectorsMeta
from probative.session.graphs import AT_ONCE
from probative.text.labels import counted
from probative.types import Triple, Value
from probative.views.blocks import (
    Bar,
    Block,
    Folded,
    Line,
    Notes,
    Span,
    Table,
    columns,
    faint,
    line,
    page,
    screen,
    strong,
)


class Imported(Value):
    """A graph that was imported: its folder, the report, and its vectors if it was embedded."""

    folder: Path
    report: ImportReport
    vectors: VectorsMeta | None


def graph_info_view(info: GraphInfo) -> Sequence[Block]:
    """Return the size of a graph, its commonest relations and its hubs."""
    degrees = f"median {info.median_degree:g}, mean {info.mean_degree:g}"
    highest = max((relation.share for relation in info.top_relations), default=0.0)
    relations = Table(
        [
            (
                Span(relation.name),
                f"{relation.edges:,}",
                f"{relation.share:.1%}",
                Bar(relation.share, highest, 24, "", least=1),
            )
            for relation in info.top_relations
        ],
        columns("relation", "edges", "share", "", right=[1, 2]),
    )
    hubs = [(Span(hub.name), f"{hub.edges:,}") for hub in info.hubs]
    return [
        page(
            line(strong(_size(info))),
            line(faint(f"edges of an entity: {degrees}, largest {info.largest_degree:,}")),
        ),
        screen(
            line(
                *(strong(f"{info.entities:,}"), " entities, "),
                *(strong(f"{info.relations:,}"), " relations, "),
                *(strong(f"{info.edges:,}"), " edges"),
            ),
            line(f"edges per entity: {degrees}, maximum {info.largest_degree:,}"),
            *_origin(info),
            *_vectors(info.embedded),
            line(),
        ),
        relations,
        page(Folded("Hubs", (Table(hubs, columns("entity", "edges", right=[1])),))),
        screen(line(), Table(hubs, columns("hub", "edges", right=[1]))),
    ]


def _size(graph: GraphInfo | ImportReport) -> str:
    return f"{graph.entities:,} entities, {graph.relations:,} relations, {graph.edges:,} edges"


def _origin(info: GraphInfo) -> list[Line]:
    """Return which file the graph was read from, and what was dropped."""
    loops = [line(f"{info.self_loops:,} edges lead from an entity to itself")] if info.self_loops else []
    if (report := info.report) is None:
        return loops
    counts = (
        (report.malformed, "could not be used"),
        (report.duplicates, "repeated an edge"),
        (report.merged, "entities had several spellings and were merged"),
    )
    dropped = "".join(f"; {count:,} {what}" for count, what in counts if count)
    origin = Span(f"from {report.lines:,} lines of {report.source}{dropped}")
    return [*loops, line(origin, wrap=False)]


def _vectors(embedded: Iterable[VectorsMeta]) -> list[Line]:
    lines = []
    for vectors in embedded:
        recall = f"; two-pass search finds {vectors.recall:.1%} of the true nearest" if vectors.recall else ""
        lines.append(line(f"embedded: {vectors.entities:,} vectors of {vectors.dimensions} numbers{recall}"))
    missing = (
        f"not embedded: 'graph import --embed' embeds it; 'graph find' does so up to {AT_ONCE:,} "
        "entities, and compares words above that"
    )
    return lines or [line(missing, wrap=False)]


def import_report_view(report: ImportReport) -> Sequence[Block]:
    """Return what an import read and dropped, and the first malformed lines."""
    counts = {
        "lines": report.lines,
        "duplicates dropped": report.duplicates,
        "self-loops": report.self_loops,
        "entities merged": report.merged,
        "malformed lines": report.malformed,
    }
    rows = [(name, f"{count:,}") for name, count in counts.items()]
    malformed = Table(
        [(f"{example.line:,}", example.why) for example in report.examples], columns("line", "reason")
    )
    return [
        line(strong(_size(report))),
        line(faint(f"{report.source} ({report.format}), {report.seconds:.1f} s")),
        Table(rows, columns("", "", right=[1])),
        *([Folded("Malformed lines", (malformed,))] if report.examples else []),
        Notes(report.notes),
    ]


def imported_view(imported: Imported) -> Sequence[Block]:
    """Return what was read, what was dropped, and the lines that could not be used."""
    report = imported.report
    origin = f"from {report.lines:,} lines of {report.source} in {report.seconds:.1f} s, in {imported.folder}"
    counts = (
        (report.duplicates, "lines repeated an edge and were dropped"),
        (report.self_loops, "edges lead from an entity to itself; they are kept, but never part of a path"),
        (report.merged, "entities had several spellings and were merged"),
        (report.named, "entities got a name"),
        (report.malformed, "lines could not be used"),
    )
    bad = [f"line {example.line:,} {example.why}" for example in report.examples]
    if report.malformed > len(bad):
        bad.append(f"… and {report.malformed - len(bad):,} more")
    return [
        line(strong(_size(report))),
        line(Span(origin), wrap=False),
        *(line(f"  {count:>9,} {what}") for count, what in counts if count),
        *(line(Span(note, "yellow"), indent=2, wrap=False) for note in report.notes),
        *(line(Span(text, "yellow"), indent=12) for text in bad),
        *(_vectors([imported.vectors]) if imported.vectors is not None else []),
    ]


def entity_lookup_view(lookup: EntityLookup) -> Sequence[Block]:
    """Return an entity with its edges, and the nearest entities."""
    name = strong(lookup.name) if lookup.name is not None else faint("no such entity")
    counts = f" {lookup.out_count:,} edges out, {lookup.in_count:,} in"
    nearest = [(near.name, "" if near.cosine is None else f"{near.cosine:.2f}") for near in lookup.near]
    titles = columns("entity", "cosine", right=[1])
    return [
        page(
            line(faint(f"{lookup.query}: "), name, faint(counts)),
            _edges(lookup.edges),
            Folded("Nearest entities", (Table(nearest, titles),)),
            Notes(lookup.notes),
        ),
        screen(*_entity(lookup), *_nearest(lookup)),
    ]


def _edges(edges: Sequence[Triple]) -> Table:
    rows = [(Span(edge.head), Span(edge.relation, "neutral"), Span(edge.tail)) for edge in edges]
    return Table(rows, indent=4)


def _entity(lookup: EntityLookup) -> list[Block]:
    if lookup.name is None:
        return [line("no entity has the name ", strong(lookup.query))]
    counts = f": {counted(lookup.out_count, 'outgoing edge')}, {counted(lookup.in_count, 'incoming edge')}"
    rest = lookup.out_count + lookup.in_count - len(lookup.edges)
    more = [line(f"   … and {rest:,} more")] if rest else []
    return [line(strong(lookup.name), counts), _edges(lookup.edges), *more]


def _nearest(lookup: EntityLookup) -> list[Line]:
    if not lookup.near:
        return [line("no entity shares a word with it")]
    lines = [line(), line("nearest" if lookup.near[0].cosine is not None else "sharing words")]
    for near in lookup.near:
        cosine = "" if near.cosine is None else f"{near.cosine:.2f}"
        lines.append(line(f"  {cosine:>6}  ", Span(near.name)))
    return lines
