"""Table 3: give against five baselines on biomedical questions, with a graph of 135 entities."""

from __future__ import annotations

from collections.abc import Sequence

from probative.bench.experiment import Settings
from probative.bench.experiments.give_study.figures import (
    MethodStudy,
    accuracy_table,
    set_columns,
    set_findings,
    stage_finding,
)
from probative.bench.experiments.give_study.study import BIOMEDICAL, METHOD_NAMES, Arm, method_arms
from probative.bench.published import GIVE
from probative.bench.report import Report
from probative.bench.rows import Row
from probative.errors import InputError


class Biomedical(MethodStudy):
    """Accuracy of each method on each set. The option "beside" names the model whose published figures stand
    beside ours.
    """

    name = "give-biomedical"
    own_options = ("beside",)
    title = "Does give answer biomedical questions better than the baselines, from a graph of 135 entities?"
    paper_reference = "table 3"
    data = ("pubmedqa", "bioasq", "processbank", "umls")
    sets = BIOMEDICAL

    def arms(self, set_name: str, settings: Settings) -> Sequence[Arm]:
        return method_arms(settings, tuple(METHOD_NAMES))

    def shown(self, rows: Sequence[Row], sets: Sequence[str], settings: Settings) -> Report:
        model, columns = beside(settings), set_columns(sets)
        published = {
            line: tuple(figures[BIOMEDICAL.index(name)] for name in sets)
            for line, figures in GIVE.biomedical[model].items()
        }
        arms = [arm.name for arm in self.arms(sets[0], settings)]
        lines, tests = self.compared(rows, arms, columns)
        note = f"Published: {model}, all questions of the sets."
        table = accuracy_table("Biomedical questions with UMLS", lines, columns, rows, published, note)
        findings = (stage_finding(tests), *set_findings(rows, arms, sets))
        return Report(tables=(table, *tests), findings=findings)


def beside(settings: Settings) -> str:
    """Return the model whose published figures are shown."""
    model = str(settings.option("beside", "GPT3.5-turbo"))
    if model not in GIVE.biomedical:
        raise InputError(
            f"the paper has no figures of {model!r} in table 3",
            hint=f"use one of {', '.join(GIVE.biomedical)}",
        )
    return model
