"""Figure 6: how good is listwise annotation? On HoVer, whose gold sentences are known, it can be measured.

The judge model annotates, or the studied model where there is none. On PubMedQA and CovidET, which have no
gold sentences, the table only says how many sentences were named.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from probative.bench.experiment import Case, Lab, Settings
from probative.bench.experiments.mcse_study.claims import Claim, covidet, hover, pubmedqa
from probative.bench.experiments.mcse_study.figures import exact_cell, failure_notes, overlap_cells
from probative.bench.experiments.mcse_study.study import OWN_FAULTS, McseStudy, claim_row
from probative.bench.metrics import mean
from probative.bench.report import Report
from probative.bench.rows import Row, finished_rows
from probative.bench.tables import Metric, Rows, build_table, rows_of

NAMED = "annotation"
TITLES = {"hover": "HoVer", "pubmedqa": "PubMedQA", "covidet": "CovidET"}
ALL = 10**6


def _overlap(place: int) -> Metric:
    return lambda rows: overlap_cells(rows, NAMED, ALL)[place]


def _mean_named(rows: Rows) -> str:
    named = [float(len(row["chosen"][NAMED])) for row in rows if not row["failed"]]
    return f"{mean(named):.1f}" if named else "-"


def _count(field: str) -> Metric:
    return lambda rows: f"{sum(bool(row[field]) for row in rows):,} of {len(rows):,}"


METRICS: dict[str, Metric] = {
    "precision": _overlap(0),
    "recall": _overlap(1),
    "F1": _overlap(2),
    "EM": lambda rows: exact_cell(rows, NAMED, ALL),
    "sentences named": _mean_named,
    "sentences of the text": lambda rows: f"{mean([float(row['sentences']) for row in rows]):.1f}",
    "replies that name none": _count("none"),
    "unreadable replies": _count("failed"),
}


class ListwiseAnnotation(McseStudy):
    """A model reads all sentences at once and names those that a claim needs."""

    name = "mcse-annotation"
    title = "Listwise annotation of gold sentences by a language model"
    paper_reference = "figure 6"
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
        good = finished_rows(rows)
        groups = [(title, own) for kind, title in TITLES.items() if (own := rows_of(good, kind=kind))]
        table = build_table(
            "Annotated against gold sentences",
            "data",
            METRICS,
            groups,
            "Precision, recall, F1 and exact match (EM) in percent, over all claims; sentences are "
            "means for a claim, replies are counted. The paper gives the prompt, no figures.",
        )
        return Report(tables=(table,), findings=(*_agreement(good), *failure_notes(rows)))


def _agreement(rows: Sequence[Row]) -> Iterator[str]:
    """Yield how well the named sentences agree with gold ones, and how many replies could not be read."""
    for kind, title in TITLES.items():
        if not (own := rows_of(rows, kind=kind)):
            continue
        precision, recall, f1 = overlap_cells(own, NAMED, ALL)
        agreement = "there is no gold to compare with"
        if f1.value is not None:
            agreement = (
                f"the named sentences have an F1 of {f1.value:.1f} against gold (precision "
                f"{precision.value or 0.0:.1f}, recall {recall.value or 0.0:.1f}, n = {f1.n})"
            )
        unread = sum(bool(row["failed"]) for row in own)
        yield f"{title}: {agreement}; {unread} of {len(own)} replies could not be read."
