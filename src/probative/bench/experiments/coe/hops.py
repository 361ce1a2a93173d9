"""By hops (table 8): accuracy with CoE among irrelevant text, for questions of one, two and more hops."""

from __future__ import annotations

from collections.abc import Sequence

from probative.bench.experiment import Case, Lab, Settings
from probative.bench.experiments.coe.candidates import MULTIHOP, RGB
from probative.bench.experiments.coe.figures import (
    Layout,
    sample_findings,
    share_plot,
    with_measures,
)
from probative.bench.experiments.coe.mixing import SHARES
from probative.bench.experiments.coe.noise import effectiveness_trials
from probative.bench.experiments.coe.published import PUBLISHED
from probative.bench.experiments.coe.sample import Sample
from probative.bench.experiments.coe.study import CORNERS, ShareStudy
from probative.bench.report import Report
from probative.bench.rows import Row

COLUMNS = {1: "one hop", 2: "two hops", 3: "three hops", 4: "four hops or more"}


class Hops(ShareStudy):
    """Accuracy by the number of gold sentences; RGB has the questions of one hop. The paper does not say how
    it counts hops.
    """

    name = "coe-hops"
    title = "Does the number of hops change how well a chain of evidence works?"
    shown_as = "table 8"
    data = (*MULTIHOP, RGB, "2wiki-corpus")
    sets = (*MULTIHOP, RGB)
    contexts = ("CoE",)
    calls_per_case = 12.0

    def study(self, case: Case, lab: Lab, sample: Sample) -> Row:
        return {"trials": effectiveness_trials(lab, case, sample)}

    def report(self, rows: Sequence[Row], settings: Settings) -> Report:
        published = {
            (COLUMNS[hops], share): value
            for hops, figures in PUBLISHED.hops.items()
            for share, value in zip(SHARES, figures, strict=True)
        }
        layout = Layout(
            title="Accuracy by hops",
            corner=CORNERS["effectiveness"],
            contexts=tuple(COLUMNS.values()),
            shares=SHARES,
            published=published,
        )
        by_hops = [_with_hops_as_context(row) for row in rows]
        judged = any(row.get("judge") for row in rows)
        return Report(
            tables=tuple(with_measures(by_hops, "effectiveness", layout, judged=judged)),
            plots=(share_plot(by_hops, "effectiveness", layout),),
            findings=tuple(sample_findings(rows)),
        )


def _with_hops_as_context(row: Row) -> Row:
    """Return a row whose trials name the hops of the question where others name the context."""
    context = COLUMNS[min(4, int(row.get("hops", 2)))]
    return {**row, "trials": [{**trial, "context": context} for trial in row.get("trials", ())]}
