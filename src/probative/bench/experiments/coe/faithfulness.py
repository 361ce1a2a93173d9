"""Faithfulness (table 3): how often the model follows evidence that supports a wrong answer."""

from __future__ import annotations

from collections.abc import Mapping

from probative.bench.experiment import Case, Lab, Settings
from probative.bench.experiments.coe.figures import Published, by_share, published_model
from probative.bench.experiments.coe.sample import Sample, Wrong, find_wrong
from probative.bench.experiments.coe.study import ShareStudy, irrelevant_for
from probative.bench.experiments.coe.trials import arms_of, run_arms
from probative.bench.published import COE
from probative.bench.rows import Row


class Faithfulness(ShareStudy):
    """Following rate: the share of answers that agree with the wrong answer of the context."""

    name = "coe-faithfulness"
    title = "Does the model follow a chain of evidence whose answer is wrong?"
    paper_reference = "table 3"
    figure = "following rate"
    calls_per_case = 36.0

    def study(self, case: Case, lab: Lab, sample: Sample) -> Row:
        wrong = find_wrong(lab, case, sample)
        if wrong.left_out is not None:
            return {"left_out": wrong.left_out}
        return {"wrong": wrong.answer, "trials": faithfulness_trials(lab, case, sample, wrong)}

    def layouts(self, name: str, settings: Settings) -> Mapping[str, Published]:
        return {"faithfulness": by_share(COE.faithfulness[published_model(settings)][name])}


def faithfulness_trials(lab: Lab, case: Case, sample: Sample, wrong: Wrong) -> list[Row]:
    """Return the trials of the wrong contexts; "right" is an answer that follows the context."""
    arms = arms_of("faithfulness", wrong.contexts, irrelevant_for(lab, sample))
    return run_arms(lab, case, sample.candidate.question, (wrong.answer,), arms)
