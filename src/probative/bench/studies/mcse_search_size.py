"""Figure 4 and table 6: the size N of the trajectory pool, and the look-ahead K from 0 to 5."""

from __future__ import annotations

from probative.bench.families.hops import (
    HopStudy,
    best_sizes,
    hop_tests,
    size_pairs,
    size_plots,
    size_table,
    sizes,
)
from probative.bench.families.mcse import Arguments, f1_finding, failures
from probative.bench.study import Settings


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
        size_table("N", "By size of the trajectory pool N (K = 4)", "Figure 4 of the paper has no numbers."),
        size_table("K", "By length of the look-ahead K (N = 10)"),
    )
    tests = (hop_tests(size_pairs),)
    plots = (size_plots,)
    findings = (f1_finding, best_sizes, failures)

    def methods(self, settings: Settings) -> dict[str, Arguments]:
        return sizes(settings)
