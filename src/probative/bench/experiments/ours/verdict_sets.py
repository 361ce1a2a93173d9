"""The verdict model on published sets of claims, through `judge`, as a user gets it."""

from __future__ import annotations

from collections.abc import Sequence

from probative.bench.data.drawing import spread
from probative.bench.data.verdicts import VerdictRow, read_verdict_rows
from probative.bench.experiment import Case, Experiment, Lab, Settings
from probative.bench.findings import counted, share_text
from probative.bench.metrics import auroc, auroc_interval, calibration_error, mean, reliability
from probative.bench.report import Cell, Plot, Report, Series, Table, TableRow
from probative.bench.rows import Row
from probative.bench.statistics import mean_cell, percent_cell

# Claims of each set, unless --limit says otherwise.
CLAIMS = 40


class VerdictSets(Experiment):
    """Balanced accuracy of supported against the rest, AUROC and calibration, for each set of claims."""

    name = "verdict-sets"
    title = "Are claims judged supported, contradicted or insufficient as people judged them?"
    paper = "ours"
    shown_as = "results, verdicts"
    limit_of = "claims of each set"
    data = ("verdict",)
    verbs = frozenset({"judge"})
    calls_per_case = 0.0

    def option_names(self) -> tuple[str, ...]:
        return ()

    def cases(self, settings: Settings) -> list[Case]:
        """Return `limit` rows of each set (40 without a limit), evenly spread; the limit is a set's."""
        sets: dict[str, list[VerdictRow]] = {}
        for row in read_verdict_rows(settings.data):
            sets.setdefault(row.set, []).append(row)
        return [
            Case(f"{name}/{number}", row)
            for name, rows in sets.items()
            for number, row in enumerate(spread(rows, settings.limit or CLAIMS), 1)
        ]

    def run(self, case: Case, lab: Lab) -> Row:
        row: VerdictRow = case.content
        judged = lab.session.judge(row.claim, row.evidence)
        return {
            "set": row.set,
            "label": row.label,
            "binary": row.binary,
            "verdict": judged.verdict.value,
            "supported": judged.probabilities.supported,
            "right": (judged.probabilities.supported >= 0.5) == (row.label == "supported"),
            "tokens": judged.usage.prompt_tokens,
        }

    def report(self, rows: Sequence[Row], settings: Settings) -> Report:
        good = [row for row in rows if "error" not in row]
        sets = {
            name: [row for row in good if row["set"] == name] for name in sorted({r["set"] for r in good})
        }
        table = Table(
            title="Verdicts by set",
            corner="set",
            columns=("supported", "others", "balanced", "AUROC", "three-way", "tokens"),
            rows=tuple(TableRow(name=name, cells=_cells(own)) for name, own in sets.items()),
            note="Supported: the share of supported claims that are judged so, in percent, at a "
            "probability of 0.5. Others: the share of other claims that are not. Balanced: the mean of both. "
            "AUROC: of the probability of supported. Three-way: the share of right verdicts, where a set has "
            "three labels. Tokens: those that the verdict model reads for a claim. A dash: no claim.",
        )
        if not good:
            return Report(tables=(table,))
        chances = [row["supported"] for row in good]
        labels = [row["label"] == "supported" for row in good]
        error = calibration_error(chances, labels)
        plot = Plot(
            title="Reliability of the probability of supported",
            kind="reliability",
            x="stated probability",
            y="share that is supported",
            series=(Series(name="all sets", points=tuple(reliability(chances, labels))),),
        )
        findings = (
            _agreement(table, good),
            f"The expected calibration error over {counted(len(good), 'claim')} is {error:.3f}.",
        )
        return Report(tables=(table, _overall(table, good)), plots=(plot,), findings=findings)


def _agreement(table: Table, rows: Sequence[Row]) -> str:
    """Return how many verdicts agree with people's, and on which sets most and fewest."""
    text = f"{share_text(percent_cell([float(row['right']) for row in rows]))} claims are judged right"
    by_set = {
        row.name: cell.value
        for row in table.rows
        if isinstance(cell := row.cells[2], Cell) and cell.value is not None
    }
    if len(by_set) > 1:
        low, high = min(by_set, key=lambda name: by_set[name]), max(by_set, key=lambda name: by_set[name])
        text += (
            f"; the balanced accuracy is {mean(list(by_set.values())):.1f} on average over "
            f"{len(by_set)} sets, from {by_set[low]:.1f} ({low}) to {by_set[high]:.1f} ({high})"
        )
    return f"{text}."


def _overall(table: Table, rows: Sequence[Row]) -> Table:
    """Return the mean of the sets' balanced accuracies, and the accuracy over all claims."""
    balanced = [cell.value for row in table.rows if isinstance(cell := row.cells[2], Cell)]
    known = [value for value in balanced if value is not None]
    return Table(
        title="All sets",
        corner="",
        columns=("mean of the balanced accuracies", "supported or not, of all claims"),
        rows=(
            TableRow(
                name=f"{len(table.rows)} sets",
                cells=(
                    Cell(value=mean(known) if known else None, n=len(rows)),
                    percent_cell([float(row["right"]) for row in rows]),
                ),
            ),
        ),
    )


def _cells(rows: Sequence[Row]) -> tuple[Cell | str, ...]:
    supported = [row for row in rows if row["label"] == "supported"]
    others = [row for row in rows if row["label"] != "supported"]
    shares = [percent_cell([float(row["right"]) for row in group]) for group in (supported, others)]
    both = [share.value for share in shares if share.value is not None]
    three = [float(row["verdict"] == row["label"]) for row in rows]
    return (
        *shares,
        Cell(value=mean(both) if len(both) == 2 else None, n=len(rows)),
        _auroc([row["supported"] for row in supported], [row["supported"] for row in others]),
        "-" if any(row["binary"] for row in rows) else percent_cell(three),
        mean_cell([row["tokens"] for row in rows]),
    )


def _auroc(high: Sequence[float], low: Sequence[float]) -> Cell:
    if not high or not low:
        return Cell(value=None, n=len(high) + len(low))
    interval = auroc_interval(high, low)
    return Cell(value=auroc(high, low), low=interval.low, high=interval.high, n=len(high) + len(low))
