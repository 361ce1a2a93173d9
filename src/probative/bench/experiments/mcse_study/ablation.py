"""Table 5: McsE without each of its parts, with the paper's own policy over the whole path."""

from __future__ import annotations

from collections.abc import Sequence

from probative.bench.experiment import Case, Experiment, Lab, Settings
from probative.bench.experiments.mcse_study.by_hops import (
    FEVER,
    HOVER,
    hop_cases,
    hop_plot,
    hop_table,
    mean_f1,
)
from probative.bench.experiments.mcse_study.claims import Claim
from probative.bench.experiments.mcse_study.figures import failure_notes
from probative.bench.experiments.mcse_study.methods import (
    PAPER,
    Arguments,
    check_options,
    chosen_methods,
    run_methods,
)
from probative.bench.experiments.mcse_study.published import ABLATION, MCSE
from probative.bench.report import Report, Table
from probative.bench.rows import Row

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


class Ablation(Experiment):
    """What each part of McsE is worth."""

    name = "mcse-ablation"
    title = "McsE without its prompt, rewards, look-ahead and policy"
    paper = "McsE"
    shown_as = "table 5"
    data = ("fever", "hover")
    verbs = frozenset({"score"})
    # n²(1 + 10(K - 1)) for each sentence, with K = 4 and the n of the data (HoVer: 35 on average).
    calls_per_case = 400_000.0

    def cases(self, settings: Settings) -> Sequence[Case]:
        """Return the claims of FEVER (one hop) and HoVer (two to four)."""
        check_options(settings, "methods", "titles")
        chosen_methods(settings, ROWS)
        return hop_cases(settings)

    def run(self, case: Case, lab: Lab) -> Row:
        """Run McsE and each ablation for as many sentences as the smallest gold set has."""
        claim: Claim = case.content
        return run_methods(lab.session, claim, chosen_methods(lab.settings, ROWS), claim.gold_size)

    def report(self, rows: Sequence[Row], settings: Settings) -> Report:
        """Return the table, its bars, and what each part changes."""
        table = hop_table(rows, KINDS, ABLATION, "McsE without its parts", "method")
        return Report(
            tables=(table,),
            plots=(hop_plot(table, KINDS, "F1 without each part"),),
            findings=(*_effects(table), *failure_notes(rows)),
        )


def _effects(table: Table) -> list[str]:
    whole = mean_f1(table, MCSE)
    effects = []
    for row in table.rows:
        part = mean_f1(table, row.name)
        if row.name != MCSE and whole is not None and part is not None:
            effects.append(f"{row.name}: the mean F1 changes by {part - whole:+.1f} points.")
    return effects
