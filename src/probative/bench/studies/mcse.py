"""McsE against its baselines (tables 1 and 7), with different models (figure 5); and listwise annotation
(figure 6).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from probative.bench.families import mcse
from probative.bench.families.claims import Claim, covidet, hover, multirc, pubmedqa, with_gold
from probative.bench.families.evidence import exact_match, overlap_metrics
from probative.bench.findings import counted, sentences
from probative.bench.metrics import mean
from probative.bench.published import MCSE as PUBLISHED
from probative.bench.report import Table
from probative.bench.rows import Groups, Row, Rows, finished_rows, groups_by
from probative.bench.statistics import each_against
from probative.bench.study import Case, Lab
from probative.bench.tables import (
    Metric,
    Published,
    Results,
    TableSpec,
    column_cells,
    line_bars,
    plot,
    points,
)
from probative.errors import CapabilityError
from probative.session.session import Session


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


def _gold_notes(results: Results) -> Iterator[str]:
    """Yield who named the gold sentences, where the data has none."""
    for kind, title in mcse.SET_TITLES.items():
        rows = [row for row in finished_rows(results.all_rows) if row["kind"] == kind]
        sources = [row["gold_by"] for row in rows if row["gold_by"] != "data"]
        if nobody := sources.count("nobody"):
            yield (
                f"{title}: no gold sentences for {counted(nobody, 'claim')}, in no figure; name a "
                "judge model, or annotate them (probative annotate) and give --option gold=FILE."
            )
        for source in dict.fromkeys(source for source in sources if source not in ("nobody", "file")):
            yield (
                f"{title}: the gold sentences of {counted(sources.count(source), 'claim')} are those that "
                f"{source} named, and nobody corrected them; the paper's annotations (GPT-4) were corrected "
                "by hand."
            )


def _top3(results: Results) -> Iterator[tuple[str, Table, str]]:
    """Yield the F1 of the first three sentences of each set."""
    yield from ((table.title, table, "F1") for table in results.tables if table.title.endswith("top 3"))


class McseMain(mcse.McseStudy):
    """Which sentences of HoVer, PubMedQA and CovidET prove a claim, by every method."""

    name = "mcse-main"
    title = "Evidence for claims: McsE against its baselines, top 3 and top 5"
    paper_reference = "table 1"
    data = ("hover", "pubmedqa")
    optional_data = ("covidet",)
    readers = (hover, pubmedqa, covidet)
    calls_per_case = 50_000.0
    options = ("methods", "titles", "gold")
    tables = (_table(3), _table(5))
    tests = (mcse.f1_tests({"top 3": 3, "top 5": 5}, by=lambda row: mcse.SET_TITLES[row["kind"]]),)
    plots = (line_bars("Evidence of each method", "F1", _top3),)
    findings = (mcse.f1_finding, mcse.best_f1((3, 5), mcse.SET_TITLES), _gold_notes, mcse.failures)

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


def _both_tops(results: Results) -> Iterator[tuple[str, Table, str]]:
    """Yield the F1 of the first sentence, and of the first two, on all claims."""
    yield from ((f"top {top}", results.tables[0], f"top {top} F1") for top in (1, 2))


class McseMultirc(mcse.McseStudy):
    """Evidence for answers to questions about paragraphs, beside methods made for such data."""

    name = "mcse-multirc"
    title = "Evidence on MultiRC: McsE against its baselines and task-specific methods"
    paper_reference = "table 7"
    data = ("multirc",)
    readers = (multirc,)
    calls_per_case = 8_500.0
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
    plots = (line_bars("Evidence on MultiRC", "F1", _both_tops),)
    findings = (mcse.f1_finding, mcse.best_f1((1, 2), {"MultiRC": "MultiRC"}), mcse.failures)


NOTE = (
    "Figure 5 of the paper has no numbers: Gemma-2b, -2b-it, -7b, -7b-it; the instruction-tuned ones are "
    "better at both sizes."
)


def _models_differ(results: Results) -> Iterator[str]:
    """Yield whether the models differ, and why one was left out."""
    if len(results.tables[0].rows) > 1:
        yield from mcse.f1_finding(results)
    for what in sorted({row["left_out"] for row in finished_rows(results.all_rows) if "left_out" in row}):
        yield f"The judge model was left out: {what}"


def _run_model(session: Session, claim: Claim, methods: Mapping[str, mcse.Arguments], k: int) -> Row:
    """Return the row of a single method with the model of a session, under the name of the model."""
    row = mcse.run_methods(session, claim, methods, k)
    for field in ("chosen", "calls", "failed"):
        row[field] = dict(zip([session.language_model.name], row[field].values(), strict=False))
    return row


class McseModels(mcse.McseStudy):
    """Whether McsE holds with another language model behind it.

    A run studies its model, and also its judge model if that can score. More models are more runs, put side
    by side by `probative bench compare`.
    """

    name = "mcse-models"
    title = "McsE with different base models, top 3 and top 5"
    paper_reference = "figure 5"
    verbs = frozenset({"score"})
    calls_per_case = 50_000.0
    options = ("titles",)
    arguments = mcse.ONLY_MCSE
    tables = (TableSpec("HoVer by base model", "model", mcse.top_metrics((3, 5)), note=NOTE),)
    tests = (mcse.f1_tests({"top 3": 3, "top 5": 5}, lambda models: each_against(models, models[0])),)
    plots = (
        plot(
            "F1 by base model",
            "bars",
            "",
            "F1",
            lambda results: {row.name: points(row.cells[2::3]) for row in results.tables[0].rows},
            lambda results: ("top 3", "top 5"),
        ),
    )
    findings = (
        sentences(
            "McsE with {line} has an F1 of {0:.1f} (top 3) and {1:.1f} (top 5); n = {1:n}.",
            "top 3 F1",
            "top 5 F1",
        ),
        _models_differ,
        mcse.failures,
    )

    def run(self, case: Case, lab: Lab) -> Row:
        """Run McsE with each model for five sentences; a row names them by the model."""
        claim, methods = case.content, self.chosen(lab.settings)
        row = _run_model(lab.session, claim, methods, 5)
        if lab.judge is not None:
            try:
                other = _run_model(lab.judge, claim, methods, 5)
            except CapabilityError as error:
                return {**row, "left_out": error.what}
            for field in ("chosen", "calls", "failed"):
                row[field] = {**other[field], **row[field]}
        return row


ANNOTATION = "annotation"
ALL_SENTENCES = 10**6


def _mean_named(rows: Rows) -> str:
    """Return the mean number of sentences that a readable reply names."""
    named = [float(len(row["indexes"])) for row in rows if not row["failed"]]
    return f"{mean(named):.1f}" if named else "-"


def _count_of(field: str) -> Metric:
    return lambda rows: f"{sum(bool(row[field]) for row in rows):,} of {len(rows):,}"


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
            {
                **overlap_metrics(ALL_SENTENCES),
                "EM": exact_match(ALL_SENTENCES),
                "sentences named": _mean_named,
                "sentences of the text": lambda rows: (
                    f"{mean([float(row['sentences']) for row in rows]):.1f}"
                ),
                "replies that name none": _count_of("none"),
                "unreadable replies": _count_of("failed"),
            },
            "kind",
            names=mcse.SET_TITLES,
            note="Precision, recall, F1 and exact match (EM) in percent, over all claims; sentences are "
            "means for a claim, replies are counted. The paper gives the prompt, no figures.",
        ),
    )
    findings = (_agreement, mcse.failures)

    def run(self, case: Case, lab: Lab) -> Row:
        claim = case.content
        row = {**mcse.claim_row(claim), "chosen": {ANNOTATION: []}, "failed": {}, "none": False}
        try:
            annotation = (lab.judge or lab.session).annotate(claim.text, claim.sentences)
        except mcse.OWN_FAULTS as error:
            return {**row, "failed": {ANNOTATION: mcse.fault_text(error)}}
        indexes = list(annotation.indexes)
        return {**row, "chosen": {ANNOTATION: indexes}, "none": not indexes}
