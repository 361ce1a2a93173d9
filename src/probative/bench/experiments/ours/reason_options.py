"""One option of `reason` changed at a time. GIVE's study has the options that its paper varies."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from probative.bench.experiment import Settings
from probative.bench.experiments.give_study.arms import Arm, give_arm, names_in
from probative.bench.experiments.give_study.cells import accuracy_table, set_columns, stage_lines
from probative.bench.experiments.give_study.compared import paired_accuracy, stage_finding, stage_pairs
from probative.bench.experiments.give_study.study import BIOMEDICAL, GiveStudy
from probative.bench.experiments.ours.reason import as_shipped
from probative.bench.experiments.ours.reason_tables import cost_table
from probative.bench.report import Report
from probative.bench.rows import Row
from probative.errors import InputError

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


class ReasonOptions(GiveStudy):
    """Accuracy and cost of `reason` as it is shipped, and with one option changed.

    The option "changes" names some of the lines, with commas between them.
    """

    name = "reason-options"
    own_options = ("changes",)
    title = "Which parts of reason's shipped default matter?"
    paper = "ours"
    shown_as = "results, one thing changed at a time"
    data = ("pubmedqa", "bioasq", "processbank", "umls")
    sets = BIOMEDICAL
    questions = 50

    def arms(self, set_name: str, settings: Settings) -> Sequence[Arm]:
        shipped = as_shipped(settings)
        return [
            give_arm(shipped, DEFAULT),
            *(give_arm(shipped, name, **CHANGES[name]) for name in changes_in(settings)),
        ]

    def shown(self, rows: Sequence[Row], sets: Sequence[str], settings: Settings) -> Report:
        arms = [DEFAULT, *changes_in(settings)]
        lines, columns = stage_lines(arms), set_columns(sets)
        tests = paired_accuracy(lines, columns, rows, stage_pairs(arms, DEFAULT))
        return Report(
            tables=(
                accuracy_table("One option changed", lines, columns, rows, {}),
                cost_table(rows, sets, arms),
                *tests,
            ),
            findings=(stage_finding(tests),),
        )


def changes_in(settings: Settings) -> list[str]:
    """Return the changes that the option "changes" names, or all; raises `InputError` for an unknown one."""
    names = names_in(settings.option("changes", tuple(CHANGES)))
    for name in names:
        if name not in CHANGES:
            raise InputError(f"there is no change {name!r}", hint=f"use some of: {', '.join(CHANGES)}")
    return names
