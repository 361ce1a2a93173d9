"""Figure 4 and table 6: the size N of the trajectory pool, and the look-ahead K from 0 to 5."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar

from probative.bench.experiment import Settings
from probative.bench.experiments.mcse_study.by_hops import HOVER, HopStudy, Published
from probative.bench.experiments.mcse_study.figures import (
    by_kind,
    compared_f1,
    f1_finding,
    failure_notes,
    mean_calls,
)
from probative.bench.experiments.mcse_study.study import PAPER, Arguments
from probative.bench.findings import count_text, joined
from probative.bench.published import MCSE as PUBLISHED
from probative.bench.report import Cell, Plot, Report, Table
from probative.bench.rows import Row, finished_rows
from probative.bench.statistics import each_against
from probative.bench.tables import both_series, known_cells

POOLS = (1, 2, 5, 10, 15, 20)
STEPS = (0, 1, 2, 3, 4, 5)
# The table of each size, and what the paper takes elsewhere: every other size is compared with it.
TITLES = {"N": "By size of the trajectory pool N (K = 4)", "K": "By length of the look-ahead K (N = 10)"}
NOTES = {"N": "Figure 4 of the paper has no numbers."}
PAPER_SIZES = {"N": "N = 10", "K": "K = 4"}


def sizes(settings: Settings) -> dict[str, Arguments]:
    """Return a row for each N (with K = 4) and each K (with N = 10); the options pools and steps change them.

    >>> from pathlib import Path
    >>> list(sizes(Settings(Path("."), options={"pools": "1,5", "steps": "0"})))
    ['N = 1', 'N = 5', 'K = 0']
    """
    pools = _numbers(settings.option("pools", POOLS))
    steps = _numbers(settings.option("steps", STEPS))
    return {
        **{f"N = {n}": {**PAPER, "trajectories": n} for n in pools},
        **{f"K = {k}": {**PAPER, "lookahead": k} for k in steps},
    }


def _numbers(given: object) -> list[int]:
    if isinstance(given, str):
        return [int(number) for number in given.split(",")]
    return list(given) if isinstance(given, list | tuple) else [int(str(given))]


class SearchSize(HopStudy):
    """What more trajectories and a longer look-ahead bring, and cost."""

    name = "mcse-search-size"
    title = "McsE by size of the trajectory pool and length of the look-ahead"
    paper_reference = "figure 4, table 6"
    data = ("hover",)
    kinds = HOVER
    verbs = frozenset({"score"})
    calls_per_case = 1_000_000.0
    options = ("methods", "titles", "pools", "steps")
    published: ClassVar[Published] = {f"K = {k}": figures for k, figures in PUBLISHED.lookahead.items()}

    def methods(self, settings: Settings) -> Mapping[str, Arguments]:
        """Return McsE with every size."""
        return sizes(settings)

    def report(self, rows: Sequence[Row], settings: Settings) -> Report:
        """Return a table by N and one by K, and lines of F1 over each."""
        good = finished_rows(rows)
        parts = [_part(self.table(good), good, letter) for letter in TITLES]
        tables = [table for table in parts if table.rows]
        pairs = [
            pair
            for table in tables
            for pair in each_against([row.name for row in table.rows], PAPER_SIZES[table.corner])
        ]
        tests = compared_f1(by_kind(good, HOVER), pairs)
        return Report(
            tables=(*tables, *tests),
            plots=tuple(map(_lines, tables)),
            findings=(f1_finding(tests), *_best(tables), *failure_notes(rows)),
        )


def _part(whole: Table, rows: Sequence[Row], letter: str) -> Table:
    """Return the rows of N or of K, each with its calls."""
    own = tuple(
        row.model_copy(update={"cells": (*row.cells, mean_calls(rows, row.name))})
        for row in whole.rows
        if row.name.startswith(letter)
    )
    columns = (*whole.columns, "calls a claim")
    return Table(title=TITLES[letter], corner=letter, columns=columns, rows=own, note=NOTES.get(letter, ""))


def _lines(table: Table) -> Plot:
    xs = [float(row.name.partition("=")[2]) for row in table.rows]
    series = [
        each
        for number, kind in enumerate(HOVER)
        for each in both_series(kind, [row.cells[2 * number] for row in table.rows], xs)
    ]
    return Plot(title=table.title, kind="lines", x=table.corner, y="F1", series=tuple(series))


def _best(tables: Sequence[Table]) -> Iterator[str]:
    for table in tables:
        for kind in HOVER:
            cells: dict[str, Cell] = {name: cell for name, (cell,) in known_cells(table, f"{kind} F1")}
            high = max((cell.value or 0.0 for cell in cells.values()), default=0.0)
            best = [name for name, cell in cells.items() if cell.value == high]
            figure = f"({high:.1f}; {count_text(cells.values())})."
            if len(best) == len(cells) > 1:
                yield f"{kind}: F1 is the same for each {table.corner} {figure}"
            elif best:
                yield f"{kind}: the highest F1 over {table.corner} is at {joined(best)} {figure}"
