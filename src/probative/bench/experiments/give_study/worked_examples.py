"""Figure 5: accuracy by the number of worked examples in the prompt."""

from __future__ import annotations

from collections.abc import Sequence

from probative.bench.experiment import Settings
from probative.bench.experiments.give_study.arms import Arm, give_arm, names_in
from probative.bench.experiments.give_study.by_count import count_plot
from probative.bench.experiments.give_study.compared import stage_finding, stage_tables
from probative.bench.experiments.give_study.study import GiveStudy
from probative.bench.report import Report
from probative.bench.rows import Row

YES_NO_COUNTS = (0, 1, 2, 3, 4, 5)
CHOICE_COUNTS = (0, 1, 3, 5, 7, 10)
COUNTS = {
    "pubmedqa": YES_NO_COUNTS,
    "bioasq": YES_NO_COUNTS,
    "processbank": CHOICE_COUNTS,
    "csqa": CHOICE_COUNTS,
}
NOTE = (
    "The paper shows curves without figures: most of the gain comes with the first example. The examples are "
    "the first of Probative's own."
)


class WorkedExamples(GiveStudy):
    """Accuracy by the number of examples: 0 to 5 for yes-no questions, 0 to 10 for choices. The option
    "counts" names other numbers.
    """

    name = "give-examples"
    own_options = ("counts",)
    title = "How many worked examples does give need?"
    shown_as = "figure 5"
    questions = 50

    def arms(self, set_name: str, settings: Settings) -> Sequence[Arm]:
        return [
            give_arm(settings, arm_name(count), examples=count) for count in counts_of(set_name, settings)
        ]

    def shown(self, rows: Sequence[Row], sets: Sequence[str], settings: Settings) -> Report:
        counts = sorted({count for name in sets for count in counts_of(name, settings)})
        arms = [arm_name(count) for count in counts]
        tables = stage_tables("GIVE by the number of worked examples", arms, sets, rows, {}, NOTE)
        by_set = {name: counts_of(name, settings) for name in sets}
        plot = count_plot(rows, "worked examples", "the number of worked examples", by_set, arm_name)
        return Report(tables=tables, plots=(plot,), findings=(stage_finding(tables),))


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
