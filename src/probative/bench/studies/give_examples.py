"""Figure 5: accuracy by the number of worked examples in the prompt."""

from __future__ import annotations

from collections.abc import Sequence

from probative.bench.families.graph_questions import Arm, StageStudy, give_arm, numbers_in
from probative.bench.families.graph_tables import Lines, accuracy_table, count_lines, stage_lines
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
    tables = (
        accuracy_table(
            "GIVE by the number of worked examples",
            note="The paper shows curves without figures: most of the gain comes with the first example. The "
            "examples are the first of Probative's own.",
        ),
    )
    plots = (count_lines("worked examples", "the number of worked examples"),)

    def arms_for(self, set_name: str, settings: Settings) -> Sequence[Arm]:
        default = YES_NO_COUNTS if set_name in ("pubmedqa", "bioasq") else CHOICE_COUNTS
        counts = numbers_in(settings, "counts", default)
        return [give_arm(settings, f"{n} example{'' if n == 1 else 's'}", examples=n) for n in counts]

    def lines(self, arms: Sequence[str]) -> Lines:
        """Return the lines in the order of the numbers, which differ from set to set."""
        return stage_lines(sorted(arms, key=lambda arm: int(arm.split()[0])))
