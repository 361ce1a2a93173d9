"""Figure 6: how good is listwise annotation? On HoVer, whose gold sentences are known, it can be measured.

The judge model annotates, or the studied model where there is none. On PubMedQA and CovidET, which have no
gold sentences, the table only says how many sentences were named.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from probative.bench.families import mcse
from probative.bench.families.claims import Claim, covidet, hover, pubmedqa
from probative.bench.families.evidence import exact_match, overlap_metrics
from probative.bench.metrics import mean
from probative.bench.rows import Row
from probative.bench.study import Case, Lab, Settings
from probative.bench.tables import Metric, Results, Rows, TableSpec, column_cells

ANNOTATION = "annotation"
ALL = 10**6


def _mean_named(rows: Rows) -> str:
    named = [float(len(row["indexes"])) for row in rows if not row["failed"]]
    return f"{mean(named):.1f}" if named else "-"


def _count(field: str) -> Metric:
    return lambda rows: f"{sum(bool(row[field]) for row in rows):,} of {len(rows):,}"


METRICS: dict[str, Metric] = {
    **overlap_metrics(ALL),
    "EM": exact_match(ALL),
    "sentences named": _mean_named,
    "sentences of the text": lambda rows: f"{mean([float(row['sentences']) for row in rows]):.1f}",
    "replies that name none": _count("none"),
    "unreadable replies": _count("failed"),
}


def _agreement(results: Results) -> Iterator[str]:
    """Yield how well the named sentences agree with gold ones, and how many replies could not be read."""
    (table,) = results.tables
    lines = zip(column_cells(table, "precision", "recall", "F1"), table.rows, strict=True)
    for (title, (precision, recall, f1)), row in lines:
        agreement = "there is no gold to compare with"
        if f1.value is not None:
            agreement = (
                f"the named sentences have an F1 of {f1.value:.1f} against gold (precision "
                f"{precision.value:.1f}, recall {recall.value:.1f}, n = {f1.n})"
            )
        yield f"{title}: {agreement}; {row.cells[-1]} replies could not be read."


class McseAnnotation(mcse.McseStudy):
    """A model reads all sentences at once and names those that a claim needs."""

    name = "mcse-annotation"
    title = "Listwise annotation of gold sentences by a language model"
    paper_reference = "figure 6"
    data = ("hover", "pubmedqa")
    optional_data = ("covidet",)
    verbs = frozenset({"generate"})
    calls_per_case = 1.5
    options = ("titles",)
    tables = (
        TableSpec(
            "Annotated against gold sentences",
            "data",
            METRICS,
            "kind",
            names=mcse.SET_TITLES,
            note="Precision, recall, F1 and exact match (EM) in percent, over all claims; sentences are "
            "means for a claim, replies are counted. The paper gives the prompt, no figures.",
        ),
    )
    findings = (_agreement, mcse.failures)

    def groups(self, settings: Settings) -> Iterable[Sequence[Claim]]:
        return [read(settings) for read in (hover, pubmedqa, covidet)]

    def run(self, case: Case, lab: Lab) -> Row:
        claim = case.content
        row = {**mcse.claim_row(claim), "chosen": {ANNOTATION: []}, "failed": {}, "none": False}
        try:
            annotation = (lab.judge or lab.session).annotate(claim.text, claim.sentences)
        except mcse.OWN_FAULTS as error:
            return {**row, "failed": {ANNOTATION: mcse.fault_text(error)}}
        indexes = list(annotation.indexes)
        return {**row, "chosen": {ANNOTATION: indexes}, "none": not indexes}
