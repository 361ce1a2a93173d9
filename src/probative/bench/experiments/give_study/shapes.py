"""Table 6: the knowledge in the prompt as triples or as text."""

from __future__ import annotations

from collections.abc import Sequence

from probative.bench.experiment import Settings
from probative.bench.experiments.give_study.arms import Arm, give_arm
from probative.bench.experiments.give_study.cells import STAGES, Line, accuracy_table, set_columns
from probative.bench.experiments.give_study.study import ALL_SETS, GiveStudy, fields_of
from probative.bench.report import Report
from probative.bench.rows import Row

ARMS = {"triples": "triples", "text": "text"}
# GPT3.5-turbo, 50 questions of each set. Most figures of this table cannot be read in our text of the paper.
PUBLISHED: dict[str, tuple[float | None, ...]] = {
    "GIVE a+c, text": (54.0, 84.0, None, None),
    "GIVE a+c+e, triples": (52.0, 88.0, 70.0, 76.0),
    "GIVE a+c+e, text": (54.0, None, None, None),
}


class Shapes(GiveStudy):
    """Accuracy of each stage by the form of the knowledge."""

    name = "give-shapes"
    title = "Does a model read knowledge better as triples or as text?"
    shown_as = "table 6"
    data = ("pubmedqa", "bioasq", "processbank", "umls", "commonsenseqa", "conceptnet")
    questions = 50

    def arms(self, set_name: str, settings: Settings) -> Sequence[Arm]:
        return [give_arm(settings, name, shape=shape) for name, shape in ARMS.items()]

    def report(self, rows: Sequence[Row], settings: Settings) -> Report:
        rows = [fields_of(row) for row in rows]
        sets = self.sets_in(settings)
        lines = [Line(f"{name}, {arm}", arm, stage) for stage, name in STAGES.items() for arm in ARMS]
        table = accuracy_table(
            "Knowledge as triples or as text",
            lines,
            set_columns(sets),
            rows,
            {line: [figures[ALL_SETS.index(name)] for name in sets] for line, figures in PUBLISHED.items()},
            "Published: GPT3.5-turbo, 50 questions of each set; figures that our text of the paper does not "
            "show are left out.",
        )
        return Report(tables=(table,))
