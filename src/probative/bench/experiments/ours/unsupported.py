"""The evidence policy on WiCE, which it was never trained on: evidence, and claims that nothing supports.

For each claim as many sentences are chosen as are gold (one where none are). The second table has the AUROC
of claims that WiCE calls not supported against all others, by the policy's probability before the first
sentence that nothing carries the claim, and by that and the words of the chosen sentences together.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from probative.bench.data.claims import Example, read_claims
from probative.bench.data.files import draw
from probative.bench.evidence_figures import evidence_metrics
from probative.bench.experiment import Case, Lab, Settings
from probative.bench.findings import auroc_text, counted
from probative.bench.report import Cell, Report, Table, TableRow
from probative.bench.rows import Row, finished_rows
from probative.bench.study import Study
from probative.bench.tables import (
    Rows,
    auroc_cell,
)
from probative.bench.word_verdict import support_by_words

DOUBTS = {"nothing carries it (the policy)": "nothing", "the policy and the words": "doubt"}


class Unsupported(Study):
    """Proves each claim of WiCE with the evidence policy alone; no language model is asked."""

    name = "unsupported"
    title = "Does the evidence policy notice claims that nothing supports?"
    shown_as = "results, claims that nothing supports"
    limit_of = "claims"
    data = ("wice",)
    verbs = frozenset({"weigh"})
    calls_per_case = 0.0
    options = ()

    def cases(self, settings: Settings) -> list[Case]:
        """Return all claims, or `limit` that the seed draws."""
        claims = draw(read_claims(settings.data, "wice"), settings.limit, settings.seed)
        return [Case(claim.id, claim) for claim in claims]

    def answer(self, case: Case, lab: Lab) -> Row:
        claim: Example = case.content
        k = claim.gold_size if claim.gold else 1
        proof = lab.session.prove(claim.claim, claim.sentences, k=k, method="learned", verdict=False)
        nothing = float(proof.stops[0].nothing)
        text = " ".join(claim.sentences[index] for index in proof.indexes)
        return {
            "label": claim.label,
            "gold": [sorted(gold) for gold in claim.gold],
            "indexes": list(proof.indexes),
            "nothing": nothing,
            "doubt": 1.0 - (1.0 - nothing) * support_by_words(claim.claim, text),
            "tokens": proof.usage.tokens,
        }

    def report(self, rows: Sequence[Row], settings: Settings) -> Report:
        good = finished_rows(rows)
        separation = _separation(good)
        return Report(
            tables=(_evidence([row for row in good if row["gold"]]), separation),
            findings=tuple(_told(separation)),
        )


def _evidence(rows: Rows) -> Table:
    metrics = evidence_metrics("gold")
    columns = ("F1", "all gold", "tokens")
    cells = tuple(metrics[name](rows) if rows else Cell(value=None, n=0) for name in columns)
    line = TableRow(name="learned", cells=cells)
    return Table(
        title="Evidence on WiCE, as many sentences as gold", corner="method", columns=columns, rows=(line,)
    )


def _separation(rows: Sequence[Row]) -> Table:
    return Table(
        title="Claims that are not supported, against all others",
        corner="by",
        columns=("AUROC", "not supported", "others"),
        rows=tuple(TableRow(name=name, cells=_told_apart(rows, field)) for name, field in DOUBTS.items()),
    )


def _told(separation: Table) -> Iterator[str]:
    for row in separation.rows:
        cell, unsupported, others = row.cells
        if isinstance(cell, Cell) and cell.value is not None:
            yield (
                f"{counted(int(str(unsupported)), 'claim')} that nothing supports told from {others} others: "
                f"{auroc_text(cell)} (by: {row.name})."
            )


def _told_apart(rows: Rows, field: str) -> tuple[Cell | str, ...]:
    unsupported, others = (
        [float(row[field]) for row in rows if (row["label"] == "not_supported") is wanted]
        for wanted in (True, False)
    )
    return (auroc_cell(unsupported, others), str(len(unsupported)), str(len(others)))
