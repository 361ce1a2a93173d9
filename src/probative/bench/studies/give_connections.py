"""Table 5: give with connections only within groups, only between groups, and both."""

from __future__ import annotations

from collections.abc import Sequence

from probative.bench.families.graph_questions import GraphStudy
from probative.bench.families.graph_tables import Comparison, last_lines, set_columns
from probative.bench.findings import difference_finding
from probative.bench.published import GIVE
from probative.bench.report import Report
from probative.bench.rows import Row
from probative.bench.statistics import each_against
from probative.bench.study import Settings

ARMS = {
    "Inner-group only": {"connections": "inner"},
    "Inter-group only": {"connections": "inter"},
    "Inner and inter group": {"connections": "both"},
}


class GiveConnections(GraphStudy):
    """Accuracy of the last answer by the kind of connections."""

    name = "give-connections"
    title = "What do the connections within and between groups contribute?"
    paper_reference = "table 5"
    questions = 100
    changes = ARMS

    def report(self, rows: Sequence[Row], settings: Settings) -> Report:
        sets = self.sets_in(settings)
        compared = Comparison(rows, last_lines(self.changes), set_columns(sets))
        table = compared.table(
            "Connections within and between groups",
            {line: [figures[name] for name in sets] for line, figures in GIVE.connections.items()},
            "The answer a+c+e. Published: GPT3.5-turbo, 100 questions of each set.",
        )
        tests = compared.tests(each_against(self.changes, "Inner and inter group"))
        return Report(tables=(table, *tests), findings=(difference_finding(tests, "accuracy"),))
