"""Table 3: give against five baselines on biomedical questions, with a graph of 135 entities."""

from __future__ import annotations

from collections.abc import Sequence

from probative.bench.experiment import Settings
from probative.bench.experiments.give_study.arms import METHOD_NAMES, Arm, method_arms
from probative.bench.experiments.give_study.cells import (
    STAGES,
    Line,
    accuracy_table,
    compared,
    method_lines,
    set_columns,
)
from probative.bench.experiments.give_study.study import BIOMEDICAL, SET_NAMES, GiveStudy, fields_of
from probative.bench.report import Report
from probative.bench.rows import Row
from probative.errors import InputError

# PubMedQA, BioASQ and ProcessBank. The paper leaves GraphRAG out for Llama.
PUBLISHED: dict[str, dict[str, tuple[float | None, ...]]] = {
    "GPT3.5-turbo": {
        "I/O prompt": (46.2, 43.5, 67.3),
        "CoT": (48.6, 63.5, 70.9),
        "RAG": (13.4, 40.9, 67.3),
        "ToG": (17.6, 18.0, 66.8),
        "GraphRAG": (23.4, 10.3, 71.3),
        "GIVE a": (44.4, 82.6, 72.9),
        "GIVE a+c": (49.8, 86.1, 73.9),
        "GIVE a+c+e": (53.6, 88.2, 73.4),
    },
    "GPT4": {
        "I/O prompt": (42.2, 88.2, 64.8),
        "CoT": (37.8, 80.4, 59.3),
        "RAG": (26.4, 24.3, 78.9),
        "ToG": (19.1, 15.4, 81.4),
        "GraphRAG": (26.5, 11.2, 80.9),
        "GIVE a": (50.0, 90.0, 82.7),
        "GIVE a+c": (50.2, 80.6, 83.3),
        "GIVE a+c+e": (43.4, 87.8, 82.7),
    },
    "GPT4o-mini": {
        "I/O prompt": (23.4, 88.7, 79.4),
        "CoT": (23.8, 79.3, 81.4),
        "RAG": (15.2, 16.3, 84.9),
        "ToG": (21.8, 10.1, 84.4),
        "GraphRAG": (22.6, 10.1, 84.9),
        "GIVE a": (26.0, 89.5, 85.9),
        "GIVE a+c": (27.4, 81.9, 87.4),
        "GIVE a+c+e": (27.2, 81.9, 86.9),
    },
    "Llama-3.1-70B": {
        "I/O prompt": (48.0, 91.0, 85.4),
        "CoT": (50.4, 91.3, 84.3),
        "RAG": (49.8, 45.4, 84.4),
        "ToG": (38.4, 31.0, 85.9),
        "GIVE a": (56.0, 91.7, 86.4),
        "GIVE a+c": (56.2, 91.7, 86.9),
        "GIVE a+c+e": (56.0, 92.6, 86.4),
    },
}


class Biomedical(GiveStudy):
    """Accuracy of each method on each set. The option "beside" names the model whose published figures stand
    beside ours.
    """

    name = "give-biomedical"
    title = "Does give answer biomedical questions better than the baselines, from a graph of 135 entities?"
    shown_as = "table 3"
    data = ("pubmedqa", "bioasq", "processbank", "umls")
    sets = BIOMEDICAL

    def arms(self, set_name: str, settings: Settings) -> Sequence[Arm]:
        return method_arms(settings, tuple(METHOD_NAMES))

    def report(self, rows: Sequence[Row], settings: Settings) -> Report:
        rows = [fields_of(row) for row in rows]
        sets = self.sets_in(settings)
        model = beside(settings)
        published = {
            line: tuple(figures[BIOMEDICAL.index(name)] for name in sets)
            for line, figures in PUBLISHED[model].items()
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
        return Report(tables=(table,), findings=tuple(findings(rows, arms, sets)))


def findings(rows: Sequence[Row], arms: Sequence[str], sets: Sequence[str]) -> list[str]:
    """Return a sentence for each set and baseline that says which of the two is right more often."""
    give = Line(STAGES["ace"], "GIVE")
    sentences = [
        compared([row for row in rows if row.get("set") == name], give, Line(arm, arm), SET_NAMES[name])
        for name in sets
        for arm in arms
        if arm != "GIVE"
    ]
    return [sentence for sentence in sentences if sentence]


def beside(settings: Settings) -> str:
    """Return the model whose published figures are shown."""
    model = str(settings.option("beside", "GPT3.5-turbo"))
    if model not in PUBLISHED:
        raise InputError(
            f"the paper has no figures of {model!r} in table 3", hint=f"use one of {', '.join(PUBLISHED)}"
        )
    return model
