"""McsE against its baselines (tables 1 and 7), with different models (figure 5); and listwise annotation
(figure 6).
"""

from __future__ import annotations

from probative.bench.families import mcse
from probative.bench.families.claims import covidet, hover, multirc, pubmedqa, with_gold
from probative.bench.families.evidence import (
    ANNOTATION,
    ANNOTATION_METRICS,
    annotation_findings,
    overlap_metrics,
)
from probative.bench.findings import sentences
from probative.bench.published import MCSE as PUBLISHED
from probative.bench.rows import Groups, Row, Rows, groups_by
from probative.bench.statistics import each_against
from probative.bench.study import Case, Lab
from probative.bench.tables import Published, TableSpec
from probative.errors import CapabilityError


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
    """Which sentences of HoVer, PubMedQA and CovidET prove a claim, by every method."""

    name = "mcse-main"
    title = "Evidence for claims: McsE against its baselines, top 3 and top 5"
    paper_reference = "table 1"
    data = ("hover", "pubmedqa")
    optional_data = ("covidet",)
    readers = (hover, pubmedqa, covidet)
    calls_per_case = 170_000.0
    options = ("methods", "titles", "gold")
    tables = (_table(3), _table(5))
    tests = (mcse.f1_tests({"top 3": 3, "top 5": 5}, by=lambda row: mcse.SET_TITLES[row["kind"]]),)
    findings = (mcse.f1_finding, mcse.best_f1((3, 5), mcse.SET_TITLES), mcse.gold_notes, mcse.failures)

    def run(self, case: Case, lab: Lab) -> Row:
        """Run every method for five sentences; the first three are those of top 3."""
        claim, source = with_gold(case.content, lab)
        methods = self.chosen(lab.settings) if claim.gold else {}
        return {**mcse.run_methods(lab.session, claim, methods, 5), "gold_by": source}


# Methods of the paper that were made for such data: only their published figures are shown.
TASK_SPECIFIC = {
    f"{name} (published only)": figures for name, figures in PUBLISHED.multirc_task_specific.items()
}
FIGURES = {name: [*first, *second] for name, (first, second) in PUBLISHED.multirc.items()}
METRICS = mcse.top_metrics((1, 2))


def _lines(rows: Rows) -> Groups:
    yield from groups_by(rows, "method")
    for name in TASK_SPECIFIC:
        yield name, []


class McseMultirc(mcse.McseStudy):
    """Evidence for answers to questions about paragraphs, beside methods made for such data."""

    name = "mcse-multirc"
    title = "Evidence on MultiRC: McsE against its baselines and task-specific methods"
    paper_reference = "table 7"
    data = ("multirc",)
    readers = (multirc,)
    calls_per_case = 12_000.0
    options = ("methods",)
    sentences = 2
    tables = (
        TableSpec(
            "MultiRC",
            "method",
            METRICS,
            _lines,
            note=f"{mcse.BESIDE} S is supervised, U unsupervised.",
            published=mcse.by_encoder({**FIGURES, **TASK_SPECIFIC}),
        ),
        TableSpec("MultiRC, claims that the text supports", "method", METRICS, where=lambda row: row["true"]),
    )
    tests = (mcse.f1_tests({"top 1": 1, "top 2": 2}),)
    findings = (mcse.f1_finding, mcse.best_f1((1, 2), {"MultiRC": "MultiRC"}), mcse.failures)


NOTE = (
    "Figure 5 of the paper has no numbers: Gemma-2b, -2b-it, -7b, -7b-it; the instruction-tuned ones are "
    "better at both sizes."
)


class McseModels(mcse.McseStudy):
    """Whether McsE holds with another language model behind it.

    A run studies its model, and also its judge model if that can score. More models are more runs, put side
    by side by `probative bench compare`.
    """

    name = "mcse-models"
    title = "McsE with different base models, top 3 and top 5"
    paper_reference = "figure 5"
    verbs = frozenset({"score"})
    calls_per_case = 170_000.0
    options = ("titles",)
    arguments = mcse.ONLY_MCSE
    tables = (TableSpec("HoVer by base model", "model", mcse.top_metrics((3, 5)), note=NOTE),)
    tests = (mcse.f1_tests({"top 3": 3, "top 5": 5}, lambda models: each_against(models, models[0])),)
    plots = (mcse.top_bars("F1 by base model", ("top 3", "top 5")),)
    findings = (
        sentences(
            "McsE with {line} has an F1 of {0:.1f} (top 3) and {1:.1f} (top 5); n = {1:n}.",
            "top 3 F1",
            "top 5 F1",
        ),
        mcse.models_differ,
        mcse.failures,
    )

    def run(self, case: Case, lab: Lab) -> Row:
        """Run McsE with each model for five sentences; a row names them by the model."""
        claim, methods = case.content, self.chosen(lab.settings)
        row = mcse.run_model(lab.session, claim, methods, 5)
        if lab.judge is not None:
            try:
                other = mcse.run_model(lab.judge, claim, methods, 5)
            except CapabilityError as error:
                return {**row, "left_out": error.what}
            for field in ("chosen", "calls", "failed"):
                row[field] = {**other[field], **row[field]}
        return row


class McseAnnotation(mcse.McseStudy):
    """How good listwise annotation is: a model reads all sentences and names those that a claim needs.

    The judge model annotates, or the studied model where there is none. PubMedQA and CovidET have no gold
    sentences: the table only says how many sentences were named.
    """

    name = "mcse-annotation"
    title = "Listwise annotation of gold sentences by a language model"
    paper_reference = "figure 6"
    data = ("hover", "pubmedqa")
    optional_data = ("covidet",)
    readers = (hover, pubmedqa, covidet)
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

    def run(self, case: Case, lab: Lab) -> Row:
        claim = case.content
        row = {**mcse.claim_row(claim), "chosen": {ANNOTATION: []}, "failed": {}, "none": False}
        try:
            annotation = (lab.judge or lab.session).annotate(claim.text, claim.sentences)
        except mcse.OWN_FAULTS as error:
            return {**row, "failed": {ANNOTATION: mcse.fault_text(error)}}
        indexes = list(annotation.indexes)
        return {**row, "chosen": {ANNOTATION: indexes}, "none": not indexes}
