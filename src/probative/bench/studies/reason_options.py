"""The shipped default of `reason` with one option changed at a time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from probative.bench.families.graph_costs import as_shipped, cost_table
from probative.bench.families.graph_questions import BIOMEDICAL, Arm, give_arm
from probative.bench.families.graph_tables import StageStudy
from probative.bench.report import Report
from probative.bench.rows import Row
from probative.bench.study import Names, Settings

DEFAULT = "as shipped"
CHANGES: dict[str, dict[str, Any]] = {
    "without facts": {"facts": False},
    "scored by the model": {"veracity": "scored"},
    "asked of the model": {"veracity": "asked"},
    "asked 20 in a call": {"veracity": "asked", "batch": 20},
    "no intermediate group": {"intermediate": False},
    "no open relations": {"open_relations": False},
    "summarised first": {"summarise": True},
}
"""The options that each line changes."""
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
