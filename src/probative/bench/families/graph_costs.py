"""What `reason` costs as it is shipped, and its right answers by verdict."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from probative.bench.families.graph_questions import SET_NAMES
from probative.bench.families.graph_tables import maybe_share, right
from probative.bench.metrics import mean
from probative.bench.report import Cell, Table, TableRow
from probative.bench.rows import Row
from probative.bench.statistics import percent_cell
from probative.bench.study import Settings
from probative.bench.tables import build_table, rows_of, share

VERDICTS = ("read", "extrapolated", "unknown")
"""Whether an answer was read from the graph's own edges, extrapolated, or neither."""


EMPTY = Cell(value=None)


# The means that a method without entity groups does not have come last.
_COSTS: dict[str, Callable[[Row], float]] = {
    "calls": lambda row: row["usage"]["calls"],
    "prompt tokens": lambda row: row["usage"]["prompt_tokens"],
    "completion tokens": lambda row: row["usage"]["completion_tokens"],
    "scored tokens": lambda row: row["usage"]["scored_tokens"],
    "words expert": lambda row: row["words"].get("expert", 0),
}


_GROUPED: dict[str, Callable[[Row], float]] = {
    "words affirmative": lambda row: row["words"].get("affirmative", 0),
    "words counterfactual": lambda row: row["words"].get("counterfactual", 0),
    "maybe, %": lambda row: 100 * maybe_share(row),
    "groups": lambda row: row["groups"],
    "candidate relations": lambda row: row["candidate_relations"],
    "intermediate group, %": lambda row: 100 * row["intermediate"],
}


ANSWERING = "chosen"


def verdict_table(rows: Sequence[Row], sets: Sequence[str]) -> Table:
    """Return the share of right answers of `reason` by verdict."""
    judged = rows_of(rows, arm="GIVE")
    return build_table(
        "Right answers of reason by verdict",
        "verdict, right in %",
        {SET_NAMES[name]: share(lambda row: right(row, "ace"), of=partial(_is_of, name)) for name in sets},
        [(verdict, rows_of(judged, verdict=verdict)) for verdict in VERDICTS],
    )


def _is_of(set_name: str, row: Row) -> bool:
    return bool(row["set"] == set_name)


def cost_table(rows: Sequence[Row], sets: Sequence[str], arms: Sequence[str]) -> Table:
    """Return the means of calls, tokens and knowledge for a question; a failed question is in no mean."""
    body = []
    for name in sets:
        for arm in arms:
            mine = [row for row in rows if (row.get("set"), row.get("arm")) == (name, arm)]
            if mine:
                body.append(TableRow(name=f"{SET_NAMES[name]}, {arm}", cells=_cost_cells(mine)))
    return Table(
        title="Cost and knowledge of a question",
        corner="set, method",
        columns=("unreadable, %", *_COSTS, *_GROUPED, "expert ratio"),
        rows=tuple(body),
        note="Means for a question. Calls include those of the encoder.",
    )


def _cost_cells(rows: Sequence[Row]) -> tuple[Cell, ...]:
    ran = [row for row in rows if row.get("error") is None]
    grouped = [row for row in ran if row["groups"]]
    ratios = [row["expert_ratio"] for row in grouped if row["expert_ratio"] is not None]
    return (
        percent_cell([float(row["answer"] is None) for row in ran]),
        *(_mean([value(row) for row in ran]) for value in _COSTS.values()),
        *(_mean([value(row) for row in ran]) if grouped else EMPTY for value in _GROUPED.values()),
        _mean(ratios),
    )


def _mean(values: Sequence[float]) -> Cell:
    """Return a mean without its interval: the table is wide."""
    return Cell(value=mean(values), n=len(values)) if values else EMPTY


def as_shipped(settings: Settings) -> Settings:
    """Return the settings with the defaults of this experiment: the preset that `reason` takes for the model,
    and answers chosen by probability for every method. A model that cannot choose writes them.
    """
    return replace(settings, options={"preset": None, "answering": ANSWERING, **(settings.options or {})})
