"""Single-hop questions (table 7): the three studies on RGB."""

from __future__ import annotations

from probative.bench.families.coe.study import ThreeStudies
from probative.bench.published import COE


class CoeSingleHop(ThreeStudies):
    """Effectiveness, faithfulness and robustness where one sentence can hold the whole answer."""

    name = "coe-single-hop"
    title = "Do the findings hold where one sentence can hold the whole answer?"
    paper_reference = "table 7"
    data = drawn_from = ("rgb",)
    figures = COE.single_hop
    calls_per_case = 108.0
