"""Table 5: give with connections only within groups, only between groups, and both."""

from __future__ import annotations

from collections.abc import Sequence

from probative.bench.experiment import Settings
from probative.bench.experiments.give_study.arms import Arm, give_arm
from probative.bench.experiments.give_study.cells import Line, accuracy_table, set_columns
from probative.bench.experiments.give_study.study import GiveStudy, fields_of
from probative.bench.report import Report
from probative.bench.rows import Row

ARMS = {"Inner-group only": "inner", "Inter-group only": "inter", "Inner and inter group": "both"}
# GPT3.5-turbo, 100 questions of each set.
PUBLISHED = {
    "Inner-group only": {"pubmedqa": 14.0, "bioasq": 50.0, "processbank": 70.0, "csqa": 66.0},
    "Inter-group only": {"pubmedqa": 52.0, "bioasq": 84.0, "processbank": 70.0, "csqa": 74.0},
    "Inner and inter group": {"pubmedqa": 56.0, "bioasq": 88.0, "processbank": 76.0, "csqa": 76.0},
}


class Connections(GiveStudy):
    """Accuracy of the last answer by the kind of connections."""

    name = "give-connections"
    title = "What do the connections within and between groups contribute?"
    shown_as = "table 5"
    data = ("pubmedqa", "bioasq", "processbank", "umls", "commonsenseqa", "conceptnet")
    questions = 100

    def arms(self, set_name: str, settings: Settings) -> Sequence[Arm]:
        return [give_arm(settings, name, connections=kind) for name, kind in ARMS.items()]

    def report(self, rows: Sequence[Row], settings: Settings) -> Report:
        rows = [fields_of(row) for row in rows]
        sets = self.sets_in(settings)
        table = accuracy_table(
            "Connections within and between groups",
            [Line(name, name) for name in ARMS],
            set_columns(sets),
            rows,
            {line: [figures[name] for name in sets] for line, figures in PUBLISHED.items()},
            "The answer a+c+e. Published: GPT3.5-turbo, 100 questions of each set.",
        )
        return Report(tables=(table,))
