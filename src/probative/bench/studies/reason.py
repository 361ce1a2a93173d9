"""The shipped default of `reason`: against the baselines, and with one option changed at a time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from probative.bench.data.graph_qa import GRAPHS
from probative.bench.families.arms import read_arms
from probative.bench.families.graph_questions import (
    BIOMEDICAL,
    METHOD_NAMES,
    Arm,
    MethodStudy,
    StageStudy,
    give_arm,
    method_arms,
)
from probative.bench.families.graph_tables import (
    accuracy_in,
    accuracy_table,
    column_bars,
    columns_of,
    is_last,
    usage_of,
    words_of,
)
from probative.bench.metrics import mean
from probative.bench.report import Cell
from probative.bench.rows import Groups, Row, Rows, finished_rows, groups_by, rows_of
from probative.bench.study import Names, Settings
from probative.bench.tables import Metric, TableSpec, share

# Think-on-Graph and GraphRAG make many calls: they run only if the option "methods" names them.
METHODS = ("direct", "cot", "rag", "give")
TABLE = "Questions answered from a graph"


def maybe_share(row: Row) -> float:
    """Return the share of all judged statements that were neither affirmed nor denied."""
    judged = row["triples"]["affirmative"] + row["triples"]["counterfactual"] + row["maybe"]
    return float(row["maybe"] / judged) if judged else 0.0


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
        "calls": _mean(usage_of("calls")),
        "prompt tokens": _mean(usage_of("prompt_tokens")),
        "completion tokens": _mean(usage_of("completion_tokens")),
        "scored tokens": _mean(usage_of("scored_tokens")),
        "words expert": _mean(words_of("expert")),
        "words affirmative": _mean(words_of("affirmative"), grouped=True),
        "words counterfactual": _mean(words_of("counterfactual"), grouped=True),
        "maybe, %": _mean(lambda row: 100 * maybe_share(row), grouped=True),
        "groups": _mean(lambda row: row["groups"], grouped=True),
        "candidate relations": _mean(lambda row: row["candidate_relations"], grouped=True),
        "intermediate group, %": _mean(lambda row: 100 * row["intermediate"], grouped=True),
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
    return replace(settings, options={"preset": None, "answering": "chosen", **(settings.options or {})})


class Reason(MethodStudy):
    """Accuracy, verdicts and cost of `reason` as it is shipped, and of the baselines with the same model.

    The options of GIVE's study work here too: "sets", "methods", "preset", "answering" and those of give.
    """

    name = "reason"
    title = "Does reason, as it is shipped, answer better than the same model without the method?"
    paper = "ours"
    paper_reference = "results, answers from a graph"
    questions = 100
    calls_per_case = 40.0
    tables = (accuracy_table(TABLE), VERDICT_TABLE, COST_TABLE)
    plots = (lambda results: [column_bars(results.tables[0], TABLE)],)

    def arms_for(self, set_name: str, settings: Settings) -> Sequence[Arm]:
        shipped = as_shipped(settings)
        options = {"methods": ",".join(METHODS), **(shipped.options or {})}
        arms = method_arms(replace(shipped, options=options), tuple(METHOD_NAMES))
        if GRAPHS[set_name] == "conceptnet":
            # GraphRAG summarises the whole graph; the paper leaves it out too.
            return [arm for arm in arms if arm.name != METHOD_NAMES["graphrag"]]
        return arms


DEFAULT = "as shipped"
CHANGES = read_arms("reason_options")["changes"]
NAMES = Names("changes", tuple(CHANGES), tuple(CHANGES))


class ReasonOptions(StageStudy):
    """Accuracy and cost of `reason` as it is shipped, and with one option changed.

    The option "changes" names some of the lines, with commas between them.
    """

    name = "reason-options"
    options = ("changes",)
    title = "Which parts of reason's shipped default matter?"
    paper = "ours"
    paper_reference = "results, one thing changed at a time"
    data = ("pubmedqa", "bioasq", "processbank", "umls")
    sets = BIOMEDICAL
    questions = 50
    tables = (accuracy_table("One option changed"), COST_TABLE)

    def arms_for(self, set_name: str, settings: Settings) -> Sequence[Arm]:
        shipped = as_shipped(settings)
        return [
            give_arm(shipped, DEFAULT),
            *(give_arm(shipped, name, **CHANGES[name]) for name in NAMES.chosen(settings)),
        ]
