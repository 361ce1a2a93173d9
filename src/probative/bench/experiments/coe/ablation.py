"""Ablation (table 6): effectiveness, faithfulness and robustness without nodes, relations or intent."""

from __future__ import annotations

from collections.abc import Mapping

from probative.bench.experiment import Case, Lab, Settings
from probative.bench.experiments.coe.faithfulness import faithfulness_trials
from probative.bench.experiments.coe.figures import Published, by_share
from probative.bench.experiments.coe.noise import effectiveness_trials
from probative.bench.experiments.coe.robustness import misinformation_of, robustness_arms
from probative.bench.experiments.coe.sample import Sample, find_wrong
from probative.bench.experiments.coe.study import ShareStudy
from probative.bench.experiments.coe.trials import run_arms
from probative.bench.published import COE
from probative.bench.rows import Row


class Ablation(ShareStudy):
    """The three studies on HotpotQA with WordP, ERP and IntentP beside CoE."""

    name = "coe-ablation"
    title = "Which feature of a chain of evidence matters most: nodes, relations or intent?"
    paper_reference = "table 6"
    data = ("hotpotqa",)
    sets = ("hotpotqa",)
    needs_judge = True
    contexts = ("CoE", "WordP", "ERP", "IntentP")
    figure = "rate"
    calls_per_case = 144.0

    def study(self, case: Case, lab: Lab, sample: Sample) -> Row:
        return all_studies(lab, case, sample)

    def layouts(self, name: str, settings: Settings) -> Mapping[str, Published]:
        return {study: by_share(figures) for study, figures in COE.ablation.items()}


def all_studies(lab: Lab, case: Case, sample: Sample) -> Row:
    """Return the trials of all three studies; without a wrong answer, of effectiveness alone."""
    trials = effectiveness_trials(lab, case, sample)
    wrong = find_wrong(lab, case, sample)
    if wrong.left_out is not None:
        return {"trials": trials, "only_effectiveness": wrong.left_out}
    trials += faithfulness_trials(lab, case, sample, wrong)
    texts = misinformation_of(lab, sample, wrong)["mixed"]
    if texts:
        arms = robustness_arms(sample, texts)
        trials += run_arms(lab, case, sample.candidate.question, sample.candidate.accepted, arms)
    return {"trials": trials, "wrong": wrong.answer, "misinformation": texts}
