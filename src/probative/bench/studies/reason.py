"""The shipped default of `reason`: against the baselines, and with one option changed at a time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from probative.bench.data.graph_qa import GRAPHS
from probative.bench.families.arms import read_arms
from probative.bench.families.graph_costs import as_shipped, cost_table, verdict_table
from probative.bench.families.graph_questions import BIOMEDICAL, METHOD_NAMES, Arm, give_arm, method_arms
from probative.bench.families.graph_tables import MethodStudy, StageStudy, column_bars
from probative.bench.report import Report
from probative.bench.rows import Row
from probative.bench.study import Names, Settings

# Think-on-Graph and GraphRAG make many calls: they run only if the option "methods" names them.
METHODS = ("direct", "cot", "rag", "give")


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
    table_title = "Questions answered from a graph"

    def arms_for(self, set_name: str, settings: Settings) -> Sequence[Arm]:
        shipped = as_shipped(settings)
        options = {"methods": ",".join(METHODS), **(shipped.options or {})}
        arms = method_arms(replace(shipped, options=options), tuple(METHOD_NAMES))
        if GRAPHS[set_name] == "conceptnet":
            # GraphRAG summarises the whole graph; the paper leaves it out too.
            return [arm for arm in arms if arm.name != METHOD_NAMES["graphrag"]]
        return arms

    def report(self, rows: Sequence[Row], settings: Settings) -> Report:
        report, sets = super().report(rows, settings), self.sets_in(settings)
        table, *tests = report.tables
        costs = cost_table(rows, sets, self.arm_names(sets, settings))
        tables = (table, verdict_table(rows, sets), costs, *tests)
        return report.model_copy(update={"tables": tables, "plots": (column_bars(table, table.title),)})


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
    table_title = "One option changed"
    note = ""

    def arms_for(self, set_name: str, settings: Settings) -> Sequence[Arm]:
        shipped = as_shipped(settings)
        return [
            give_arm(shipped, DEFAULT),
            *(give_arm(shipped, name, **CHANGES[name]) for name in NAMES.chosen(settings)),
        ]

    def report(self, rows: Sequence[Row], settings: Settings) -> Report:
        report, sets = super().report(rows, settings), self.sets_in(settings)
        table, *tests = report.tables
        costs = cost_table(rows, sets, self.arm_names(sets, settings))
        return report.model_copy(update={"tables": (table, costs, *tests)})
