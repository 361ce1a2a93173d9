"""How well the verdict of `prove` tells supported claims from others, over whole documents."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from probative.bench.data.claims import Example, read_claims
from probative.bench.data.files import draw
from probative.bench.data.splits import REPORTED_CLAIMS
from probative.bench.experiment import Case, Lab, Settings
from probative.bench.findings import auroc_text
from probative.bench.report import Cell, Plot, Report, Series, Table, TableRow
from probative.bench.rows import Row, counted_rows
from probative.bench.statistics import percent_cell
from probative.bench.study import Study
from probative.bench.tables import Rows, auroc_cell, known_cells, points, rows_of

SETS = ("wice", "fever", "hover")
# Claims of each set, unless --limit says otherwise.
CLAIMS = 200
SENTENCES = 3


class Pair(NamedTuple):
    """Claims of a set with one label, to be told from those with other labels."""

    set: str
    label: str
    others: tuple[str, ...]

    @property
    def name(self) -> str:
        """The pair in words."""
        return f"{self.set}: {self.label} from {', '.join(self.others)}"


PAIRS = (
    Pair("wice", "supported", ("not_supported",)),
    Pair("wice", "supported", ("not_supported", "partially_supported")),
    Pair("fever", "SUPPORTS", ("REFUTES",)),
    Pair("hover", "SUPPORTED", ("NOT_SUPPORTED",)),
)


class Proofs(Study):
    """AUROC of the probability of supported, and how often evidence is said to contradict.

    The option "method" names another way to find the evidence, for example bm25. Of FEVER only the first 200
    claims are used: the others come from documents that models were trained on.
    """

    name = "proofs"
    title = "Does the verdict of prove tell supported claims from others?"
    shown_as = "results, verdicts of prove"
    limit_of = "claims of each set"
    data = SETS
    verbs = frozenset({"score", "judge"})
    calls_per_case = 30.0
    options = ("method",)

    def cases(self, settings: Settings) -> list[Case]:
        """Return `limit` claims of each set (200 without a limit) that no option was chosen on."""
        first = {name: max(settings.limit or 0, CLAIMS) for name in SETS} | {"fever": REPORTED_CLAIMS}
        return [
            Case(f"{name}/{claim.id}", claim)
            for name in SETS
            for claim in draw(
                reported_claims(settings, name)[: first[name]], settings.limit or CLAIMS, settings.seed
            )
        ]

    def answer(self, case: Case, lab: Lab) -> Row:
        claim: Example = case.content
        proof = lab.session.prove(
            claim.claim,
            list(claim.sentences),
            SENTENCES,
            method=lab.settings.option("method", "mcse"),
            verdict=True,
        )
        return {
            "set": case.key.partition("/")[0],
            "label": claim.label,
            "verdict": str(getattr(proof.verdict, "value", proof.verdict)),
            "supported": 0.0 if proof.probabilities is None else proof.probabilities.supported,
        }

    def report(self, rows: Sequence[Row], settings: Settings) -> Report:
        good = counted_rows(rows)
        table = Table(
            title="Supported claims told from others",
            corner="set and labels",
            columns=("AUROC", "first said to be contradicted, %", "others said to be contradicted, %"),
            rows=tuple(TableRow(name=pair.name, cells=_cells(good, pair)) for pair in PAIRS),
        )
        method = str(settings.option("method", "mcse"))
        plot = Plot(
            title="AUROC of the probability of supported",
            kind="bars",
            x=table.corner,
            y="AUROC",
            ticks=tuple(pair.name for pair in PAIRS),
            series=(Series(name=method, points=points(row.cells[0] for row in table.rows)),),
        )
        findings = tuple(f"{name}: {auroc_text(cell)}." for name, (cell,) in known_cells(table, "AUROC"))
        return Report(tables=(table,), plots=(plot,), findings=findings)


def reported_claims(settings: Settings, name: str) -> list[Example]:
    """Return the claims of a set that no option was chosen on."""
    return [claim for claim in read_claims(settings.data, name) if not claim.tuning]


def _cells(rows: Rows, pair: Pair) -> tuple[Cell, ...]:
    mine = rows_of(rows, set=pair.set)
    groups = rows_of(mine, label=pair.label), [row for row in mine if row["label"] in pair.others]
    high, low = ([row["supported"] for row in group] for group in groups)
    contradicted = [
        percent_cell([float(row["verdict"] == "contradicted") for row in group]) for group in groups
    ]
    return (auroc_cell(high, low), *contradicted)
