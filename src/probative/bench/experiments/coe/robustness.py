"""Robustness (table 4): accuracy with CoE and Non-CoE among misinformation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain, zip_longest

from probative.bench.experiment import Case, Lab, Settings
from probative.bench.experiments.coe.figures import Published, by_share, published_model
from probative.bench.experiments.coe.mentions import mentions, replace_mentions
from probative.bench.experiments.coe.sample import Sample, Wrong, find_wrong, open_builder
from probative.bench.experiments.coe.study import ShareStudy
from probative.bench.experiments.coe.trials import Arm, arms_of, run_arms
from probative.bench.published import COE
from probative.bench.rows import Row
from probative.errors import InputError

KINDS = ("mixed", "replacement", "generation")
"""How misinformation is made: sentences of the evidence with the wrong answer in place of the right one,
sentences that the judge model writes, or both in turn, as in the paper."""


class Robustness(ShareStudy):
    """Accuracy with 0, 25, 50 and 75% of misinformation. The option `misinformation` names one of `KINDS`, or
    "all" for a table of each.
    """

    name = "coe-robustness"
    title = "Does a chain of evidence help the model against misinformation?"
    paper_reference = "table 4"
    calls_per_case = 36.0

    def cases(self, settings: Settings) -> Sequence[Case]:
        kinds_of(settings)  # a wrong option ends the run before it asks anything
        return super().cases(settings)

    def study(self, case: Case, lab: Lab, sample: Sample) -> Row:
        wrong = find_wrong(lab, case, sample)
        if wrong.left_out is not None:
            return {"left_out": wrong.left_out}
        texts = misinformation_of(lab, sample, wrong)
        kinds = kinds_of(lab.settings)
        if missing := [kind for kind in kinds if not texts[kind]]:
            return {"wrong": wrong.answer, "left_out": f"no misinformation by {', '.join(missing)}"}
        arms = [arm for kind in kinds for arm in robustness_arms(sample, texts[kind], kind)]
        trials = run_arms(lab, case, sample.candidate.question, sample.candidate.accepted, arms)
        return {"wrong": wrong.answer, "misinformation": texts, "trials": trials}

    def layouts(self, name: str, settings: Settings) -> Mapping[str, Published]:
        published = by_share(COE.robustness[published_model(settings)][name])
        return {study_name(kind): published if kind == "mixed" else {} for kind in kinds_of(settings)}


def kinds_of(settings: Settings) -> Sequence[str]:
    """Return the kinds of misinformation that the user asked for; raises InputError."""
    kind = str(settings.option("misinformation", "mixed"))
    if kind == "all":
        return KINDS
    if kind not in KINDS:
        raise InputError(
            f"there is no misinformation {kind!r}", hint=f"use one of {', '.join(KINDS)}, or all"
        )
    return (kind,)


def study_name(kind: str) -> str:
    """Return the name of the study in trials and tables."""
    return "robustness" if kind == "mixed" else f"robustness by {kind}"


def misinformation_of(lab: Lab, sample: Sample, wrong: Wrong) -> dict[str, list[str]]:
    """Return the misinformation for a sample, by kind."""
    answer = sample.candidate.accepted
    naming = [piece for piece in sample.candidate.pieces if mentions(answer, piece)]
    replaced = list(replace_mentions(answer, wrong.answer, naming))
    written = open_builder(lab, sample.candidate).misinformation(sample.candidate, wrong.answer)
    mixed = [text for text in chain.from_iterable(zip_longest(replaced, written)) if text is not None]
    return {"mixed": mixed, "replacement": replaced, "generation": written}


def robustness_arms(sample: Sample, texts: Sequence[str], kind: str = "mixed") -> list[Arm]:
    """Return the arms of every context of a sample among misinformation."""
    return arms_of(study_name(kind), sample.contexts, texts)
