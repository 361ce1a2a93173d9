"""Table 1: McsE against the baselines on HoVer, PubMedQA and CovidET, the first three and five sentences."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from probative.bench.experiment import Case, Lab, Settings
from probative.bench.experiments.mcse_study.claims import Claim, covidet, hover, pubmedqa, with_gold
from probative.bench.experiments.mcse_study.figures import (
    BESIDE,
    Top,
    best_finding,
    compared_f1,
    f1_finding,
    failure_notes,
    mean_calls,
    top_table,
)
from probative.bench.experiments.mcse_study.study import McseStudy, run_methods
from probative.bench.findings import counted
from probative.bench.published import MCSE as PUBLISHED
from probative.bench.report import Report, Table
from probative.bench.rows import Row, finished_rows
from probative.bench.tables import rows_of

TITLES = {"hover": "HoVer", "pubmedqa": "PubMedQA", "covidet": "CovidET"}


class MainTable(McseStudy):
    """Which sentences prove a claim: precision, recall and F1 of every method."""

    name = "mcse-main"
    title = "Evidence for claims: McsE against its baselines, top 3 and top 5"
    paper_reference = "table 1"
    data = ("hover", "pubmedqa")
    optional_data = ("covidet",)
    calls_per_case = 170_000.0
    options = ("methods", "titles", "gold")

    def groups(self, settings: Settings) -> Iterable[Sequence[Claim]]:
        """Return the claims of the three sets; those of CovidET if its file is there."""
        return [read(settings) for read in (hover, pubmedqa, covidet)]

    def run(self, case: Case, lab: Lab) -> Row:
        """Run every method for five sentences; the first three are those of top 3."""
        claim, source = with_gold(case.content, lab)
        methods = self.chosen(lab.settings) if claim.gold else {}
        return {**run_methods(lab.session, claim, methods, 5), "gold_by": source}

    def report(self, rows: Sequence[Row], settings: Settings) -> Report:
        """Return a table for each set and number of sentences."""
        good = finished_rows(rows)
        tables, findings = [], []
        compared: dict[str, tuple[Sequence[Row], Top]] = {}
        for kind, title in TITLES.items():
            if annotated := [row for row in rows_of(good, kind=kind) if row["gold"]]:
                tables += [_table(annotated, kind, top) for top in (3, 5)]
                findings += [best_finding(annotated, title, top) for top in (3, 5)]
                compared |= {f"{title}, top {top}": (annotated, top) for top in (3, 5)}
        tests = compared_f1(compared)
        return Report(
            tables=(*tables, *tests),
            findings=(
                f1_finding(tests),
                *filter(None, findings),
                *_gold_notes(good),
                *failure_notes(rows),
            ),
        )


def _table(rows: Sequence[Row], kind: str, top: int) -> Table:
    published = (PUBLISHED.top3 if top == 3 else PUBLISHED.top5)[kind]
    figures = {method: (own,) for method, own in published.items()}
    table = top_table(rows, f"{TITLES[kind]}, top {top}", (top,), figures, BESIDE)
    lines = (row.model_copy(update={"cells": (*row.cells, mean_calls(rows, row.name))}) for row in table.rows)
    columns = ("precision", "recall", "F1", "calls a claim")
    return table.model_copy(update={"columns": columns, "rows": tuple(lines)})


def _gold_notes(rows: Sequence[Row]) -> list[str]:
    """Return who named the gold sentences, where the data has none."""
    notes = []
    for kind, title in TITLES.items():
        sources = [row["gold_by"] for row in rows if row["kind"] == kind and row["gold_by"] != "data"]
        if (nobody := sources.count("nobody")) > 0:
            notes.append(
                f"{title}: no gold sentences for {counted(nobody, 'claim')}, in no figure; name a "
                "judge model, or annotate them (probative annotate) and give --option gold=FILE."
            )
        for source in dict.fromkeys(source for source in sources if source not in ("nobody", "file")):
            count = sources.count(source)
            notes.append(
                f"{title}: the gold sentences of {counted(count, 'claim')} are those that {source} "
                "named, and nobody corrected them; the paper's annotations (GPT-4) were corrected by hand."
            )
    return notes
