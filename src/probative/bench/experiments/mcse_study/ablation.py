"""Table 5: McsE without each of its parts, with the paper's own policy over the whole path."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from probative.bench.experiments.mcse_study.by_hops import HopStudy
from probative.bench.experiments.mcse_study.figures import MCSE
from probative.bench.experiments.mcse_study.study import PAPER, Arguments
from probative.bench.metrics import mean
from probative.bench.published import MCSE as PUBLISHED
from probative.bench.report import Cell, Table
from probative.bench.rows import Row
from probative.bench.statistics import each_against

ROWS: dict[str, Arguments] = {
    MCSE: PAPER,
    "without according to": {**PAPER, "grounded": False},
    "without collaborative": {**PAPER, "collaborative": False},
    "without independent": {**PAPER, "independent": False},
    "without h": {**PAPER, "lookahead": 0},
    # The pool then has random trajectories instead of the most probable ones.
    "without policy": {**PAPER, "policy": "random"},
}


class Ablation(HopStudy):
    """What each part of McsE is worth."""

    name = "mcse-ablation"
    title = "McsE without its prompt, rewards, look-ahead and policy"
    paper_reference = "table 5"
    verbs = frozenset({"score"})
    calls_per_case = 400_000.0
    compared = ROWS
    published = PUBLISHED.ablation
    table_title = "McsE without its parts"
    plot_title = "F1 without each part"
    pairs = each_against(ROWS, MCSE)

    def more_findings(self, table: Table, rows: Sequence[Row]) -> Iterable[str]:
        """Return what each part changes: the mean F1 over the kinds that have claims."""
        means = {}
        for row in table.rows:
            known = [
                cell.value for cell in row.cells[::2] if isinstance(cell, Cell) and cell.value is not None
            ]
            if known:
                means[row.name] = mean(known)
        return [
            f"{name[0].upper()}{name[1:]}, the mean F1 over the kinds of claims changes by "
            f"{part - means[MCSE]:+.1f} points."
            for name, part in means.items()
            if name != MCSE and MCSE in means
        ]
