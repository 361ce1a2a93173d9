"""Table 5: McsE without each of its parts, with the paper's own policy over the whole path."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from probative.bench.families.hops import HopStudy, hop_bars, hop_table, hop_tests
from probative.bench.families.mcse import MCSE, PAPER, Arguments, f1_finding, failures
from probative.bench.metrics import mean
from probative.bench.published import MCSE as PUBLISHED
from probative.bench.report import Cell
from probative.bench.statistics import each_against
from probative.bench.tables import Results

ROWS: dict[str, Arguments] = {
    MCSE: PAPER,
    "without according to": {**PAPER, "grounded": False},
    "without collaborative": {**PAPER, "collaborative": False},
    "without independent": {**PAPER, "independent": False},
    "without h": {**PAPER, "lookahead": 0},
    # The pool then has random trajectories instead of the most probable ones.
    "without policy": {**PAPER, "policy": "random"},
}


def _changes(results: Results) -> Iterator[str]:
    """Yield what each part changes: the mean F1 over the kinds that have claims."""
    means = {}
    for row in results.tables[0].rows:
        cells = [cell for cell in row.cells[::2] if isinstance(cell, Cell)]
        if known := [cell.value for cell in cells if cell.value is not None]:
            means[row.name] = mean(known)
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
    calls_per_case = 400_000.0
    arguments: ClassVar[dict[str, Arguments]] = ROWS
    tables = (hop_table("McsE without its parts", PUBLISHED.ablation),)
    tests = (hop_tests(each_against(ROWS, MCSE)),)
    plots = (hop_bars("F1 without each part"),)
    findings = (f1_finding, _changes, failures)
