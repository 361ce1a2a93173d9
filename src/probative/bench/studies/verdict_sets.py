"""The verdict model on published sets of claims, through `judge`, as a user gets it."""

from __future__ import annotations

from collections.abc import Iterator

from probative.bench.data.claims import VerdictRow, read_verdict_rows
from probative.bench.data.files import spread
from probative.bench.findings import counted, share_text
from probative.bench.metrics import calibration_error, mean, reliability
from probative.bench.report import Cell
from probative.bench.rows import Row, Rows, groups_by, row_has
from probative.bench.statistics import percent_cell
from probative.bench.study import Case, Lab, Settings, Study
from probative.bench.tables import Metric, Results, TableSpec, average, plot, share, told_apart

# Claims of each set, unless --limit says otherwise.
CLAIMS = 40
NOTE = (
    "Supported: the share of supported claims that are judged so, in percent, at a probability of 0.5. "
    "Others: the share of other claims that are not. Balanced: the mean of both. AUROC: of the probability "
    "of supported. Three-way: the share of right verdicts, where a set has three labels. Tokens: those that "
    "the verdict model reads for a claim. A dash: no claim."
)


_is_true = row_has(label="supported")


def _balanced(rows: Rows) -> Cell:
    shares = [[float(row["right"]) for row in rows if _is_true(row) is true] for true in (True, False)]
    return Cell(value=100 * mean(list(map(mean, shares))) if all(shares) else None, n=len(rows))


_three_way = share(lambda row: row["verdict"] == row["label"])
METRICS: dict[str, Metric] = {
    "supported": share("right", of=_is_true),
    "others": share("right", of=lambda row: not _is_true(row)),
    "balanced": _balanced,
    "AUROC": told_apart("supported", _is_true),
    "three-way": lambda rows: "-" if any(row["binary"] for row in rows) else _three_way(rows),
    "tokens": average("tokens"),
}


def _by_set(rows: Rows) -> dict[str, float]:
    """Return the balanced accuracy of each set that has one."""
    cells = {name: _balanced(group).value for name, group in sorted(groups_by(rows, "set"))}
    return {name: value for name, value in cells.items() if value is not None}


def _mean_balanced(rows: Rows) -> Cell:
    balanced = list(_by_set(rows).values())
    return Cell(value=mean(balanced) if balanced else None, n=len(rows))


def _chances(rows: Rows) -> tuple[list[float], list[bool]]:
    return [row["supported"] for row in rows], [_is_true(row) for row in rows]


def _agreement(results: Results) -> Iterator[str]:
    """Yield how many verdicts agree with people's, on which sets most and fewest, and the calibration."""
    rows = results.rows
    if not rows:
        return
    text = f"{share_text(percent_cell([float(row['right']) for row in rows]))} claims are judged right"
    by_set = _by_set(rows)
    if len(by_set) > 1:
        low, high = min(by_set, key=by_set.__getitem__), max(by_set, key=by_set.__getitem__)
        text += (
            f"; the balanced accuracy is {mean(list(by_set.values())):.1f} on average over "
            f"{len(by_set)} sets, from {by_set[low]:.1f} ({low}) to {by_set[high]:.1f} ({high})"
        )
    yield f"{text}."
    error = calibration_error(*_chances(rows))
    yield f"The expected calibration error over {counted(len(rows), 'claim')} is {error:.3f}."


class VerdictSets(Study):
    """Balanced accuracy of supported against the rest, AUROC and calibration, for each set of claims."""

    name = "verdict-sets"
    title = "Are claims judged supported, contradicted or insufficient as people judged them?"
    paper_reference = "results, verdicts"
    limit_of = "claims of each set"
    data = ("verdict",)
    options = ()
    verbs = frozenset({"judge"})
    calls_per_case = 0.0
    tables = (
        TableSpec("Verdicts by set", "set", METRICS, lambda rows: sorted(groups_by(rows, "set")), note=NOTE),
        TableSpec(
            "All sets",
            "",
            {
                "mean of the balanced accuracies": _mean_balanced,
                "supported or not, of all claims": share("right"),
            },
            lambda rows: [(f"{len({row['set'] for row in rows})} sets", rows)],
            where=lambda row: True,
        ),
    )
    plots = (
        plot(
            "Reliability of the probability of supported",
            "reliability",
            "stated probability",
            "share that is supported",
            lambda results: {"all sets": reliability(*_chances(results.rows))} if results.rows else {},
        ),
    )
    findings = (_agreement,)

    def cases(self, settings: Settings) -> list[Case]:
        """Return `limit` rows of each set (40 without a limit), evenly spread; the limit is a set's."""
        self.check_options(settings)
        sets: dict[str, list[VerdictRow]] = {}
        for row in read_verdict_rows(settings.data):
            sets.setdefault(row.set, []).append(row)
        return [
            Case(f"{name}/{number}", row, name)
            for name, rows in sets.items()
            for number, row in enumerate(spread(rows, settings.limit or CLAIMS), 1)
        ]

    def answer(self, case: Case, lab: Lab) -> Row:
        row: VerdictRow = case.content
        judged = lab.session.judge(row.claim, row.evidence)
        return {
            "label": row.label,
            "binary": row.binary,
            "verdict": judged.verdict.value,
            "supported": judged.probabilities.supported,
            "right": (judged.probabilities.supported >= 0.5) == (row.label == "supported"),
            "tokens": judged.usage.prompt_tokens,
        }
