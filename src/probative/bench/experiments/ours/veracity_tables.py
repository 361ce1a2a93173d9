"""Tables and the plot of the experiment `veracity`, made from its rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from probative.bench.metrics import auroc, auroc_interval, mean, wilson_interval
from probative.bench.report import Cell, Plot, Series, Table, TableRow
from probative.bench.rows import Row
from probative.bench.statistics import mean_cell, percent_cell
from probative.give.scored import FAILS, HOLDS

WEIGHTS = tuple(number / 10 for number in range(21))
"""The weights of the model's score that are tried."""
Scores = tuple[Sequence[float], Sequence[float]]
"""The scores of true triples, and of the false ones in the same order."""


def known_table(rows: Sequence[Row]) -> Table:
    """Return how well a model, asked and by its scores, tells the triples of each graph and part apart."""
    groups = dict.fromkeys((row["graph"], row["part"]) for row in rows)
    return Table(
        title="True and corrupted triples",
        corner="graph, corrupted part",
        columns=(
            "asked: AUROC",
            "asked: says yes",
            "scored: AUROC",
            "true of those that hold",
            "false of those that fail",
            "maybe",
            "tokens asked",
            "tokens scored",
        ),
        rows=tuple(
            TableRow(
                name=", ".join(group),
                cells=_known_cells([row for row in rows if (row["graph"], row["part"]) == group]),
            )
            for group in groups
        ),
        note=f"A triple holds from a score of {HOLDS:g} on and fails below {FAILS:g}.",
    )


def _known_cells(rows: Sequence[Row]) -> tuple[Cell, ...]:
    holds = [row for row in rows if row["scored"] >= HOLDS]
    fails = [row for row in rows if row["scored"] < FAILS]
    return (
        _auroc(rows, "asked"),
        percent_cell([float(row["says_yes"]) for row in rows]),
        _auroc(rows, "scored"),
        percent_cell([float(row["true"]) for row in holds]),
        percent_cell([float(not row["true"]) for row in fails]),
        percent_cell([float(FAILS <= row["scored"] < HOLDS) for row in rows]),
        mean_cell([row["tokens_asked"] for row in rows]),
        mean_cell([row["tokens_scored"] for row in rows]),
    )


def _auroc(rows: Sequence[Row], field: str) -> Cell:
    high, low = ([row[field] for row in rows if row["true"] is wanted] for wanted in (True, False))
    return auroc_cell((high, low))


def auroc_cell(scores: Scores) -> Cell:
    """Return the AUROC of true against false triples with its interval."""
    high, low = scores
    if not high or not low:
        return Cell(value=None, n=len(high) + len(low))
    return Cell(value=auroc(high, low), **auroc_interval(high, low)._asdict(), n=len(high) + len(low))


def learned_table(rows: Sequence[Row]) -> Table:
    """Return how well the learned veracity tells all hidden triples from false ones."""
    return Table(
        title="Veracity learned from the graph, on hidden triples",
        corner="graph, a tenth hidden of, replaced part",
        columns=(
            "hidden triples",
            "AUROC",
            "true of those that hold",
            "false of those that fail",
            "maybe",
            "calibration error",
        ),
        rows=tuple(
            TableRow(name=f"{row['graph']}, {row['hidden']}, {part}", cells=_learned_cells(figures))
            for row in rows
            for part, figures in row["parts"].items()
        ),
        note="The scorer learns from the rest of the graph and does not know which triples are hidden. "
        "ConceptNet is between its 3,000 most connected entities.",
    )


def _learned_cells(figures: Row) -> tuple[Cell | str, ...]:
    if not figures["n"]:
        return ("0", *[Cell(value=None)] * 5)
    value, low, high = figures["auroc"]
    return (
        f"{figures['n']:,}",
        Cell(value=value, low=low, high=high),
        *(_share(*figures[name]) for name in ("holds", "fails", "maybe")),
        Cell(value=figures["calibration_error"]),
    )


def _share(hits: int, count: int) -> Cell:
    if not count:
        return Cell(value=None, n=0)
    low, high = wilson_interval(hits, count)
    return Cell(value=100 * hits / count, low=low, high=high, n=count)


class Combined(NamedTuple):
    """The AUROC of the learned score alone and of both, and the weights of the model's score."""

    learned: float
    both: float
    weights: tuple[float, float]


def combined(learned: Scores, model: Scores) -> Combined:
    """Return the AUROC of the learned score plus a weight times the model's. The weight is fitted on one half
    of the pairs and measured on the other, and the reverse; the figures are means over both halves.

    >>> combined(([2, 0, 2, 0], [1, 1, 1, 1]), ([0, 9, 0, 9], [0, 0, 0, 0])).both
    1.0
    """
    half = len(learned[0]) // 2
    halves = (slice(0, half), slice(half, None))

    def with_weight(weight: float, part: slice) -> float:
        sums = (
            [a + weight * b for a, b in zip(own[part], other[part], strict=True)]
            for own, other in zip(learned, model, strict=True)
        )
        return auroc(*sums)

    weights = tuple(max(WEIGHTS, key=lambda weight: with_weight(weight, part)) for part in halves)
    both = [with_weight(weights[0], halves[1]), with_weight(weights[1], halves[0])]
    alone = [with_weight(0.0, part) for part in halves]
    return Combined(mean(alone), mean(both), (weights[0], weights[1]))


def combined_table(learned: Sequence[Row], hidden: Sequence[Row]) -> Table:
    """Return the model's score, the learned one, and their weighted sum on the same hidden triples."""
    body = []
    for row in learned:
        for part, figures in row["parts"].items():
            name = f"{row['graph']}, {row['hidden']}, {part}"
            model = _model_scores(hidden, row["graph"], row["hidden"], part)
            body.append(TableRow(name=name, cells=_combined_cells(figures, model)))
    return Table(
        title="The model, the learned veracity, and both, on the same hidden triples",
        corner="graph, a tenth hidden of, replaced part",
        columns=("model: AUROC", "learned: AUROC", "both: AUROC", "weights of the model"),
        rows=tuple(body),
        note="The weight is fitted on one half of the triples and measured on the other, and the reverse.",
    )


def _model_scores(rows: Sequence[Row], graph: str, hidden: str, part: str) -> dict[tuple[int, bool], float]:
    """Return the model's scores by the number of the pair and whether it is the true one."""
    return {
        (row["number"], row["true"]): row["scored"]
        for row in rows
        if (row["graph"], row["hidden"], row["part"]) == (graph, hidden, part)
    }


def _combined_cells(figures: Row, scores: dict[tuple[int, bool], float]) -> tuple[Cell | str, ...]:
    """Return the cells over the pairs of which both triples were scored."""
    numbers = [
        number
        for number in range(len(figures["true"]))
        if (number, True) in scores and (number, False) in scores
    ]
    if len(numbers) < 2:
        return (Cell(value=None), Cell(value=None), Cell(value=None), "-")
    learned = tuple([figures[label][number] for number in numbers] for label in ("true", "false"))
    model = tuple([scores[number, label] for number in numbers] for label in (True, False))
    found = combined((learned[0], learned[1]), (model[0], model[1]))
    n = 2 * len(numbers)
    return (
        auroc_cell((model[0], model[1])),
        Cell(value=found.learned, n=n),
        Cell(value=found.both, n=n),
        ", ".join(f"{weight:.1f}" for weight in found.weights),
    )


def reliability_plot(rows: Sequence[Row]) -> Plot:
    """Return the share of true triples against the stated probability."""
    return Plot(
        title="Reliability of the learned veracity",
        kind="reliability",
        x="stated probability",
        y="share of true triples",
        series=tuple(
            Series(
                name=f"{row['graph']}, {row['hidden']} hidden",
                points=tuple((float(x), float(y)) for x, y in row["reliability"]),
            )
            for row in rows
        ),
    )
