"""Table 5: give with connections only within groups, only between groups, and both."""

from __future__ import annotations

from collections.abc import Sequence

from probative.bench.experiment import Settings
from probative.bench.experiments.give_study.figures import Line, accuracy_table, paired_accuracy, set_columns
from probative.bench.experiments.give_study.study import Arm, GiveStudy, give_arm
from probative.bench.findings import difference_finding
from probative.bench.published import GIVE
from probative.bench.report import Report
from probative.bench.rows import Row
from probative.bench.statistics import each_against

ARMS = {"Inner-group only": "inner", "Inter-group only": "inter", "Inner and inter group": "both"}


class Connections(GiveStudy):
    """Accuracy of the last answer by the kind of connections."""

    name = "give-connections"
    title = "What do the connections within and between groups contribute?"
    paper_reference = "table 5"
    questions = 100

    def arms(self, set_name: str, settings: Settings) -> Sequence[Arm]:
        return [give_arm(settings, name, connections=kind) for name, kind in ARMS.items()]

    def shown(self, rows: Sequence[Row], sets: Sequence[str], settings: Settings) -> Report:
        lines = [Line(name, name) for name in ARMS]
        table = accuracy_table(
            "Connections within and between groups",
            lines,
            set_columns(sets),
            rows,
            {line: [figures[name] for name in sets] for line, figures in GIVE.connections.items()},
            "The answer a+c+e. Published: GPT3.5-turbo, 100 questions of each set.",
        )
        *parts, both = ARMS
        tests = paired_accuracy(lines, set_columns(sets), rows, each_against(parts, both))
        return Report(tables=(table, *tests), findings=(difference_finding(tests, "accuracy"),))
