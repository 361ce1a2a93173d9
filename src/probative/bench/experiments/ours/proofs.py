"""How well the verdict of `prove` tells supported claims from others, over whole documents."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from probative.bench.data.drawing import draw
from probative.bench.data.evidence import Example, read_claims
from probative.bench.experiment import Case, Experiment, Lab, Settings
from probative.bench.findings import auroc_text
from probative.bench.metrics import auroc, auroc_interval
from probative.bench.report import Cell, Plot, Report, Series, Table, TableRow
from probative.bench.rows import Row
from probative.bench.splits import REPORTED_CLAIMS
from probative.bench.statistics import percent_cell


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
SETS = ("wice", "fever", "hover")
# Claims of each set, unless --limit says otherwise.
CLAIMS = 200
SENTENCES = 3


class Proofs(Experiment):
    """AUROC of the probability of supported, and how often evidence is said to contradict.

    The option "method" names another way to find the evidence, for example bm25. Of FEVER only the first 200
    claims are used: the others come from documents that models were trained on.
    """

    name = "proofs"
    title = "Does the verdict of prove tell supported claims from others?"
    paper = "ours"
    shown_as = "results, verdicts of prove"
    limit_of = "claims of each set"
    data = SETS
    verbs = frozenset({"score", "judge"})
    calls_per_case = 30.0

    def option_names(self) -> tuple[str, ...]:
        return ("method",)

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

    def run(self, case: Case, lab: Lab) -> Row:
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
        good = [row for row in rows if "error" not in row]
        table = Table(
            title="Supported claims told from others",
            corner="set and labels",
            columns=("AUROC", "first said to be contradicted, %", "others said to be contradicted, %"),
            rows=tuple(TableRow(name=pair.name, cells=_cells(good, pair)) for pair in PAIRS),
        )
        plot = Plot(
            title="AUROC of the probability of supported",
            kind="bars",
            x="set and labels",
            y="AUROC",
            ticks=tuple(pair.name for pair in PAIRS),
            series=(
                Series(
                    name=str(settings.option("method", "mcse")),
                    points=tuple(
                        (float(at), cell.value)
                        for at, row in enumerate(table.rows)
                        if isinstance(cell := row.cells[0], Cell) and cell.value is not None
                    ),
                ),
            ),
        )
        findings = tuple(
            f"{row.name}: {auroc_text(cell)}."
            for row in table.rows
            if isinstance(cell := row.cells[0], Cell) and cell.value is not None
        )
        return Report(tables=(table,), plots=(plot,), findings=findings)


def reported_claims(settings: Settings, name: str) -> list[Example]:
    """Return the claims of a set that no option was chosen on."""
    return [claim for claim in read_claims(settings.data, name) if not claim.tuning]


def _cells(rows: Sequence[Row], pair: Pair) -> tuple[Cell, ...]:
    mine = [row for row in rows if row["set"] == pair.set]
    first = [row for row in mine if row["label"] == pair.label]
    others = [row for row in mine if row["label"] in pair.others]
    contradicted = [
        percent_cell([float(row["verdict"] == "contradicted") for row in group]) for group in (first, others)
    ]
    if not first or not others:
        return (Cell(value=None, n=len(first) + len(others)), *contradicted)
    high, low = ([row["supported"] for row in group] for group in (first, others))
    return (
        Cell(value=auroc(high, low), **auroc_interval(high, low)._asdict(), n=len(high) + len(low)),
        *contradicted,
    )
