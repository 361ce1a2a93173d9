"""Figure 4 and table 6: the size N of the trajectory pool, and the look-ahead K from 0 to 5."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from probative.bench.families.hops import HOVER, HopStudy, hop_metrics, hop_table, hop_tests
from probative.bench.families.mcse import PAPER, Arguments, f1_finding, failures, mean_calls
from probative.bench.findings import count_text, joined
from probative.bench.published import MCSE as PUBLISHED
from probative.bench.report import Cell, Plot
from probative.bench.statistics import Pair, each_against
from probative.bench.study import Settings
from probative.bench.tables import Results, TableSpec, both_series, known_cells

POOLS, STEPS = (1, 2, 5, 10, 15, 20), (0, 1, 2, 3, 4, 5)
# What the paper takes elsewhere: every other size is compared with it.
PAPER_SIZES = {"N": "N = 10", "K": "K = 4"}


def sizes(settings: Settings) -> dict[str, Arguments]:
    """Return a row for each N (with K = 4) and each K (with N = 10); the options pools and steps change them.

    >>> from pathlib import Path
    >>> list(sizes(Settings(Path("."), options={"pools": "1,5", "steps": "0"})))
    ['N = 1', 'N = 5', 'K = 0']
    """
    pools, steps = _numbers(settings.option("pools", POOLS)), _numbers(settings.option("steps", STEPS))
    return {
        **{f"N = {n}": {**PAPER, "trajectories": n} for n in pools},
        **{f"K = {k}": {**PAPER, "lookahead": k} for k in steps},
    }


def _numbers(given: object) -> list[int]:
    return [int(number) for number in (given if isinstance(given, list | tuple) else str(given).split(","))]


def _size_table(letter: str, title: str, note: str = "") -> TableSpec:
    metrics = {**hop_metrics(HOVER), "calls a claim": mean_calls}
    published = {f"K = {k}": figures for k, figures in PUBLISHED.lookahead.items()}
    return hop_table(
        title, published, note, corner=letter, metrics=metrics, where=lambda row: row["method"][0] == letter
    )


def _pairs(names: Sequence[str]) -> list[Pair]:
    return [
        pair
        for letter, size in PAPER_SIZES.items()
        for pair in each_against([name for name in names if name[0] == letter], size)
    ]


def _lines(results: Results) -> Iterator[Plot]:
    for table in results.tables:
        xs = [float(row.name.partition("=")[2]) for row in table.rows]
        series = [
            each
            for number, kind in enumerate(HOVER)
            for each in both_series(kind, [row.cells[2 * number] for row in table.rows], xs)
        ]
        yield Plot(title=table.title, kind="lines", x=table.corner, y="F1", series=tuple(series))


def _best(results: Results) -> Iterator[str]:
    for table in results.tables:
        for kind in HOVER:
            cells: dict[str, Cell] = {name: cell for name, (cell,) in known_cells(table, f"{kind} F1")}
            high = max((cell.value or 0.0 for cell in cells.values()), default=0.0)
            best = [name for name, cell in cells.items() if cell.value == high]
            figure = f"({high:.1f}; {count_text(cells.values())})."
            if len(best) == len(cells) > 1:
                yield f"{kind}: F1 is the same for each {table.corner} {figure}"
            elif best:
                yield f"{kind}: the highest F1 over {table.corner} is at {joined(best)} {figure}"


class McseSearchSize(HopStudy):
    """What more trajectories and a longer look-ahead bring, and cost."""

    name = "mcse-search-size"
    title = "McsE by size of the trajectory pool and length of the look-ahead"
    paper_reference = "figure 4, table 6"
    data = ("hover",)
    verbs = frozenset({"score"})
    calls_per_case = 1_000_000.0
    options = ("methods", "titles", "pools", "steps")
    tables = (
        _size_table("N", "By size of the trajectory pool N (K = 4)", "Figure 4 of the paper has no numbers."),
        _size_table("K", "By length of the look-ahead K (N = 10)"),
    )
    tests = (hop_tests(_pairs),)
    plots = (_lines,)
    findings = (f1_finding, _best, failures)

    def methods(self, settings: Settings) -> dict[str, Arguments]:
        return sizes(settings)
