"""Faithfulness (table 3): how often the model follows evidence that supports a wrong answer."""

from __future__ import annotations

from probative.bench.families.coe.sample import Sample, find_wrong
from probative.bench.families.coe.study import ContextStudy
from probative.bench.families.coe.trials import faithfulness_trials
from probative.bench.rows import Row
from probative.bench.study import Case, Lab


class CoeFaithfulness(ContextStudy):
    """Following rate: the share of answers that agree with the wrong answer of the context."""

    name = "coe-faithfulness"
    title = "Does the model follow a chain of evidence whose answer is wrong?"
    paper_reference = "table 3"
    study = "faithfulness"
    figure = "following rate"
    calls_per_case = 36.0

    def trials(self, case: Case, lab: Lab, sample: Sample) -> Row:
        wrong = find_wrong(lab, case, sample)
        if wrong.left_out is not None:
            return {"left_out": wrong.left_out}
        return {"wrong": wrong.answer, "trials": faithfulness_trials(lab, case, sample, wrong)}
