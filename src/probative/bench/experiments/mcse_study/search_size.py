"""Figure 4 and table 6: the size N of the trajectory pool, and the look-ahead K from 0 to 5."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from probative.bench.experiment import Settings
from probative.bench.experiments.mcse_study.by_hops import HOVER, hop_groups, hop_table
from probative.bench.experiments.mcse_study.claims import Claim
from probative.bench.experiments.mcse_study.compared import by_kind, compared_f1, f1_finding
from probative.bench.experiments.mcse_study.figures import failure_notes, finished, mean_calls
from probative.bench.experiments.mcse_study.methods import PAPER, Arguments
from probative.bench.experiments.mcse_study.published import PUBLISHED
from probative.bench.experiments.mcse_study.study import McseStudy
from probative.bench.findings import count_text, joined
from probative.bench.report import Cell, Plot, Report, Series, Table
from probative.bench.rows import Row
from probative.bench.significance import each_against

POOLS = (1, 2, 5, 10, 15, 20)
STEPS = (0, 1, 2, 3, 4, 5)
# What the paper takes elsewhere: every other size is compared with it.
PAPER_SIZES = ("N = 10", "K = 4")


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


class SearchSize(McseStudy):
    """What more trajectories and a longer look-ahead bring, and cost."""

    name = "mcse-search-size"
    title = "McsE by size of the trajectory pool and length of the look-ahead"
    shown_as = "figure 4, table 6"
    data = ("hover",)
    verbs = frozenset({"score"})
    calls_per_case = 1_000_000.0
    options = ("methods", "titles", "pools", "steps")

    def groups(self, settings: Settings) -> Iterable[Sequence[Claim]]:
        """Return HoVer's claims of two to four hops."""
        return hop_groups(settings, with_fever=False)

    def methods(self, settings: Settings) -> Mapping[str, Arguments]:
        """Return McsE with every size."""
        return sizes(settings)

    def report(self, rows: Sequence[Row], settings: Settings) -> Report:
        """Return a table by N and one by K, and lines of F1 over each."""
        published = {f"K = {k}": figures for k, figures in PUBLISHED.lookahead.items()}
        whole = hop_table(rows, HOVER, published, "", "size")
        pools = _part(whole, rows, "N", "By size of the trajectory pool N (K = 4)")
        steps = _part(whole, rows, "K", "By length of the look-ahead K (N = 10)")
        tables = tuple(table for table in (pools, steps) if table.rows)
        sizes_of = {
            reference: [row.name for table in tables for row in table.rows if row.name[0] == reference[0]]
            for reference in PAPER_SIZES
        }
        pairings = [pair for last, others in sizes_of.items() for pair in each_against(others, last)]
        tests = compared_f1(by_kind(finished(rows), HOVER), pairings)
        return Report(
            tables=(*tables, *tests),
            plots=tuple(_lines(table) for table in tables),
            findings=(f1_finding(tests), *_best(tables), *failure_notes(rows)),
        )


def _part(whole: Table, rows: Sequence[Row], letter: str, title: str) -> Table:
    """Return the rows of N or of K, each with its calls."""
    good = finished(rows)
    own = tuple(
        row.model_copy(update={"cells": (*row.cells, mean_calls(good, row.name))})
        for row in whole.rows
        if row.name.startswith(letter)
    )
    note = "Figure 4 of the paper has no numbers." if letter == "N" else ""
    return Table(title=title, corner=letter, columns=(*whole.columns, "calls a claim"), rows=own, note=note)


def _lines(table: Table) -> Plot:
    series = []
    for number, kind in enumerate(HOVER):
        cells = [(_size(row.name), row.cells[2 * number]) for row in table.rows]
        figures = [(size, cell) for size, cell in cells if isinstance(cell, Cell)]
        own = tuple((size, cell.value) for size, cell in figures if cell.value is not None)
        paper = tuple((size, cell.published) for size, cell in figures if cell.published is not None)
        series += [Series(name=kind, points=own)] if own else []
        series += [Series(name=kind, points=paper, published=True)] if paper else []
    return Plot(title=table.title, kind="lines", x=table.corner, y="F1", series=tuple(series))


def _size(name: str) -> float:
    return float(name.partition("=")[2])


def _best(tables: Sequence[Table]) -> list[str]:
    findings = []
    for table in tables:
        for number, kind in enumerate(HOVER):
            cells = {
                row.name: cell
                for row in table.rows
                if isinstance(cell := row.cells[2 * number], Cell) and cell.value is not None
            }
            scored = {name: cell.value or 0.0 for name, cell in cells.items()}
            best = [name for name in scored if scored[name] == max(scored.values())]
            if len(best) == len(scored) > 1:
                findings.append(
                    f"{kind}: F1 is the same for each {table.corner} ({scored[best[0]]:.1f}; "
                    f"{count_text(cells.values())})."
                )
            elif best:
                findings.append(
                    f"{kind}: the highest F1 over {table.corner} is at {joined(best)} "
                    f"({scored[best[0]]:.1f}; {count_text(cells.values())})."
                )
    return findings
