"""Table 3: F1 and exact match on claims that need one, two, three and four sentences."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from probative.bench.experiments.mcse_study.by_hops import HopStudy
from probative.bench.experiments.mcse_study.figures import BESIDE, best_finding, by_kind
from probative.bench.published import MCSE as PUBLISHED
from probative.bench.report import Table
from probative.bench.rows import Row


class Hops(HopStudy):
    """Whether McsE gains more the more sentences a claim needs."""

    name = "mcse-hops"
    title = "Evidence for claims of one to four hops: McsE against its baselines"
    paper_reference = "table 3"
    calls_per_case = 100_000.0
    published = PUBLISHED.hops
    table_title = "F1 and exact match by hops"
    plot_title = "F1 by hops"
    note = BESIDE

    def more_findings(self, table: Table, rows: Sequence[Row]) -> Iterable[str]:
        """Return the best method for each number of hops."""
        groups = by_kind(rows, self.kinds)
        return filter(None, (best_finding(own, kind, top) for kind, (own, top) in groups.items()))
