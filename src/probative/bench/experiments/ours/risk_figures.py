"""Tables and plots of the experiment `risk-coverage`, made from its rows by data set."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from probative.bench.findings import auroc_text, share_text
from probative.bench.judging import undecided_note
from probative.bench.metrics import auroc, auroc_interval, calibration_error, reliability, risk_coverage
from probative.bench.report import Cell, Plot, Series, Table, TableRow
from probative.bench.rows import Row, finished_rows
from probative.bench.statistics import mean_cell, percent_cell, score_cell
from probative.scope.signals import Signals

# The shares of the questions, in percent, whose risk the table gives.
COVERAGES = (20, 40, 60, 80, 100)
COLUMNS = (
    "EM",
    "F1",
    "right",
    "supported",
    "right of these",
    "wrong and supported",
    "AUROC of the certainty",
    "calibration error",
    "calls",
    "tokens",
)
Sets = Mapping[str, Sequence[Row]]


def answers_table(sets: Sets) -> Table:
    """Return how many answers are right and supported, and how well the certainty tells right from wrong."""
    judged = [row["right"] for own in sets.values() for row in own if row["reply"]]
    return Table(
        title="Answers and their verdicts",
        corner="data set",
        columns=COLUMNS,
        rows=tuple(TableRow(name=name, cells=_figures(own)) for name, own in sets.items()),
        note=undecided_note(judged),
    )


def _figures(rows: Sequence[Row]) -> tuple[Cell, ...]:
    chances, right = _certainty(rows), _right(rows)
    supported = [bool(row["supported"]) for row in rows]
    both = list(zip(right, supported, strict=True))
    return (
        percent_cell([row["em"] for row in rows]),
        score_cell([row["f1"] for row in rows]),
        percent_cell([float(hit) for hit in right]),
        percent_cell([float(given) for given in supported]),
        percent_cell([float(hit) for hit, given in both if given]),
        percent_cell([float(given and not hit) for hit, given in both]),
        _auroc(chances, right),
        Cell(value=calibration_error(chances, right), n=len(rows)),
        mean_cell([row["calls"] for row in finished_rows(rows)]),
        mean_cell([row["tokens"] for row in finished_rows(rows)]),
    )


def risk_table(sets: Sets) -> Table:
    """Return the share of wrong answers among the surest ones."""
    return Table(
        title="Wrong answers among the surest",
        corner="data set",
        columns=tuple(f"surest {share}%" for share in COVERAGES),
        rows=tuple(TableRow(name=name, cells=_risks(own)) for name, own in sets.items()),
    )


def _risks(rows: Sequence[Row]) -> tuple[Cell, ...]:
    ranked = sorted(zip(_certainty(rows), _right(rows), strict=True), key=lambda pair: -pair[0])
    return tuple(
        percent_cell([float(not hit) for _, hit in ranked[: max(1, round(len(ranked) * share / 100))]])
        for share in COVERAGES
    )


def signal_table(rows: Sequence[Row]) -> Table:
    """Return how well each signal by itself tells right from wrong answers."""
    known = [(Signals.from_dict(row["signals"]), row["right"] is True) for row in rows if row["signals"]]
    lines = []
    for name in (*Signals.model_fields, "same_answer", "any_answer"):
        pairs = [(getattr(own, name), right) for own, right in known if getattr(own, name) is not None]
        if pairs:
            cell = _auroc([float(value) for value, _ in pairs], [right for _, right in pairs])
            lines.append(TableRow(name=name, cells=(cell, str(len(pairs)))))
    return Table(
        title="Each signal by itself", corner="signal", columns=("AUROC", "known"), rows=tuple(lines)
    )


def certainty_plots(sets: Sets) -> tuple[Plot, ...]:
    """Return the risk-coverage curve and the reliability of the certainty, a series for each data set."""
    pairs = {name: (_certainty(own), _right(own)) for name, own in sets.items()}
    return (
        Plot(
            title="Risk against coverage",
            kind="lines",
            x="share of questions answered, the surest first",
            y="share of these wrong",
            series=tuple(
                Series(name=name, points=tuple(risk_coverage(*pair))) for name, pair in pairs.items()
            ),
        ),
        Plot(
            title="Reliability of the certainty",
            kind="reliability",
            x="stated certainty",
            y="share right",
            series=tuple(Series(name=name, points=tuple(reliability(*pair))) for name, pair in pairs.items()),
        ),
    )


def certainty_findings(sets: Sets) -> Iterator[str]:
    """Yield how often supported and other answers are right, and how well the certainty ranks them."""
    for name, rows in sets.items():
        supported, others = (
            percent_cell([float(row["right"] is True) for row in rows if bool(row["supported"]) is wanted])
            for wanted in (True, False)
        )
        yield (
            f"{name}: {share_text(supported)} answers marked supported are right, and {share_text(others)} "
            "other answers."
        )
    for name, rows in sets.items():
        chances, right = _certainty(rows), _right(rows)
        surest = _risks(rows)[0]
        yield (
            f"{name}: the certainty tells right from wrong answers with "
            f"{auroc_text(_auroc(chances, right))}; "
            f"{share_text(surest)} surest answers are wrong; the calibration error is "
            f"{calibration_error(chances, right):.3f}."
        )


def _certainty(rows: Sequence[Row]) -> list[float]:
    return [float(row["certainty"]) for row in rows]


def _right(rows: Sequence[Row]) -> list[bool]:
    # None is a reply of the judge that was neither yes nor no: it counts as wrong.
    return [row["right"] is True for row in rows]


def _auroc(values: Sequence[float], right: Sequence[bool]) -> Cell:
    pairs = list(zip(values, right, strict=True))
    high, low = ([value for value, hit in pairs if hit is wanted] for wanted in (True, False))
    if not high or not low:
        return Cell(value=None, n=len(pairs))
    return Cell(value=auroc(high, low), **auroc_interval(high, low)._asdict(), n=len(pairs))
