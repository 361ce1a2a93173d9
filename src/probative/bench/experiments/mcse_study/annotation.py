"""Figure 6: how good is listwise annotation? On HoVer, whose gold sentences are known, it can be measured.

The judge model annotates, or the studied model where there is none. On PubMedQA and CovidET, which have no
gold sentences, the table only says how many sentences were named.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from probative.bench.experiment import Case, Lab, Settings
from probative.bench.experiments.mcse_study.claims import Claim, covidet, hover, pubmedqa
from probative.bench.experiments.mcse_study.figures import (
    exact_cell,
    failure_notes,
    finished,
    overlap_cells,
)
from probative.bench.experiments.mcse_study.methods import OWN_FAULTS, claim_row
from probative.bench.experiments.mcse_study.study import McseStudy
from probative.bench.metrics import mean
from probative.bench.report import Cell, Report, Table, TableRow
from probative.bench.rows import Row

NAMED = "annotation"
TITLES = {"hover": "HoVer", "pubmedqa": "PubMedQA", "covidet": "CovidET"}
ALL = 10**6


class ListwiseAnnotation(McseStudy):
    """A model reads all sentences at once and names those that a claim needs."""

    name = "mcse-annotation"
    title = "Listwise annotation of gold sentences by a language model"
    shown_as = "figure 6"
    data = ("hover", "pubmedqa")
    optional_data = ("covidet",)
    verbs = frozenset({"generate"})
    calls_per_case = 1.5
    options = ("titles",)

    def groups(self, settings: Settings) -> Iterable[Sequence[Claim]]:
        """Return the claims of the three sets; those of CovidET if its file is there."""
        return [read(settings) for read in (hover, pubmedqa, covidet)]

    def run(self, case: Case, lab: Lab) -> Row:
        """Annotate the claim."""
        claim = case.content
        session = lab.judge or lab.session
        row: Row = {**claim_row(claim), "chosen": {NAMED: []}, "failed": {}, "none": False}
        try:
            annotation = session.annotate(claim.text, claim.sentences)
        except OWN_FAULTS as error:
            return {**row, "failed": {NAMED: f"{type(error).__name__}: {error.what}"}}
        return {**row, "chosen": {NAMED: list(annotation.indexes)}, "none": not annotation.indexes}

    def report(self, rows: Sequence[Row], settings: Settings) -> Report:
        """Return a row for each set: agreement with gold where there is one, and how many were named."""
        good = finished(rows)
        lines = []
        for kind, title in TITLES.items():
            own = [row for row in good if row["kind"] == kind]
            if own:
                lines.append(TableRow(name=title, cells=_cells(own)))
        table = Table(
            title="Annotated against gold sentences",
            corner="data",
            columns=(
                "precision",
                "recall",
                "F1",
                "EM",
                "sentences named",
                "sentences of the text",
                "replies that name none",
                "unreadable replies",
            ),
            rows=tuple(lines),
            note="Precision, recall, F1 and exact match (EM) in percent, over all claims; sentences are "
            "means for a claim, replies are counted. The paper gives the prompt, no figures.",
        )
        return Report(tables=(table,), findings=(*_agreement(good), *failure_notes(rows)))


def _agreement(rows: Sequence[Row]) -> list[str]:
    """Return how well the named sentences agree with gold ones, and how many replies could not be read."""
    sentences = []
    for kind, title in TITLES.items():
        own = [row for row in rows if row["kind"] == kind]
        unread = sum(bool(row["failed"]) for row in own)
        precision, recall, f1 = overlap_cells(own, NAMED, ALL)
        if own and f1.value is not None:
            sentences.append(
                f"{title}: the named sentences have an F1 of {f1.value:.1f} against gold (precision "
                f"{precision.value or 0.0:.1f}, recall {recall.value or 0.0:.1f}, n = {f1.n}); "
                f"{unread} of {len(own)} replies could not be read."
            )
        elif own:
            sentences.append(
                f"{title}: there is no gold to compare with; {unread} of {len(own)} replies could not be "
                "read."
            )
    return sentences


def _cells(rows: Sequence[Row]) -> tuple[Cell | str, ...]:
    named = [float(len(row["chosen"][NAMED])) for row in rows if not row["failed"]]
    return (
        *overlap_cells(rows, NAMED, ALL),
        exact_cell(rows, NAMED, ALL),
        f"{mean(named):.1f}" if named else "-",
        f"{mean([float(row['sentences']) for row in rows]):.1f}",
        f"{sum(row['none'] for row in rows):,} of {len(rows):,}",
        f"{sum(bool(row['failed']) for row in rows):,} of {len(rows):,}",
    )
