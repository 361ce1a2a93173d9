"""The shipped default of `reason` against the baselines, on four sets of questions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from probative.bench.data.graph_qa import GRAPHS
from probative.bench.experiment import Settings
from probative.bench.experiments.give_study.arms import METHOD_NAMES, Arm, method_arms
from probative.bench.experiments.give_study.biomedical import findings
from probative.bench.experiments.give_study.cells import (
    STAGES,
    accuracy_table,
    method_lines,
    set_columns,
)
from probative.bench.experiments.give_study.compared import paired_accuracy, stage_finding
from probative.bench.experiments.give_study.study import GiveStudy
from probative.bench.experiments.ours.reason_tables import accuracy_plot, cost_table, verdict_table
from probative.bench.report import Report
from probative.bench.rows import Row
from probative.bench.significance import first_against

# Think-on-Graph and GraphRAG make many calls: they run only if the option "methods" names them.
METHODS = ("direct", "cot", "rag", "give")
ANSWERING = "chosen"


def as_shipped(settings: Settings) -> Settings:
    """Return the settings with the defaults of this experiment: the preset that `reason` takes for the model,
    and answers chosen by probability for every method. A model that cannot choose writes them.
    """
    return replace(settings, options={"preset": None, "answering": ANSWERING, **(settings.options or {})})


class Reason(GiveStudy):
    """Accuracy, verdicts and cost of `reason` as it is shipped, and of the baselines with the same model.

    The options of GIVE's study work here too: "sets", "methods", "preset", "answering" and those of give.
    """

    name = "reason"
    title = "Does reason, as it is shipped, answer better than the same model without the method?"
    paper = "ours"
    shown_as = "results, answers from a graph"
    questions = 100
    calls_per_case = 40.0

    def arms(self, set_name: str, settings: Settings) -> Sequence[Arm]:
        shipped = as_shipped(settings)
        options = {"methods": ",".join(METHODS), **(shipped.options or {})}
        arms = method_arms(replace(shipped, options=options), tuple(METHOD_NAMES))
        if GRAPHS[set_name] == "conceptnet":
            # GraphRAG summarises the whole graph; the paper leaves it out too.
            return [arm for arm in arms if arm.name != METHOD_NAMES["graphrag"]]
        return arms

    def shown(self, rows: Sequence[Row], sets: Sequence[str], settings: Settings) -> Report:
        arms = list(dict.fromkeys(arm.name for name in sets for arm in self.arms(name, settings)))
        lines, columns = method_lines(arms), set_columns(sets)
        table = accuracy_table("Questions answered from a graph", lines, columns, rows, {})
        pairs = first_against(STAGES["ace"], [line.name for line in lines])
        tests = paired_accuracy(lines, columns, rows, pairs)
        return Report(
            tables=(
                table,
                verdict_table(rows, sets),
                cost_table(rows, sets, arms),
                *tests,
            ),
            plots=(accuracy_plot(table),),
            findings=(stage_finding(tests), *findings(rows, arms, sets)),
        )
