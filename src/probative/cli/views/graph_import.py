"""The import of a graph: what was read, what was dropped, and the lines that could not be used."""

from __future__ import annotations

from pathlib import Path

from probative.cli.views.graph import embedded
from probative.cli.views.terminal import console, plain
from probative.graph.report import ImportReport
from probative.graph.vectors import VectorsMeta
from probative.types import Value


class Imported(Value):
    """A graph that was imported: its folder, the report, and its vectors if it was embedded."""

    folder: Path
    report: ImportReport
    vectors: VectorsMeta | None


def show_import(imported: Imported) -> None:
    """Print an import."""
    terminal, report = console(), imported.report
    terminal.print(
        f"{report.entities:,} entities, {report.relations:,} relations, {report.edges:,} edges", style="bold"
    )
    origin = f"from {report.lines:,} lines of {plain(report.source)} in {report.seconds:.1f} s"
    terminal.print(f"{origin}, in {plain(str(imported.folder))}", markup=False, soft_wrap=True)
    counts = (
        (report.duplicates, "lines repeated an edge and were dropped"),
        (report.self_loops, "edges lead from an entity to itself; they are kept, but never part of a path"),
        (report.merged, "entities had several spellings and were merged"),
        (report.named, "entities got a name"),
        (report.malformed, "lines could not be used"),
    )
    for count, what in counts:
        if count:
            terminal.print(f"  {count:>9,} {what}")
    for note in report.notes:
        terminal.print(f"  {plain(note)}", style="yellow", markup=False, soft_wrap=True)
    for bad in report.examples:
        terminal.print(f"            line {bad.line:,} {plain(bad.why)}", style="yellow", markup=False)
    if report.malformed > len(report.examples):
        terminal.print(f"            … and {report.malformed - len(report.examples):,} more", style="yellow")
    if imported.vectors is not None:
        terminal.print(embedded(imported.vectors))
