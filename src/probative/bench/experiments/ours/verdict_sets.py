"""The verdict model on published sets of claims, through `judge`, as a user gets it."""

from __future__ import annotations

from collections.abc import Sequence

from probative.bench.data.claims import VerdictRow, read_verdict_rows
from probative.bench.data.files import spread
from probative.bench.experiment import Case, Lab, Settings
from probative.bench.findings import counted, share_text
from probative.bench.metrics import calibration_error, mean, reliability
from probative.bench.report import Cell, Plot, Report, Series, Table
from probative.bench.rows import Row, finished_rows
from probative.bench.statistics import percent_cell
from probative.bench.study import Study
from probative.bench.tables import (
    Metric,
    Rows,
    auroc_cell,
    average,
    build_table,
    groups_by,
    known_cells,
    share,
)

# Claims of each set, unless --limit says otherwise.
CLAIMS = 40


def _is_true(row: Row) -> bool:
    return bool(row["label"] == "supported")


def _balanced(rows: Rows) -> Cell:
    shares = [
        percent_cell([float(row["right"]) for row in rows if _is_true(row) is true]).value
        for true in (True, False)
    ]
    both = [value for value in shares if value is not None]
    return Cell(value=mean(both) if len(both) == 2 else None, n=len(rows))


def _told_apart(rows: Rows) -> Cell:
    return auroc_cell(
        *([row["supported"] for row in rows if _is_true(row) is true] for true in (True, False))
    )


_three_way = share(lambda row: row["verdict"] == row["label"])
METRICS: dict[str, Metric] = {
    "supported": share("right", of=_is_true),
    "others": share("right", of=lambda row: not _is_true(row)),
    "balanced": _balanced,
    "AUROC": _told_apart,
    "three-way": lambda rows: "-" if any(row["binary"] for row in rows) else _three_way(rows),
    "tokens": average("tokens"),
}


class VerdictSets(Study):
    """Balanced accuracy of supported against the rest, AUROC and calibration, for each set of claims."""

    name = "verdict-sets"
    title = "Are claims judged supported, contradicted or insufficient as people judged them?"
    shown_as = "results, verdicts"
    limit_of = "claims of each set"
    data = ("verdict",)
    verbs = frozenset({"judge"})
    calls_per_case = 0.0
    options = ()

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

    def answer(self, case: Case, lab: Lab) -> Row:
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
        good = finished_rows(rows)
        note = (
            "Supported: the share of supported claims that are judged so, in percent, at a "
            "probability of 0.5. Others: the share of other claims that are not. Balanced: the mean of both. "
            "AUROC: of the probability of supported. Three-way: the share of right verdicts, where a set has "
            "three labels. Tokens: those that the verdict model reads for a claim. A dash: no claim."
        )
        table = build_table("Verdicts by set", "set", METRICS, sorted(groups_by(good, "set")), note)
        if not good:
            return Report(tables=(table,))
        chances, labels = [row["supported"] for row in good], [_is_true(row) for row in good]
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


def _agreement(table: Table, rows: Rows) -> str:
    """Return how many verdicts agree with people's, and on which sets most and fewest."""
    text = f"{share_text(percent_cell([float(row['right']) for row in rows]))} claims are judged right"
    by_set = {name: cell.value or 0.0 for name, (cell,) in known_cells(table, "balanced")}
    if len(by_set) > 1:
        low, high = min(by_set, key=lambda name: by_set[name]), max(by_set, key=lambda name: by_set[name])
        text += (
            f"; the balanced accuracy is {mean(list(by_set.values())):.1f} on average over "
            f"{len(by_set)} sets, from {by_set[low]:.1f} ({low}) to {by_set[high]:.1f} ({high})"
        )
    return f"{text}."


def _overall(table: Table, rows: Rows) -> Table:
    """Return the mean of the sets' balanced accuracies, and the accuracy over all claims."""
    balanced = [cell.value or 0.0 for _, (cell,) in known_cells(table, "balanced")]
    metrics: dict[str, Metric] = {
        "mean of the balanced accuracies": lambda own: Cell(
            value=mean(balanced) if balanced else None, n=len(own)
        ),
        "supported or not, of all claims": share("right"),
    }
    return build_table("All sets", "", metrics, [(f"{len(table.rows)} sets", rows)])
