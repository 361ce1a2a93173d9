"""Figure 6: how good is listwise annotation? On HoVer, whose gold sentences are known, it can be measured.

The judge model annotates, or the studied model where there is none. On PubMedQA and CovidET, which have no
gold sentences, the table only says how many sentences were named.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from probative.bench.families import mcse
from probative.bench.families.claims import Claim, covidet, hover, pubmedqa
from probative.bench.families.evidence import ANNOTATION, ANNOTATION_METRICS, annotation_findings
from probative.bench.rows import Row
from probative.bench.study import Case, Lab, Settings
from probative.bench.tables import TableSpec


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
            ANNOTATION_METRICS,
            "kind",
            names=mcse.SET_TITLES,
            note="Precision, recall, F1 and exact match (EM) in percent, over all claims; sentences are "
            "means for a claim, replies are counted. The paper gives the prompt, no figures.",
        ),
    )
    findings = (annotation_findings, mcse.failures)

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
