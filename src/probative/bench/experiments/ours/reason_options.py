"""One option of `reason` changed at a time. GIVE's study has the options that its paper varies."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from probative.bench.experiment import Settings
from probative.bench.experiments.give_study.arms import Arm, give_arm, names_in
from probative.bench.experiments.give_study.cells import (
    STAGES,
    Line,
    accuracy_table,
    compared,
    set_columns,
)
from probative.bench.experiments.give_study.study import BIOMEDICAL, SET_NAMES, GiveStudy
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
        tables = [
            accuracy_table(
                f"{name} with one option changed",
                [Line(arm, arm, stage) for arm in arms],
                set_columns(sets),
                rows,
                {},
            )
            for stage, name in STAGES.items()
        ]
        return Report(
            tables=(*tables, cost_table(rows, sets, arms)), findings=tuple(_findings(rows, sets, arms[1:]))
        )


def changes_in(settings: Settings) -> list[str]:
    """Return the changes that the option "changes" names, or all; raises `InputError` for an unknown one."""
    names = names_in(settings.option("changes", tuple(CHANGES)))
    for name in names:
        if name not in CHANGES:
            raise InputError(f"there is no change {name!r}", hint=f"use some of: {', '.join(CHANGES)}")
    return names


def _findings(rows: Sequence[Row], sets: Sequence[str], changes: Sequence[str]) -> list[str]:
    default = Line(DEFAULT, DEFAULT)
    sentences = [
        compared([row for row in rows if row.get("set") == name], default, Line(arm, arm), SET_NAMES[name])
        for name in sets
        for arm in changes
    ]
    return [sentence for sentence in sentences if sentence]
