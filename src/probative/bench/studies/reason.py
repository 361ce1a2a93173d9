"""The shipped default of `reason`: against the baselines, and with one option changed at a time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from probative.bench.data.graph_qa import GRAPHS
from probative.bench.families.arms import read_arms
from probative.bench.families.graph_costs import COST_TABLE, VERDICT_TABLE, as_shipped
from probative.bench.families.graph_questions import (
    BIOMEDICAL,
    METHOD_NAMES,
    Arm,
    MethodStudy,
    StageStudy,
    give_arm,
    method_arms,
)
from probative.bench.families.graph_tables import accuracy_table, column_bars
from probative.bench.study import Names, Settings

# Think-on-Graph and GraphRAG make many calls: they run only if the option "methods" names them.
METHODS = ("direct", "cot", "rag", "give")
TABLE = "Questions answered from a graph"


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
