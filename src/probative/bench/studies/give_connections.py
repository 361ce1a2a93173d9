"""Table 5: give with connections only within groups, only between groups, and both."""

from __future__ import annotations

from probative.bench.data.graph_qa import SET_NAMES
from probative.bench.families.graph_questions import GraphStudy
from probative.bench.families.graph_tables import accuracy_table, accuracy_tests
from probative.bench.findings import compared
from probative.bench.published import GIVE
from probative.bench.statistics import each_against

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
    tables = (
        accuracy_table(
            "Connections within and between groups",
            {
                line: {SET_NAMES[name]: figure for name, figure in row.items()}
                for line, row in GIVE.connections.items()
            },
            "The answer a+c+e. Published: GPT3.5-turbo, 100 questions of each set.",
        ),
    )
    tests = (accuracy_tests(each_against(ARMS, "Inner and inter group")),)
    findings = (compared("accuracy"),)
