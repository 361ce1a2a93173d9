"""Table 6: the knowledge in the prompt as triples or as text."""

from __future__ import annotations

from collections.abc import Sequence

from probative.bench.experiment import Settings
from probative.bench.experiments.give_study.figures import StageStudy
from probative.bench.experiments.give_study.study import Arm, give_arm
from probative.bench.published import GIVE


class Shapes(StageStudy):
    """Accuracy of each stage by the form of the knowledge."""

    name = "give-shapes"
    title = "Does a model read knowledge better as triples or as text?"
    paper_reference = "table 6"
    questions = 50
    table_title = "Knowledge as triples or as text"
    published = GIVE.shapes

    def arms(self, set_name: str, settings: Settings) -> Sequence[Arm]:
        return [give_arm(settings, shape, shape=shape) for shape in ("triples", "text")]
