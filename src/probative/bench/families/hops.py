"""The studies of McsE by the number of gold sentences: FEVER-1, HoVer-2, HoVer-3, HoVer-4."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar

from probative.bench.families.claims import Claim, fever, hover_by_hops
from probative.bench.families.evidence import exact_match, overlap_metrics
from probative.bench.families.mcse import (
    PAPER,
    Arguments,
    McseStudy,
    by_encoder,
    f1_tests,
    mcse_against,
    mean_calls,
)
from probative.bench.findings import count_text, joined
from probative.bench.published import MCSE as PUBLISHED
from probative.bench.published import ByHops
from probative.bench.report import Cell, Plot
from probative.bench.rows import Row
from probative.bench.statistics import Pair, each_against
from probative.bench.study import Settings
from probative.bench.tables import Metrics, PairedSpec, PlotSpec, Results, TableSpec, both_series, known_cells

HOVER = ("HoVer-2", "HoVer-3", "HoVer-4")
KINDS = ("FEVER-1", *HOVER)


class HopStudy(McseStudy):
    """F1 and exact match of each method on FEVER's claims (one hop) and HoVer's (two to four)."""

    data: ClassVar[tuple[str, ...]] = ("fever", "hover")

    def groups(self, settings: Settings) -> Iterable[Sequence[Claim]]:
        first = [fever(settings)] if "fever" in self.data else []
        return [*first, *hover_by_hops(settings)]


def hop_metrics(kinds: Sequence[str] = KINDS) -> Metrics:
    """Return F1 and exact match for each kind of claims, with as many sentences as gold."""
    metrics = {}
    for kind in kinds:
        is_kind = _is_of(kind)
        metrics[f"{kind} F1"] = overlap_metrics("gold", is_kind)["F1"]
        metrics[f"{kind} EM"] = exact_match("gold", is_kind)
    return metrics


def _is_of(kind: str) -> Any:
    def is_of(row: Row) -> bool:
        return bool(row["kind"] == kind)

    return is_of


def hop_table(title: str, published: Mapping[str, ByHops], note: str = "", **changes: Any) -> TableSpec:
    """Return the table of F1 and exact match by kind, beside the published figures."""
    figures = {name: [figure for pair in pairs for figure in pair] for name, pairs in published.items()}
    shape: dict[str, Any] = {"corner": "method", "metrics": hop_metrics(), **changes}
    return TableSpec(title, note=note, published=by_encoder(figures), **shape)


def hop_tests(pairs: Any = mcse_against) -> PairedSpec:
    """Return paired tests of F1 for each kind; by default of McsE against every other method."""
    return f1_tests({"": "gold"}, pairs, by="kind")


def hop_bars(title: str) -> PlotSpec:
    """Return the plot with bars of F1 of each method, and the published ones, for each kind."""
    return lambda results: [
        Plot(
            title=title,
            kind="bars",
            x="claims",
            y="F1",
            series=tuple(
                series for row in results.tables[0].rows for series in both_series(row.name, row.cells[::2])
            ),
            ticks=KINDS,
        )
    ]


# What the paper takes elsewhere: every other size is compared with it.
PAPER_SIZES = {"N": "N = 10", "K": "K = 4"}


def size_pairs(names: Sequence[str]) -> list[Pair]:
    """Return each size against the paper's."""
    return [
        pair
        for letter, size in PAPER_SIZES.items()
        for pair in each_against([name for name in names if name[0] == letter], size)
    ]


def size_plots(results: Results) -> Iterator[Plot]:
    """Yield lines of F1 over the size, a plot for each table."""
    for table in results.tables:
        xs = [float(row.name.partition("=")[2]) for row in table.rows]
        series = [
            each
            for number, kind in enumerate(HOVER)
            for each in both_series(kind, [row.cells[2 * number] for row in table.rows], xs)
        ]
        yield Plot(title=table.title, kind="lines", x=table.corner, y="F1", series=tuple(series))


def best_sizes(results: Results) -> Iterator[str]:
    """Yield the size with the highest F1, for each kind of claims."""
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


POOLS, STEPS = (1, 2, 5, 10, 15, 20), (0, 1, 2, 3, 4, 5)


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


def size_table(letter: str, title: str, note: str = "") -> TableSpec:
    """Return the table of the sizes N or K, with the calls of a claim."""
    metrics = {**hop_metrics(HOVER), "calls a claim": mean_calls}
    published = {f"K = {k}": figures for k, figures in PUBLISHED.lookahead.items()}
    return hop_table(
        title, published, note, corner=letter, metrics=metrics, where=lambda row: row["method"][0] == letter
    )
