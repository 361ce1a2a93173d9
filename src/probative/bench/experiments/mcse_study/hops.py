"""Table 3: F1 and exact match on claims that need one, two, three and four sentences."""

from __future__ import annotations

from collections.abc import Sequence

from probative.bench.experiment import Case, Experiment, Lab, Settings
from probative.bench.experiments.mcse_study.by_hops import FEVER, HOVER, hop_cases, hop_plot, hop_table
from probative.bench.experiments.mcse_study.claims import Claim
from probative.bench.experiments.mcse_study.figures import best_finding, failure_notes, finished
from probative.bench.experiments.mcse_study.methods import check_options, chosen_methods, run_methods
from probative.bench.experiments.mcse_study.published import BESIDE, HOPS
from probative.bench.report import Report
from probative.bench.rows import Row

KINDS = (FEVER, *HOVER)


class Hops(Experiment):
    """Whether McsE gains more the more sentences a claim needs."""

    name = "mcse-hops"
    title = "Evidence for claims of one to four hops: McsE against its baselines"
    paper = "McsE"
    shown_as = "table 3"
    data = ("fever", "hover")
    verbs = frozenset({"generate", "score"})
    # n²(1 + 10(K - 1)) for each sentence, with K = 4 and the n of the data (HoVer: 35 on average).
    calls_per_case = 100_000.0

    def cases(self, settings: Settings) -> Sequence[Case]:
        """Return the claims of FEVER (one hop) and HoVer (two to four)."""
        check_options(settings, "methods", "titles")
        chosen_methods(settings)
        return hop_cases(settings)

    def run(self, case: Case, lab: Lab) -> Row:
        """Run every method for as many sentences as the claim has in its smallest gold set."""
        claim: Claim = case.content
        return run_methods(lab.session, claim, chosen_methods(lab.settings), claim.gold_size)

    def report(self, rows: Sequence[Row], settings: Settings) -> Report:
        """Return the table, its bars, and the best method for each number of hops."""
        table = hop_table(rows, KINDS, HOPS, "F1 and exact match by hops", "method", BESIDE)
        by_kind = {kind: [row for row in finished(rows) if row["kind"] == kind] for kind in KINDS}
        findings = [best_finding(own, kind, "gold") for kind, own in by_kind.items()]
        return Report(
            tables=(table,),
            plots=(hop_plot(table, KINDS, "F1 by hops"),),
            findings=(*(finding for finding in findings if finding), *failure_notes(rows)),
        )
