"""Effectiveness (table 2): accuracy with CoE and Non-CoE among irrelevant text."""

from __future__ import annotations

from collections.abc import Mapping

from probative.bench.experiment import Case, Lab, Settings
from probative.bench.experiments.coe.figures import Published, by_share, published_model
from probative.bench.experiments.coe.sample import Sample
from probative.bench.experiments.coe.study import ShareStudy, irrelevant_for
from probative.bench.experiments.coe.trials import arms_of, run_arms
from probative.bench.published import COE
from probative.bench.rows import Row


class Noise(ShareStudy):
    """Accuracy with 0, 25, 50 and 75% of irrelevant text, by characters."""

    name = "coe-noise"
    title = "Does a chain of evidence help the model more than incomplete evidence, among irrelevant text?"
    paper_reference = "table 2"
    calls_per_case = 36.0

    def study(self, case: Case, lab: Lab, sample: Sample) -> Row:
        return {"trials": effectiveness_trials(lab, case, sample)}

    def layouts(self, name: str, settings: Settings) -> Mapping[str, Published]:
        return {"effectiveness": by_share(COE.effectiveness[published_model(settings)][name])}


def effectiveness_trials(lab: Lab, case: Case, sample: Sample) -> list[Row]:
    """Return the trials of every context of a sample among irrelevant text."""
    arms = arms_of("effectiveness", sample.contexts, irrelevant_for(lab, sample))
    return run_arms(lab, case, sample.candidate.question, sample.candidate.accepted, arms)
