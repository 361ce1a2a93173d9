"""What `reason` costs as it is shipped, and its right answers by verdict."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from probative.bench.families.graph_questions import SET_NAMES
from probative.bench.families.graph_tables import maybe_share, right
from probative.bench.metrics import mean
from probative.bench.report import Cell, Table
from probative.bench.rows import Row, Rows, rows_of
from probative.bench.study import Settings
from probative.bench.tables import Metric, build_table, share

VERDICTS = ("read", "extrapolated", "unknown")
"""Whether an answer was read from the graph's own edges, extrapolated, or neither."""
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
    groups = [
        (f"{SET_NAMES[name]}, {arm}", [row for row in own if row.get("error") is None])
        for name in sets
        for arm in arms
        if (own := rows_of(rows, set=name, arm=arm))
    ]
    return build_table(
        "Cost and knowledge of a question",
        "set, method",
        {
            "unreadable, %": share(lambda row: row["answer"] is None),
            **{name: _mean(value) for name, value in _COSTS.items()},
            **{name: _mean(value, grouped=True) for name, value in _GROUPED.items()},
            "expert ratio": _mean(lambda row: row["expert_ratio"] if row["groups"] else None),
        },
        groups,
        "Means for a question. Calls include those of the encoder.",
    )


def _mean(value: Callable[[Row], float | None], *, grouped: bool = False) -> Metric:
    """Return the metric of a mean without its interval: the table is wide. With `grouped`, there is none
    where no row has entity groups.
    """

    def metric(rows: Rows) -> Cell:
        known = [figure for row in rows if (figure := value(row)) is not None]
        if not known or (grouped and not any(row["groups"] for row in rows)):
            return Cell(value=None)
        return Cell(value=mean(known), n=len(known))

    return metric


def as_shipped(settings: Settings) -> Settings:
    """Return the settings with the defaults of this experiment: the preset that `reason` takes for the model,
    and answers chosen by probability for every method. A model that cannot choose writes them.
    """
    return replace(settings, options={"preset": None, "answering": ANSWERING, **(settings.options or {})})
