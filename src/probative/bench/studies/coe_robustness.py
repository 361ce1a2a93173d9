"""Robustness (table 4): accuracy with CoE and Non-CoE among misinformation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from probative.bench.families.coe.sample import Sample, find_wrong
from probative.bench.families.coe.study import ContextStudy
from probative.bench.families.coe.trials import (
    MISINFORMATION,
    misinformation_of,
    robustness_by,
    robustness_trials,
)
from probative.bench.published import ByContext
from probative.bench.rows import Row
from probative.bench.study import Case, Lab, Settings
from probative.errors import InputError


class CoeRobustness(ContextStudy):
    """Accuracy with 0, 25, 50 and 75% of misinformation. The option `misinformation` names one of
    `MISINFORMATION`, or "all" for a table of each.
    """

    name = "coe-robustness"
    title = "Does a chain of evidence help the model against misinformation?"
    paper_reference = "table 4"
    study = "robustness"
    calls_per_case = 36.0

    def check_options(self, settings: Settings) -> None:
        super().check_options(settings)
        kinds_of(settings)

    def trials(self, case: Case, lab: Lab, sample: Sample) -> Row:
        wrong = find_wrong(lab, case, sample)
        if wrong.left_out is not None:
            return {"left_out": wrong.left_out}
        texts = misinformation_of(lab, sample, wrong)
        asked = {kind: texts[kind] for kind in kinds_of(lab.settings)}
        if missing := [kind for kind, own in asked.items() if not own]:
            return {"wrong": wrong.answer, "left_out": f"no misinformation by {', '.join(missing)}"}
        trials = robustness_trials(lab, case, sample, asked)
        return {"wrong": wrong.answer, "misinformation": texts, "trials": trials}

    def published(self, name: str, settings: Settings) -> Mapping[str, ByContext]:
        mixed = super().published(name, settings)
        return {robustness_by(kind): mixed.get(robustness_by(kind), {}) for kind in kinds_of(settings)}


def kinds_of(settings: Settings) -> Sequence[str]:
    """Return the kinds of misinformation that the user asked for; raises InputError."""
    kind = str(settings.option("misinformation", "mixed"))
    if kind not in (*MISINFORMATION, "all"):
        raise InputError(
            f"there is no misinformation {kind!r}", hint=f"use one of {', '.join(MISINFORMATION)}, or all"
        )
    return MISINFORMATION if kind == "all" else (kind,)
