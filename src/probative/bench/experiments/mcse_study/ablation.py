"""Table 5: McsE without each of its parts, with the paper's own policy over the whole path."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from probative.bench.experiment import Settings
from probative.bench.experiments.mcse_study.by_hops import (
    FEVER,
    HOVER,
    hop_groups,
    hop_plot,
    hop_table,
    mean_f1,
)
from probative.bench.experiments.mcse_study.claims import Claim
from probative.bench.experiments.mcse_study.compared import by_kind, compared_f1, f1_finding
from probative.bench.experiments.mcse_study.figures import failure_notes, finished
from probative.bench.experiments.mcse_study.methods import PAPER, Arguments
from probative.bench.experiments.mcse_study.published import MCSE, PUBLISHED
from probative.bench.experiments.mcse_study.study import McseStudy
from probative.bench.report import Report, Table
from probative.bench.rows import Row
from probative.bench.significance import each_against

KINDS = (FEVER, *HOVER)
ROWS: dict[str, Arguments] = {
    MCSE: PAPER,
    "without according to": {**PAPER, "grounded": False},
    "without collaborative": {**PAPER, "collaborative": False},
    "without independent": {**PAPER, "independent": False},
    "without h": {**PAPER, "lookahead": 0},
    # The pool then has random trajectories instead of the most probable ones.
    "without policy": {**PAPER, "policy": "random"},
}


class Ablation(McseStudy):
    """What each part of McsE is worth."""

    name = "mcse-ablation"
    title = "McsE without its prompt, rewards, look-ahead and policy"
    shown_as = "table 5"
    data = ("fever", "hover")
    verbs = frozenset({"score"})
    calls_per_case = 400_000.0
    compared = ROWS

    def groups(self, settings: Settings) -> Iterable[Sequence[Claim]]:
        """Return the claims of FEVER (one hop) and HoVer (two to four)."""
        return hop_groups(settings)

    def report(self, rows: Sequence[Row], settings: Settings) -> Report:
        """Return the table, its bars, and what each part changes."""
        table = hop_table(rows, KINDS, PUBLISHED.ablation, "McsE without its parts", "method")
        tests = compared_f1(by_kind(finished(rows), KINDS), each_against(ROWS, MCSE))
        return Report(
            tables=(table, *tests),
            plots=(hop_plot(table, KINDS, "F1 without each part"),),
            findings=(f1_finding(tests), *_effects(table), *failure_notes(rows)),
        )


def _effects(table: Table) -> list[str]:
    whole = mean_f1(table, MCSE)
    effects = []
    for row in table.rows:
        part = mean_f1(table, row.name)
        if row.name != MCSE and whole is not None and part is not None:
            effects.append(
                f"{row.name[0].upper()}{row.name[1:]}, the mean F1 over the kinds of claims changes by "
                f"{part - whole:+.1f} points."
            )
    return effects
