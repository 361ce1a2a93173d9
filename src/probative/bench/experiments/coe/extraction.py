"""Extraction errors (table 9): discrimination with a node missing or one too many, and the accuracy then."""

from __future__ import annotations

import random
from collections.abc import Sequence

from probative.bench.experiment import Case, Lab, Settings
from probative.bench.experiments.coe.candidates import Candidate
from probative.bench.experiments.coe.figures import (
    Layout,
    by_share,
    sample_findings,
    share_plot,
    with_measures,
)
from probative.bench.experiments.coe.noise import effectiveness_trials
from probative.bench.experiments.coe.sample import Sample, open_builder
from probative.bench.experiments.coe.samples import CANDIDATES
from probative.bench.experiments.coe.study import CORNERS, ShareStudy, who
from probative.bench.experiments.coe.trials import SHARES, sample_row
from probative.bench.findings import joined, share_text
from probative.bench.published import COE
from probative.bench.report import Cell, Report, Table, TableRow
from probative.bench.rows import Row
from probative.bench.tables import ratio_cell
from probative.scope.features import Features, Node
from probative.text.words import words

KINDS = tuple(COE.extraction)


class Extraction(ShareStudy):
    """Candidates that are taken for a chain of evidence with the features as extracted, without a node, and
    with a word of the intent as a further node.
    """

    name = "coe-extraction"
    title = "How much do errors of extraction change what counts as a chain of evidence?"
    paper_reference = "table 9"
    data = ("hotpotqa",)
    sets = ("hotpotqa",)
    contexts = ("CoE",)
    calls_per_case = 12.0

    def run(self, case: Case, lab: Lab) -> Row:
        candidate: Candidate = case.content
        builder = open_builder(lab, candidate)
        features = builder.features(candidate.question)
        identified = [
            kind
            for kind, changed in changed_features(features, candidate.question, lab.draws(case)).items()
            if not builder.missing(candidate.question, changed, candidate.pieces)
        ]
        sample = Sample(candidate=candidate, features=features, contexts={"CoE": candidate.pieces})
        row = sample_row(sample, identified=identified, **who(lab, sample))
        if not identified:
            return {**row, "left_out": "not a CoE"}
        return {**row, **self.study(case, lab, sample)}

    def study(self, case: Case, lab: Lab, sample: Sample) -> Row:
        return {"trials": effectiveness_trials(lab, case, sample)}

    def report(self, rows: Sequence[Row], settings: Settings) -> Report:
        layout = Layout(
            title="Accuracy by kind of error",
            corner=CORNERS["effectiveness"],
            contexts=KINDS,
            shares=SHARES,
            published=by_share(COE.extraction),
        )
        by_kind = [_with_kinds_as_contexts(row) for row in rows]
        judged = any(row.get("judge") for row in rows)
        tables = with_measures(by_kind, "effectiveness", layout, judged=judged)
        identified = _identified(rows)
        return Report(
            tables=(identified, *tables),
            plots=(share_plot(by_kind, "effectiveness", layout),),
            findings=(_taken(identified), *sample_findings(rows)),
        )


def changed_features(features: Features, question: str, draws: random.Random) -> dict[str, Features]:
    """Return the features as extracted, without a drawn node, and with a word that intent and question share.

    >>> features = Features(intent="harbour of a ferry", nodes=(Node(text="Ole Brandt"),))
    >>> changed = changed_features(features, "In which harbour was it built?", random.Random(1))
    >>> [[node.text for node in kind.nodes] for kind in changed.values()]
    [['Ole Brandt'], [], ['Ole Brandt', 'harbour']]
    """
    names = [node.text for node in features.nodes]
    dropped = draws.choice(names) if names else None
    fewer = features.model_copy(
        update={
            "nodes": tuple(node for node in features.nodes if node.text != dropped),
            "relations": tuple(
                relation for relation in features.relations if dropped not in (relation.head, relation.tail)
            ),
        }
    )
    in_question = set(words(question))
    shared = [word for word in words(features.intent) if word in in_question] or words(features.intent)[:1]
    extra = [Node(text=word) for word in shared[:1] if word not in names]
    more = features.model_copy(update={"nodes": (*features.nodes, *extra)})
    return dict(zip(KINDS, (features, fewer, more), strict=True))


def _with_kinds_as_contexts(row: Row) -> Row:
    """Return a row whose trials count for every kind of error with which the candidate was identified."""
    trials = [
        {**trial, "context": kind} for kind in row.get("identified", ()) for trial in row.get("trials", ())
    ]
    return {**row, "trials": trials}


def _taken(table: Table) -> str:
    """Return how many candidates are taken for a chain of evidence with each kind of error."""
    texts = [
        f"{share_text(cell)} ({kind})"
        for kind, cell in zip(table.columns, table.rows[0].cells, strict=True)
        if isinstance(cell, Cell)
    ]
    return f"Candidates taken for a chain of evidence: {joined(texts)}."


def _identified(rows: Sequence[Row]) -> Table:
    ran = [row for row in rows if "identified" in row]
    counts = {kind: sum(kind in row["identified"] for row in ran) for kind in KINDS}
    cells = tuple(
        ratio_cell(counts[kind], len(ran), 100 * COE.identified[kind] / CANDIDATES) for kind in KINDS
    )
    return Table(
        title="Candidates taken for a chain of evidence, percent",
        corner="",
        columns=KINDS,
        rows=(TableRow(name="identified", cells=cells),),
    )
