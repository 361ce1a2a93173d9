"""Sample construction (table 1): which candidates are chains of evidence, and how long the contexts are."""

from __future__ import annotations

from collections.abc import Sequence

from probative.bench.families.coe.candidates import MULTIHOP, TITLES
from probative.bench.families.coe.sample import Sample
from probative.bench.families.coe.study import CANDIDATES, ContextStudy
from probative.bench.families.coe.tables import sample_findings
from probative.bench.findings import counted, joined, share_text
from probative.bench.published import COE
from probative.bench.report import Report, Table, TableRow
from probative.bench.rows import Row, rows_of
from probative.bench.statistics import mean_cell
from probative.bench.study import Case, Lab, Settings
from probative.bench.tables import ratio_cell


class CoeSamples(ContextStudy):
    """Builds samples and asks the studied model nothing."""

    name = "coe-samples"
    title = "How much gold evidence is a chain of evidence, and what is left of it after perturbation?"
    paper_reference = "table 1"
    data = MULTIHOP
    judged = False
    calls_per_case = 0.0

    def trials(self, case: Case, lab: Lab, sample: Sample) -> Row:
        return {}

    def report(self, rows: Sequence[Row], settings: Settings) -> Report:
        by_set = {name: rows_of(rows, set=name) for name in self.drawn_from}
        findings = [_built(name, own, self.contexts) for name, own in by_set.items() if own]
        tables = tuple(_table(name, own, self.contexts) for name, own in by_set.items())
        return Report(tables=tables, findings=(*findings, *sample_findings(rows)))


def _built(name: str, rows: Sequence[Row], contexts: Sequence[str]) -> str:
    """Return for how many candidates of a set each context can be built."""
    (_, chains), *others = (
        (context, sum(context in row["contexts"] for row in rows)) for context in contexts
    )
    rest = joined(f"{context} can be built for {n}" for context, n in others)
    return (
        f"{TITLES[name]}: the gold evidence of {share_text(ratio_cell(chains, len(rows)))} candidates is a "
        f"chain of evidence; of these, {rest}."
    )


def _table(name: str, rows: Sequence[Row], contexts: Sequence[str]) -> Table:
    lines = []
    for context in contexts:
        built = [row["contexts"][context] for row in rows if context in row["contexts"]]
        samples, pieces = COE.samples[name][context]
        unnoticed = sum(context in row["unnoticed"] for row in rows)
        cells = (
            str(len(built)),
            ratio_cell(len(built), len(rows), 100 * samples / CANDIDATES),
            mean_cell([float(len(texts)) for texts in built], pieces),
            "-" if context == "CoE" else str(unnoticed),
        )
        lines.append(TableRow(name=context, cells=cells))
    return Table(
        title=f"{TITLES[name]}: samples of {counted(len(rows), 'candidate')}",
        corner="context",
        columns=("samples", "% of candidates", "pieces", "still a CoE by discrimination"),
        rows=tuple(lines),
        note="A context that fails its check is not built; the findings say why. A candidate can be used if "
        "all its contexts are built.",
    )
