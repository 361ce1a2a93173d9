"""A graph's summary, an import and the look-up of an entity as HTML, for notebooks."""

from __future__ import annotations

from probative import html
from probative.graph.report import ImportReport
from probative.graph.summary import EntityLookup, GraphInfo


def info_html(info: GraphInfo) -> str:
    """Return the size of a graph, its commonest relations and its hubs."""
    highest = max((relation.share for relation in info.top_relations), default=0.0)
    relations = [
        [relation.name, f"{relation.edges:,}", f"{relation.share:.1%}", html.bar(relation.share, highest)]
        for relation in info.top_relations
    ]
    hubs = [[hub.name, f"{hub.edges:,}"] for hub in info.hubs]
    degrees = f"median {info.median_degree:g}, mean {info.mean_degree:g}, largest {info.largest_degree:,}"
    return html.result(
        html.paragraph(html.tag("b", _size(info.entities, info.relations, info.edges))),
        html.paragraph(html.faded(f"edges of an entity: {degrees}")),
        html.table(relations, ["relation", "edges", "share", ""], numeric=(1, 2)),
        html.details("Hubs", html.table(hubs, ["entity", "edges"], numeric=(1,))),
    )


def report_html(report: ImportReport) -> str:
    """Return what an import read and dropped, and the first malformed lines."""
    counts = {
        "lines": report.lines,
        "duplicates dropped": report.duplicates,
        "self-loops": report.self_loops,
        "entities merged": report.merged,
        "malformed lines": report.malformed,
    }
    rows = [[name, f"{count:,}"] for name, count in counts.items()]
    lines = [[f"{example.line:,}", example.why] for example in report.examples]
    malformed = [html.details("Malformed lines", html.table(lines, ["line", "reason"]))] if lines else []
    return html.result(
        html.paragraph(html.tag("b", _size(report.entities, report.relations, report.edges))),
        html.paragraph(html.faded(f"{report.source} ({report.format}), {report.seconds:.1f} s")),
        html.table(rows, numeric=(1,)),
        *malformed,
        html.notes(report.notes),
    )


def lookup_html(lookup: EntityLookup) -> str:
    """Return an entity with its edges, and the nearest entities."""
    name = html.tag("b", lookup.name) if lookup.name is not None else html.faded("no such entity")
    counts = f" {lookup.out_count:,} edges out, {lookup.in_count:,} in"
    edges = [[edge.head, html.highlight(edge.relation, "neutral"), edge.tail] for edge in lookup.edges]
    nearest = [[near.name, "" if near.cosine is None else f"{near.cosine:.2f}"] for near in lookup.near]
    return html.result(
        html.paragraph(html.faded(f"{lookup.query}: "), name, html.faded(counts)),
        html.table(edges),
        html.details("Nearest entities", html.table(nearest, ["entity", "cosine"], numeric=(1,))),
        html.notes(lookup.notes),
    )


def _size(entities: int, relations: int, edges: int) -> str:
    return f"{entities:,} entities, {relations:,} relations, {edges:,} edges"
