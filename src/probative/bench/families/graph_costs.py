"""What `reason` costs as it is shipped, and its right answers by verdict."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from probative.bench.families.graph_tables import accuracy_in, columns_of, is_last
from probative.bench.metrics import mean
from probative.bench.report import Cell
from probative.bench.rows import Groups, Row, Rows, finished_rows, groups_by, rows_of
from probative.bench.study import Settings
from probative.bench.tables import Metric, TableSpec, share

ANSWERING = "chosen"


def usage_of(count: str) -> Callable[[Row], float]:
    """Return the function that takes a count of calls or tokens from a row."""
    return lambda row: float(row["usage"][count])


def words_of(knowledge: str) -> Callable[[Row], float]:
    """Return the function that takes the number of words of a kind of knowledge from a row."""
    return lambda row: float(row["words"].get(knowledge, 0))


def maybe_share(row: Row) -> float:
    """Return the share of all judged statements that were neither affirmed nor denied."""
    judged = row["triples"]["affirmative"] + row["triples"]["counterfactual"] + row["maybe"]
    return float(row["maybe"] / judged) if judged else 0.0


_COSTS = {
    **{
        count.replace("_", " "): usage_of(count)
        for count in ("calls", "prompt_tokens", "completion_tokens", "scored_tokens")
    },
    "words expert": words_of("expert"),
}
# The means that a method without entity groups does not have.
_GROUPED: dict[str, Callable[[Row], float]] = {
    "words affirmative": words_of("affirmative"),
    "words counterfactual": words_of("counterfactual"),
    "maybe, %": lambda row: 100 * maybe_share(row),
    "groups": lambda row: row["groups"],
    "candidate relations": lambda row: row["candidate_relations"],
    "intermediate group, %": lambda row: 100 * row["intermediate"],
}


VERDICT_TABLE = TableSpec(
    "Right answers of reason by verdict",
    "verdict, right in %",
    lambda rows: accuracy_in(columns_of(rows)),
    lambda rows: [
        (verdict, rows_of(rows, verdict=verdict)) for verdict in ("read", "extrapolated", "unknown")
    ],
    where=lambda row: row["arm"] == "GIVE" and is_last(row),
)
"""The right answers by whether one was read from the graph's own edges, extrapolated, or neither."""


def _mean(value: Callable[[Row], float | None], *, grouped: bool = False) -> Metric:
    """Return the metric of a mean without its interval: the table is wide. With `grouped`, there is none
    where no row has entity groups.
    """

    def metric(rows: Rows) -> Cell:
        figures = [figure for row in rows if (figure := value(row)) is not None]
        if not figures or (grouped and not any(row["groups"] for row in rows)):
            return Cell(value=None)
        return Cell(value=mean(figures), n=len(figures))

    return metric


def _sets_and_arms(rows: Rows) -> Groups:
    for column, some in groups_by(rows, "column"):
        for arm, answers in groups_by(some, "arm"):
            yield f"{column}, {arm}", finished_rows(answers)


COST_TABLE = TableSpec(
    "Cost and knowledge of a question",
    "set, method",
    {
        "unreadable, %": share(lambda row: row["answer"] is None),
        **{name: _mean(value) for name, value in _COSTS.items()},
        **{name: _mean(value, grouped=True) for name, value in _GROUPED.items()},
        "expert ratio": _mean(lambda row: row["expert_ratio"] if row["groups"] else None),
    },
    _sets_and_arms,
    where=is_last,
    note="Means for a question. Calls include those of the encoder.",
)


def as_shipped(settings: Settings) -> Settings:
    """Return the settings with the defaults of this experiment: the preset that `reason` takes for the model,
    and answers chosen by probability for every method. A model that cannot choose writes them.
    """
    return replace(settings, options={"preset": None, "answering": ANSWERING, **(settings.options or {})})
