"""Extraction errors (table 9): discrimination with a node missing or one too many, and the accuracy then."""

from __future__ import annotations

import random
from collections.abc import Sequence

from probative.bench.families.coe.candidates import Candidate
from probative.bench.families.coe.sample import Sample, open_builder
from probative.bench.families.coe.study import CANDIDATES, ContextStudy
from probative.bench.families.coe.tables import ShareTable, is_judged, sample_findings
from probative.bench.findings import joined, share_text
from probative.bench.published import COE
from probative.bench.report import Report, Table, TableRow
from probative.bench.rows import Row
from probative.bench.study import Case, Lab, Settings
from probative.bench.tables import ratio_cell
from probative.scope.features import Features, Node
from probative.text.words import words

KINDS = tuple(COE.extraction)


class CoeExtraction(ContextStudy):
    """Candidates that are taken for a chain of evidence with the features as extracted, without a node, and
    with a word of the intent as a further node.
    """

    name = "coe-extraction"
    title = "How much do errors of extraction change what counts as a chain of evidence?"
    paper_reference = "table 9"
    data = drawn_from = ("hotpotqa",)
    calls_per_case = 12.0

    def answer(self, case: Case, lab: Lab) -> Row:
        candidate: Candidate = case.content
        builder = open_builder(lab, candidate)
        features = builder.features(candidate.question)
        identified = [
            kind
            for kind, changed in changed_features(features, candidate.question, lab.draws(case)).items()
            if not builder.missing(candidate.question, changed, candidate.pieces)
        ]
        sample = Sample(candidate=candidate, features=features, contexts={"CoE": candidate.pieces})
        rest = self.trials(case, lab, sample) if identified else {"left_out": "not a CoE"}
        return {**sample.row(lab), "identified": identified, **rest}

    def report(self, rows: Sequence[Row], settings: Settings) -> Report:
        # The trials of a candidate count for every kind of error with which it was identified.
        by_kind = [
            {
                **row,
                "trials": [
                    {**trial, "context": kind}
                    for kind in row.get("identified", ())
                    for trial in row.get("trials", ())
                ],
            }
            for row in rows
        ]
        table = ShareTable("Accuracy by kind of error", "effectiveness", by_kind, KINDS, COE.extraction)
        identified, finding = _identified([row["identified"] for row in rows if "identified" in row])
        return Report(
            tables=(identified, *table.tables(judged=is_judged(rows))),
            plots=(table.plot(),),
            findings=(finding, *sample_findings(rows)),
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
    nodes = tuple(node for node in features.nodes if node.text != dropped)
    relations = tuple(own for own in features.relations if dropped not in (own.head, own.tail))
    fewer = features.model_copy(update={"nodes": nodes, "relations": relations})
    in_question = set(words(question))
    shared = [word for word in words(features.intent) if word in in_question] or words(features.intent)[:1]
    extra = [Node(text=word) for word in shared[:1] if word not in names]
    more = features.model_copy(update={"nodes": (*features.nodes, *extra)})
    return dict(zip(KINDS, (features, fewer, more), strict=True))


def _identified(rows: Sequence[Sequence[str]]) -> tuple[Table, str]:
    """Return how many candidates are taken for a chain of evidence with each kind of error, as a table and as
    a sentence; `rows` are the kinds of each candidate.
    """
    cells = tuple(
        ratio_cell(sum(kind in row for row in rows), len(rows), 100 * COE.identified[kind] / CANDIDATES)
        for kind in KINDS
    )
    title = "Candidates taken for a chain of evidence"
    line = TableRow(name="identified", cells=cells)
    texts = joined(f"{share_text(cell)} ({kind})" for kind, cell in zip(KINDS, cells, strict=True))
    return Table(title=f"{title}, percent", corner="", columns=KINDS, rows=(line,)), f"{title}: {texts}."
