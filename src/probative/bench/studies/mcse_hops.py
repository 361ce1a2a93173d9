"""McsE by the number of gold sentences (FEVER-1, HoVer-2, HoVer-3, HoVer-4): against its baselines (table 3),
without its parts (table 5), and by the sizes of its search (figure 4, table 6).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar

from probative.bench.families.claims import Claim, fever, hover_by_hops
from probative.bench.families.evidence import exact_match, overlap_metrics
from probative.bench.families.mcse import (
    ARMS,
    BESIDE,
    MCSE,
    PAPER,
    Arguments,
    McseStudy,
    best_f1,
    by_encoder,
    f1_finding,
    f1_tests,
    failures,
    mcse_against,
    mean_calls,
)
from probative.bench.findings import count_text, joined
from probative.bench.metrics import mean
from probative.bench.published import MCSE as PUBLISHED
from probative.bench.published import ByHops
from probative.bench.report import Cell, Plot
from probative.bench.rows import row_has
from probative.bench.statistics import Pair, each_against
from probative.bench.study import Settings
from probative.bench.tables import (
    Metrics,
    PairedSpec,
    PlotSpec,
    Results,
    TableSpec,
    both_series,
    known_cells,
    points,
)

HOVER = ("HoVer-2", "HoVer-3", "HoVer-4")
KINDS = ("FEVER-1", *HOVER)


class HopStudy(McseStudy):
    """F1 and exact match of each method on FEVER's claims (one hop) and HoVer's (two to four)."""

    data: ClassVar[tuple[str, ...]] = ("fever", "hover")

    def groups(self, settings: Settings) -> Iterable[Sequence[Claim]]:
        first = [fever(settings)] if "fever" in self.data else []
        return [*first, *hover_by_hops(settings)]


def _hop_metrics(kinds: Sequence[str] = KINDS) -> Metrics:
    """Return F1 and exact match for each kind of claims, with as many sentences as gold."""
    metrics = {}
    for kind in kinds:
        is_kind = row_has(kind=kind)
        metrics[f"{kind} F1"] = overlap_metrics("gold", is_kind)["F1"]
        metrics[f"{kind} EM"] = exact_match("gold", is_kind)
    return metrics


def _hop_table(title: str, published: Mapping[str, ByHops], note: str = "", **changes: Any) -> TableSpec:
    """Return the table of F1 and exact match by kind, beside the published figures."""
    figures = {name: [figure for pair in pairs for figure in pair] for name, pairs in published.items()}
    shape: dict[str, Any] = {"corner": "method", "metrics": _hop_metrics(), **changes}
    return TableSpec(title, note=note, published=by_encoder(figures), **shape)


def _hop_tests(pairs: Any = mcse_against) -> PairedSpec:
    """Return paired tests of F1 for each kind; by default of McsE against every other method."""
    return f1_tests({"": "gold"}, pairs, by="kind")


def _hop_bars(title: str) -> PlotSpec:
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


def _size_pairs(names: Sequence[str]) -> list[Pair]:
    """Return each size against the paper's."""
    return [
        pair
        for letter, size in PAPER_SIZES.items()
        for pair in each_against([name for name in names if name[0] == letter], size)
    ]


def _size_plots(results: Results) -> Iterator[Plot]:
    """Yield lines of F1 over the size, a plot for each table."""
    for table in results.tables:
        xs = [float(row.name.partition("=")[2]) for row in table.rows]
        series = [
            each
            for number, kind in enumerate(HOVER)
            for each in both_series(kind, [row.cells[2 * number] for row in table.rows], xs)
        ]
        yield Plot(title=table.title, kind="lines", x=table.corner, y="F1", series=tuple(series))


def _best_sizes(results: Results) -> Iterator[str]:
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


def _numbers(given: object) -> list[int]:
    return [int(number) for number in (given if isinstance(given, list | tuple) else str(given).split(","))]


def _size_table(letter: str, title: str, note: str = "") -> TableSpec:
    """Return the table of the sizes N or K, with the calls of a claim."""
    metrics = {**_hop_metrics(HOVER), "calls a claim": mean_calls}
    published = {f"K = {k}": figures for k, figures in PUBLISHED.lookahead.items()}
    return _hop_table(
        title, published, note, corner=letter, metrics=metrics, where=lambda row: row["method"][0] == letter
    )


class McseHops(HopStudy):
    """Whether McsE gains more the more sentences a claim needs."""

    name = "mcse-hops"
    title = "Evidence for claims of one to four hops: McsE against its baselines"
    paper_reference = "table 3"
    calls_per_case = 30_000.0
    tables = (_hop_table("F1 and exact match by hops", PUBLISHED.hops, BESIDE),)
    tests = (_hop_tests(),)
    plots = (_hop_bars("F1 by hops"),)
    findings = (f1_finding, best_f1(["gold"], {kind: kind for kind in KINDS}), failures)


def _changes(results: Results) -> Iterator[str]:
    """Yield what each part changes: the mean F1 over the kinds that have claims."""
    means = {}
    for row in results.tables[0].rows:
        if figures := [figure for _, figure in points(row.cells[::2])]:
            means[row.name] = mean(figures)
    for name, part in means.items():
        if name != MCSE and MCSE in means:
            yield (
                f"{name[0].upper()}{name[1:]}, the mean F1 over the kinds of claims changes by "
                f"{part - means[MCSE]:+.1f} points."
            )


class McseAblation(HopStudy):
    """What each part of McsE is worth."""

    name = "mcse-ablation"
    title = "McsE without its prompt, rewards, look-ahead and policy"
    paper_reference = "table 5"
    verbs = frozenset({"score"})
    calls_per_case = 115_000.0
    arguments = ARMS["ablation"]
    tables = (_hop_table("McsE without its parts", PUBLISHED.ablation),)
    tests = (_hop_tests(each_against(ARMS["ablation"], MCSE)),)
    plots = (_hop_bars("F1 without each part"),)
    findings = (f1_finding, _changes, failures)


class McseSearchSize(HopStudy):
    """What more trajectories and a longer look-ahead bring, and cost."""

    name = "mcse-search-size"
    title = "McsE by size of the trajectory pool and length of the look-ahead"
    paper_reference = "figure 4, table 6"
    data = ("hover",)
    verbs = frozenset({"score"})
    calls_per_case = 300_000.0
    options = ("methods", "titles", "pools", "steps")
    tables = (
        _size_table("N", "By size of the trajectory pool N (K = 4)", "Figure 4 of the paper has no numbers."),
        _size_table("K", "By length of the look-ahead K (N = 10)"),
    )
    tests = (_hop_tests(_size_pairs),)
    plots = (_size_plots,)
    findings = (f1_finding, _best_sizes, failures)

    def methods(self, settings: Settings) -> dict[str, Arguments]:
        """Return an arm for each N (with K = 4) and each K (with N = 10); the options pools and steps change
        them.

        >>> from pathlib import Path
        >>> settings = Settings(Path("."), options={"pools": "1,5", "steps": "0"})
        >>> list(McseSearchSize().methods(settings))
        ['N = 1', 'N = 5', 'K = 0']
        """
        pools = _numbers(settings.option("pools", (1, 2, 5, 10, 15, 20)))
        steps = _numbers(settings.option("steps", (0, 1, 2, 3, 4, 5)))
        return {
            **{f"N = {n}": {**PAPER, "trajectories": n} for n in pools},
            **{f"K = {k}": {**PAPER, "lookahead": k} for k in steps},
        }
