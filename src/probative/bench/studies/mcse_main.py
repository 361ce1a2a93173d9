"""Table 1: McsE against the baselines on HoVer, PubMedQA and CovidET, the first three and five sentences."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from probative.bench.families import mcse
from probative.bench.families.claims import Claim, covidet, hover, pubmedqa, with_gold
from probative.bench.families.evidence import overlap_metrics
from probative.bench.published import MCSE as PUBLISHED
from probative.bench.rows import Row, Rows
from probative.bench.study import Case, Lab, Settings
from probative.bench.tables import Published, TableSpec


def _table(top: int) -> TableSpec:
    def published(rows: Rows) -> Published:
        figures = (PUBLISHED.top3 if top == 3 else PUBLISHED.top5)[rows[0]["kind"]]
        return mcse.by_encoder(figures)(rows)

    return TableSpec(
        f"{{}}, top {top}",
        "method",
        {**overlap_metrics(top), "calls a claim": mcse.mean_calls},
        each="kind",
        names=mcse.SET_TITLES,
        where=lambda row: row["gold"],
        note=mcse.BESIDE,
        published=published,
    )


class McseMain(mcse.McseStudy):
    """Which sentences prove a claim: precision, recall and F1 of every method."""

    name = "mcse-main"
    title = "Evidence for claims: McsE against its baselines, top 3 and top 5"
    paper_reference = "table 1"
    data = ("hover", "pubmedqa")
    optional_data = ("covidet",)
    calls_per_case = 170_000.0
    options = ("methods", "titles", "gold")
    tables = (_table(3), _table(5))
    tests = (mcse.f1_tests({"top 3": 3, "top 5": 5}, by=lambda row: mcse.SET_TITLES[row["kind"]]),)
    findings = (mcse.f1_finding, mcse.best_f1((3, 5), mcse.SET_TITLES), mcse.gold_notes, mcse.failures)

    def groups(self, settings: Settings) -> Iterable[Sequence[Claim]]:
        return [read(settings) for read in (hover, pubmedqa, covidet)]

    def run(self, case: Case, lab: Lab) -> Row:
        """Run every method for five sentences; the first three are those of top 3."""
        claim, source = with_gold(case.content, lab)
        methods = self.chosen(lab.settings) if claim.gold else {}
        return {**mcse.run_methods(lab.session, claim, methods, 5), "gold_by": source}
