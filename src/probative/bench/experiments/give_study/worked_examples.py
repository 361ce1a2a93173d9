"""Figure 5: accuracy by the number of worked examples in the prompt."""

from __future__ import annotations

from collections.abc import Sequence

from probative.bench.experiment import Settings
from probative.bench.experiments.give_study.arms import Arm, give_arm, names_in
from probative.bench.experiments.give_study.cells import (
    STAGES,
    Line,
    accuracy,
    accuracy_table,
    set_columns,
)
from probative.bench.experiments.give_study.study import SET_NAMES, GiveStudy, fields_of
from probative.bench.report import Plot, Report, Series
from probative.bench.rows import Row

YES_NO_COUNTS = (0, 1, 2, 3, 4, 5)
CHOICE_COUNTS = (0, 1, 3, 5, 7, 10)
COUNTS = {
    "pubmedqa": YES_NO_COUNTS,
    "bioasq": YES_NO_COUNTS,
    "processbank": CHOICE_COUNTS,
    "csqa": CHOICE_COUNTS,
}


class WorkedExamples(GiveStudy):
    """Accuracy by the number of examples: 0 to 5 for yes-no questions, 0 to 10 for choices. The option
    "counts" names other numbers.
    """

    name = "give-examples"
    title = "How many worked examples does give need?"
    shown_as = "figure 5"
    data = ("pubmedqa", "bioasq", "processbank", "umls", "commonsenseqa", "conceptnet")
    questions = 50

    def arms(self, set_name: str, settings: Settings) -> Sequence[Arm]:
        return [
            give_arm(settings, arm_name(count), examples=count) for count in counts_of(set_name, settings)
        ]

    def report(self, rows: Sequence[Row], settings: Settings) -> Report:
        rows = [fields_of(row) for row in rows]
        sets = self.sets_in(settings)
        counts = sorted({count for name in sets for count in counts_of(name, settings)})
        table = accuracy_table(
            "GIVE by the number of worked examples",
            [
                Line(f"{name}, {arm_name(count)}", arm_name(count), stage)
                for stage, name in STAGES.items()
                for count in counts
            ],
            set_columns(sets),
            rows,
            {},
            "The paper shows curves without figures: most of the gain comes with the first example. The "
            "examples are the first of Probative's own.",
        )
        return Report(tables=(table,), plots=(count_plot(rows, sets, settings),))


def counts_of(set_name: str, settings: Settings) -> list[int]:
    """Return the numbers of examples for a set."""
    counts = settings.option("counts", None)
    return list(COUNTS[set_name]) if counts is None else [int(count) for count in names_in(counts)]


def arm_name(count: int) -> str:
    """Return the name of an arm.

    >>> arm_name(1), arm_name(3)
    ('1 example', '3 examples')
    """
    return f"{count} example{'' if count == 1 else 's'}"


def count_plot(rows: Sequence[Row], sets: Sequence[str], settings: Settings) -> Plot:
    """Return the accuracy of the last answer over the number of examples, a line for each set."""
    series = []
    for name in sets:
        points = []
        for count in counts_of(name, settings):
            cell = accuracy(
                [row for row in rows if (row.get("set"), row.get("arm")) == (name, arm_name(count))]
            )
            if cell.value is not None:
                points.append((float(count), cell.value))
        series.append(Series(name=SET_NAMES[name], points=tuple(points)))
    return Plot(
        title="GIVE a+c+e by the number of worked examples",
        kind="lines",
        x="worked examples",
        y="accuracy, %",
        series=tuple(series),
    )
