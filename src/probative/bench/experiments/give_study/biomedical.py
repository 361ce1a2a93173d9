"""Table 3: give against five baselines on biomedical questions, with a graph of 135 entities."""

from __future__ import annotations

from collections.abc import Sequence

from probative.bench.experiment import Settings
from probative.bench.experiments.give_study.arms import METHOD_NAMES, Arm, method_arms
from probative.bench.experiments.give_study.cells import (
    STAGES,
    Line,
    accuracy_table,
    method_lines,
    right_finding,
    set_columns,
)
from probative.bench.experiments.give_study.compared import paired_accuracy, stage_finding
from probative.bench.experiments.give_study.study import BIOMEDICAL, SET_NAMES, GiveStudy
from probative.bench.published import GIVE
from probative.bench.report import Report
from probative.bench.rows import Row
from probative.bench.significance import first_against
from probative.errors import InputError


class Biomedical(GiveStudy):
    """Accuracy of each method on each set. The option "beside" names the model whose published figures stand
    beside ours.
    """

    name = "give-biomedical"
    own_options = ("beside",)
    title = "Does give answer biomedical questions better than the baselines, from a graph of 135 entities?"
    shown_as = "table 3"
    data = ("pubmedqa", "bioasq", "processbank", "umls")
    sets = BIOMEDICAL

    def arms(self, set_name: str, settings: Settings) -> Sequence[Arm]:
        return method_arms(settings, tuple(METHOD_NAMES))

    def shown(self, rows: Sequence[Row], sets: Sequence[str], settings: Settings) -> Report:
        model = beside(settings)
        published = {
            line: tuple(figures[BIOMEDICAL.index(name)] for name in sets)
            for line, figures in GIVE.biomedical[model].items()
        }
        arms = [arm.name for arm in self.arms(sets[0], settings)]
        table = accuracy_table(
            "Biomedical questions with UMLS",
            method_lines(arms),
            set_columns(sets),
            rows,
            published,
            f"Published: {model}, all questions of the sets.",
        )
        lines = method_lines(arms)
        pairs = first_against(STAGES["ace"], [line.name for line in lines])
        tests = paired_accuracy(lines, set_columns(sets), rows, pairs)
        return Report(tables=(table, *tests), findings=(stage_finding(tests), *findings(rows, arms, sets)))


def findings(rows: Sequence[Row], arms: Sequence[str], sets: Sequence[str]) -> list[str]:
    """Return a sentence for each set on the right answers of each method; of give the last answer counts."""
    lines = [Line(STAGES["ace"] if arm == "GIVE" else arm, arm) for arm in arms]
    sentences = [
        right_finding([row for row in rows if row.get("set") == name], lines, SET_NAMES[name])
        for name in sets
    ]
    return [sentence for sentence in sentences if sentence]


def beside(settings: Settings) -> str:
    """Return the model whose published figures are shown."""
    model = str(settings.option("beside", "GPT3.5-turbo"))
    if model not in GIVE.biomedical:
        raise InputError(
            f"the paper has no figures of {model!r} in table 3",
            hint=f"use one of {', '.join(GIVE.biomedical)}",
        )
    return model
