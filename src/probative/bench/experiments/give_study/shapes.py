"""Table 6: the knowledge in the prompt as triples or as text."""

from __future__ import annotations

from collections.abc import Sequence

from probative.bench.experiment import Settings
from probative.bench.experiments.give_study.arms import Arm, give_arm
from probative.bench.experiments.give_study.compared import stage_finding, stage_tables
from probative.bench.experiments.give_study.study import GiveStudy
from probative.bench.published import GIVE
from probative.bench.report import Report
from probative.bench.rows import Row

SHAPES = ("triples", "text")


class Shapes(GiveStudy):
    """Accuracy of each stage by the form of the knowledge."""

    name = "give-shapes"
    title = "Does a model read knowledge better as triples or as text?"
    shown_as = "table 6"
    questions = 50

    def arms(self, set_name: str, settings: Settings) -> Sequence[Arm]:
        return [give_arm(settings, shape, shape=shape) for shape in SHAPES]

    def shown(self, rows: Sequence[Row], sets: Sequence[str], settings: Settings) -> Report:
        title = "Knowledge as triples or as text"
        tables = stage_tables(title, SHAPES, sets, rows, GIVE.shapes)
        return Report(tables=tables, findings=(stage_finding(tables),))
