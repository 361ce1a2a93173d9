"""Tables of the experiment `corpus-questions`, made from its rows."""

from __future__ import annotations

from collections.abc import Sequence

from probative.bench.experiments.ours.shares import groups_by
from probative.bench.metrics import wilson_interval
from probative.bench.report import Cell, Table, TableRow
from probative.bench.rows import Row, finished_rows
from probative.bench.statistics import mean_cell, percent_cell

OUTCOMES = ("right", "wrong and supported", "one side", "insufficient", "contradicted")
COSTS = ("calls", "tokens", "seconds")


def question_table(rows: Sequence[Row], method: str) -> Table:
    """Return evidence and outcomes of a method, for all questions and by kind."""
    own = [row for row in rows if row["method"] == method]
    return Table(
        title=f"Questions over the corpus, {method}",
        corner="questions, %",
        columns=("gold at 10", "gold in chain", "found", *OUTCOMES, "supported and right"),
        rows=tuple(
            TableRow(name=name, cells=_cells(group))
            for name, group in [("all", own), *groups_by(own, "kind")]
        ),
        note='"found" is of the questions that have an answer, "supported and right" of the answers marked '
        "supported. Where no document answers, giving no supported answer is right; where documents "
        "contradict one another, the verdict contradicted with both sides is right, and "
        '"one side" is an answer by the better source alone.',
    )


def _cells(rows: Sequence[Row]) -> tuple[Cell, ...]:
    with_gold = [row for row in rows if row["has_gold"]]
    supported = [row for row in rows if row["verdict"] == "supported"]
    return (
        percent_cell([float(row["retrieved"]) for row in with_gold]),
        percent_cell([float(row["in_chain"]) for row in with_gold]),
        percent_cell([float(row["found"]) for row in rows if row["accepted"]]),
        *(percent_cell([float(row["outcome"] == outcome) for row in rows]) for outcome in OUTCOMES),
        percent_cell([float(row["found"]) for row in supported]),
    )


def cost_table(rows: Sequence[Row]) -> Table:
    """Return what a question costs with each method."""
    return Table(
        title="Cost of a question",
        corner="method",
        columns=COSTS,
        rows=tuple(
            TableRow(
                name=method,
                cells=tuple(mean_cell([row[cost] for row in finished_rows(own)]) for cost in COSTS),
            )
            for method, own in groups_by(rows, "method")
        ),
    )


def believed(rows: Sequence[Row], method: str) -> str:
    """Return a sentence on what is right with a method, and on what is wrong and would be believed."""
    own = [row for row in rows if row["method"] == method]
    right = sum(row["outcome"] == "right" for row in own)
    supported = [row for row in own if row["verdict"] == "supported"]
    wrong = sum(not row["found"] for row in supported)
    low, high = wilson_interval(wrong, len(own))
    return (
        f"{method}: {right} of {len(own)} outcomes are right; {len(supported)} answers are marked supported, "
        f"{wrong} of them {'is' if wrong == 1 else 'are'} wrong ({low:.1f} to {high:.1f}% of all questions)."
    )
