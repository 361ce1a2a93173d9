"""By hops (table 8): accuracy with CoE among irrelevant text, for questions of one, two and more hops."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from probative.bench.families.coe.candidates import MULTIHOP, RGB
from probative.bench.families.coe.study import ContextStudy
from probative.bench.families.coe.tables import ShareTable, is_judged, sample_findings
from probative.bench.findings import joined
from probative.bench.metrics import mean
from probative.bench.published import COE
from probative.bench.report import Report
from probative.bench.rows import Row
from probative.bench.statistics import LEVEL, holm, mann_whitney
from probative.bench.study import Settings
from probative.errors import MissingExtraError

COLUMNS = {1: "one hop", 2: "two hops", 3: "three hops", 4: "four hops or more"}


class CoeHops(ContextStudy):
    """Accuracy by the number of gold sentences; RGB has the questions of one hop. The paper does not say how
    it counts hops.
    """

    name = "coe-hops"
    title = "Does the number of hops change how well a chain of evidence works?"
    paper_reference = "table 8"
    data = (*MULTIHOP, RGB, "2wiki-corpus")
    drawn_from = (*MULTIHOP, RGB)
    contexts = ("CoE",)
    calls_per_case = 12.0

    def report(self, rows: Sequence[Row], settings: Settings) -> Report:
        published = {COLUMNS[hops]: figures for hops, figures in COE.hops.items()}
        named = [_with_hops_as_context(row) for row in rows]
        table = ShareTable("Accuracy by hops", "effectiveness", named, tuple(COLUMNS.values()), published)
        return Report(
            tables=tuple(table.tables(judged=is_judged(rows))),
            plots=(table.plot(),),
            findings=(*_by_hops(table), *sample_findings(rows)),
        )


def _with_hops_as_context(row: Row) -> Row:
    """Return a row whose trials name the hops of the question where others name the context."""
    context = COLUMNS[min(4, int(row.get("hops", 2)))]
    return {**row, "trials": [{**trial, "context": context} for trial in row.get("trials", ())]}


def _by_hops(table: ShareTable) -> list[str]:
    """Return the accuracy over all shares by hops, and which numbers of hops differ by more than chance."""
    known = {name: values for name in table.contexts if (values := table.values(name))}
    if not known:
        return []
    shown = joined(f"{100 * mean(own):.1f}% for {name} (n = {len(own)})" for name, own in known.items())
    pairs = list(combinations(known, 2))
    if not pairs:
        return [f"The accuracy is {shown}; no other number of hops was asked."]
    try:
        corrected = holm([mann_whitney(known[one], known[other]) for one, other in pairs])
    except MissingExtraError:
        return [f"The accuracy is {shown}."]
    apart = [f"{one} and {other}" for (one, other), p in zip(pairs, corrected, strict=True) if p < LEVEL]
    said = f"{joined(apart)} differ" if apart else "no two numbers of hops differ"
    return [
        f"The accuracy is {shown}: {said} by more than chance (Mann-Whitney tests with Holm's correction)."
    ]
