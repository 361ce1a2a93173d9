"""Single-hop questions (table 7): the three studies on RGB."""

from __future__ import annotations

from collections.abc import Mapping

from probative.bench.experiment import Case, Lab, Settings
from probative.bench.experiments.coe.ablation import all_studies
from probative.bench.experiments.coe.candidates import RGB
from probative.bench.experiments.coe.figures import Published, by_share
from probative.bench.experiments.coe.sample import Sample
from probative.bench.experiments.coe.study import ShareStudy
from probative.bench.published import COE
from probative.bench.rows import Row


class SingleHop(ShareStudy):
    """Effectiveness, faithfulness and robustness where one sentence can hold the whole answer."""

    name = "coe-single-hop"
    title = "Do the findings hold where one sentence can hold the whole answer?"
    paper_reference = "table 7"
    data = (RGB,)
    sets = (RGB,)
    figure = "rate"
    calls_per_case = 108.0

    def study(self, case: Case, lab: Lab, sample: Sample) -> Row:
        return all_studies(lab, case, sample)

    def layouts(self, name: str, settings: Settings) -> Mapping[str, Published]:
        return {study: by_share(figures) for study, figures in COE.single_hop.items()}
