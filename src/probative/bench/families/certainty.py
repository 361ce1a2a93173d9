"""How far a stated certainty can be believed: risk against coverage, calibration, and each signal.

Rows have `certainty`, `right` and `signals`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from probative.bench.metrics import calibration_error
from probative.bench.report import Cell
from probative.bench.rows import Groups, Row, Rows, groups_by, is_finished
from probative.bench.statistics import percent_cell
from probative.bench.tables import Metric, Results, average, score, share, told_apart
from probative.scope.checks import Signals


def judged_right(row: Row) -> bool:
    """Return whether the answer of a row is right."""
    # None is a reply of the judge that was neither yes nor no: it counts as wrong.
    return row["right"] is True


def chances(rows: Rows) -> tuple[list[float], list[bool]]:
    """Return the certainties of rows, and whether their answers are right."""
    return [float(row["certainty"]) for row in rows], [judged_right(row) for row in rows]


def calibration(rows: Rows) -> Cell:
    """Return the expected calibration error of the certainty."""
    return Cell(value=calibration_error(*chances(rows)), n=len(rows))


def risk(percent: int) -> Metric:
    """Return the share of wrong answers among the surest ones."""

    def metric(rows: Rows) -> Cell:
        ranked = sorted(rows, key=lambda row: -float(row["certainty"]))
        surest = ranked[: max(1, round(len(ranked) * percent / 100))]
        return percent_cell([float(not judged_right(row)) for row in surest])

    return metric


def by_signal(rows: Rows) -> Groups:
    """Yield the value of each signal, where it is known, with whether the answer is right."""
    known = [(Signals.from_dict(row["signals"]), row["right"]) for row in rows if row["signals"]]
    for name in (*Signals.model_fields, "same_answer", "any_answer"):
        values = [(getattr(signals, name), right) for signals, right in known]
        if own := [{"value": value, "right": right} for value, right in values if value is not None]:
            yield name, own


def curves(curve: Callable[[list[float], list[bool]], Any]) -> Callable[[Results], dict[str, Any]]:
    """Return a curve of the certainty for each data set."""
    return lambda results: {name: curve(*chances(own)) for name, own in groups_by(results.rows, "set")}


# The shares of the questions, in percent, whose risk the table gives.
COVERAGES = (20, 40, 60, 80, 100)
METRICS: dict[str, Metric] = {
    "EM": share("em"),
    "F1": score("f1"),
    "right": share(judged_right),
    "supported": share("supported"),
    "right of these": share(judged_right, of="supported"),
    "wrong and supported": share(lambda row: row["supported"] and not judged_right(row)),
    "AUROC of the certainty": told_apart(lambda row: float(row["certainty"]), judged_right),
    "calibration error": calibration,
    "calls": average("calls", of=is_finished),
    "tokens": average("tokens", of=is_finished),
}
