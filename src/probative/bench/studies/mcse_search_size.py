"""Figure 4 and table 6: the size N of the trajectory pool, and the look-ahead K from 0 to 5."""

from __future__ import annotations

from probative.bench.families.hops import (
    HOVER,
    HopStudy,
    best_sizes,
    hop_metrics,
    hop_table,
    hop_tests,
    size_pairs,
    size_plots,
)
from probative.bench.families.mcse import PAPER, Arguments, f1_finding, failures, mean_calls
from probative.bench.published import MCSE as PUBLISHED
from probative.bench.study import Settings
from probative.bench.tables import TableSpec

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


def _size_table(letter: str, title: str, note: str = "") -> TableSpec:
    metrics = {**hop_metrics(HOVER), "calls a claim": mean_calls}
    published = {f"K = {k}": figures for k, figures in PUBLISHED.lookahead.items()}
    return hop_table(
        title, published, note, corner=letter, metrics=metrics, where=lambda row: row["method"][0] == letter
    )


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
    tests = (hop_tests(size_pairs),)
    plots = (size_plots,)
    findings = (f1_finding, best_sizes, failures)

    def methods(self, settings: Settings) -> dict[str, Arguments]:
        return sizes(settings)
