"""Table 3: F1 and exact match on claims that need one, two, three and four sentences."""

from __future__ import annotations

from probative.bench.families.hops import KINDS, HopStudy, hop_bars, hop_table, hop_tests
from probative.bench.families.mcse import BESIDE, best_f1, f1_finding, failures
from probative.bench.published import MCSE as PUBLISHED


class McseHops(HopStudy):
    """Whether McsE gains more the more sentences a claim needs."""

    name = "mcse-hops"
    title = "Evidence for claims of one to four hops: McsE against its baselines"
    paper_reference = "table 3"
    calls_per_case = 100_000.0
    tables = (hop_table("F1 and exact match by hops", PUBLISHED.hops, BESIDE),)
    tests = (hop_tests(),)
    plots = (hop_bars("F1 by hops"),)
    findings = (f1_finding, best_f1(["gold"], {kind: kind for kind in KINDS}), failures)
