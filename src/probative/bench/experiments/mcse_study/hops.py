"""Table 3: F1 and exact match on claims that need one, two, three and four sentences."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from probative.bench.experiment import Settings
from probative.bench.experiments.mcse_study.by_hops import FEVER, HOVER, hop_groups, hop_plot, hop_table
from probative.bench.experiments.mcse_study.claims import Claim
from probative.bench.experiments.mcse_study.compared import by_kind, compared_f1, f1_finding
from probative.bench.experiments.mcse_study.figures import best_finding, failure_notes, finished
from probative.bench.experiments.mcse_study.published import BESIDE, PUBLISHED
from probative.bench.experiments.mcse_study.study import McseStudy
from probative.bench.report import Report
from probative.bench.rows import Row

KINDS = (FEVER, *HOVER)


class Hops(McseStudy):
    """Whether McsE gains more the more sentences a claim needs."""

    name = "mcse-hops"
    title = "Evidence for claims of one to four hops: McsE against its baselines"
    shown_as = "table 3"
    data = ("fever", "hover")
    calls_per_case = 100_000.0

    def groups(self, settings: Settings) -> Iterable[Sequence[Claim]]:
        """Return the claims of FEVER (one hop) and HoVer (two to four)."""
        return hop_groups(settings)

    def report(self, rows: Sequence[Row], settings: Settings) -> Report:
        """Return the table, its bars, and the best method for each number of hops."""
        table = hop_table(rows, KINDS, PUBLISHED.hops, "F1 and exact match by hops", "method", BESIDE)
        groups = by_kind(finished(rows), KINDS)
        findings = [best_finding(own, kind, top) for kind, (own, top) in groups.items()]
        tests = compared_f1(groups)
        return Report(
            tables=(table, *tests),
            plots=(hop_plot(table, KINDS, "F1 by hops"),),
            findings=(f1_finding(tests), *(finding for finding in findings if finding), *failure_notes(rows)),
        )
