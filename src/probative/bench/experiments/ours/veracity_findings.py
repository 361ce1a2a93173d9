"""Findings of the experiment `veracity`: who tells true triples from false ones, and how well."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from probative.bench.experiments.ours.veracity_tables import combined_table, known_table, learned_table
from probative.bench.findings import auroc_text
from probative.bench.report import Cell, Table
from probative.bench.rows import Row


def known_findings(rows: Sequence[Row]) -> Iterator[str]:
    """Yield how well the model tells triples of the graph from corrupted ones, asked and by its scores."""
    if rows:
        for name, (asked, scored) in _aurocs(known_table(rows), "asked: AUROC", "scored: AUROC"):
            yield (
                f"{name}: the model, asked in words, has {auroc_text(asked)}; its scores have "
                f"{auroc_text(scored)}."
            )


def learned_findings(rows: Sequence[Row]) -> Iterator[str]:
    """Yield how well the learned veracity tells hidden triples from false ones."""
    if rows:
        for name, (learned,) in _aurocs(learned_table(rows), "AUROC"):
            yield f"{name}: what the graph teaches has {auroc_text(learned)} on hidden triples."


def combined_findings(learned: Sequence[Row], hidden: Sequence[Row]) -> Iterator[str]:
    """Yield whether the model adds anything to the learned veracity."""
    if learned and hidden:
        columns = ("model: AUROC", "learned: AUROC", "both: AUROC")
        for name, (model, alone, both) in _aurocs(combined_table(learned, hidden), *columns):
            yield (
                f"{name}: on the same {both.n} triples the model has an AUROC of {model.value:.3f}, what "
                f"the graph teaches {alone.value:.3f}, and both together {both.value:.3f}."
            )


def _aurocs(table: Table, *columns: str) -> Iterator[tuple[str, list[Cell]]]:
    """Yield the name of each row with its cells in the columns, where all have a figure."""
    places = [table.columns.index(column) for column in columns]
    for row in table.rows:
        cells = [cell for at in places if isinstance(cell := row.cells[at], Cell) and cell.value is not None]
        if len(cells) == len(places):
            yield row.name, cells
