"""Figure 5: accuracy by the number of worked examples in the prompt."""

from __future__ import annotations

from collections.abc import Sequence

from probative.bench.families.graph_questions import Arm, give_arm, numbers_in
from probative.bench.families.graph_tables import StageStudy, count_plot
from probative.bench.report import Report
from probative.bench.rows import Row
from probative.bench.study import Settings

YES_NO_COUNTS = (0, 1, 2, 3, 4, 5)
CHOICE_COUNTS = (0, 1, 3, 5, 7, 10)


class GiveExamples(StageStudy):
    """Accuracy by the number of examples: 0 to 5 for yes-no questions, 0 to 10 for choices. The option
    "counts" names other numbers.
    """

    name = "give-examples"
    options = ("counts",)
    title = "How many worked examples does give need?"
    paper_reference = "figure 5"
    questions = 50
    table_title = "GIVE by the number of worked examples"
    note = (
        "The paper shows curves without figures: most of the gain comes with the first example. The examples "
        "are the first of Probative's own."
    )

    def arms_for(self, set_name: str, settings: Settings) -> Sequence[Arm]:
        return [give_arm(settings, arm_name(n), examples=n) for n in counts_of(set_name, settings)]

    def arm_names(self, sets: Sequence[str], settings: Settings) -> list[str]:
        return [arm_name(n) for n in sorted({n for name in sets for n in counts_of(name, settings)})]

    def report(self, rows: Sequence[Row], settings: Settings) -> Report:
        by_set = {name: counts_of(name, settings) for name in self.sets_in(settings)}
        plot = count_plot(rows, "worked examples", "the number of worked examples", by_set, arm_name)
        return super().report(rows, settings).model_copy(update={"plots": (plot,)})


def counts_of(set_name: str, settings: Settings) -> list[int]:
    """Return the numbers of examples for a set."""
    default = YES_NO_COUNTS if set_name in ("pubmedqa", "bioasq") else CHOICE_COUNTS
    return numbers_in(settings, "counts", default)


def arm_name(count: int) -> str:
    """Return the name of an arm.

    >>> arm_name(1), arm_name(3)
    ('1 example', '3 examples')
    """
    return f"{count} example{'' if count == 1 else 's'}"
