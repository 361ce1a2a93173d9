"""Studies of Chain of Evidence: samples with several contexts, asked with shares of other text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar, get_args

from probative.bench.families.coe.candidates import MULTIHOP, TITLES, draw_candidates
from probative.bench.families.coe.sample import Context, Sample, build_sample, find_wrong
from probative.bench.families.coe.tables import ShareTable, is_judged, overall_tests, sample_findings
from probative.bench.families.coe.trials import (
    effectiveness_trials,
    faithfulness_trials,
    misinformation_of,
    robustness_trials,
)
from probative.bench.findings import difference_finding
from probative.bench.published import COE, ByContext
from probative.bench.report import Report
from probative.bench.rows import Row
from probative.bench.study import Case, Lab, Paper, Settings, Study
from probative.errors import InputError
from probative.scope.options import Form

MODELS = ("GPT-3.5", "GPT-4", "Llama2-13B", "Llama3-70B", "Qwen2.5-32B")
"""The models whose figures may stand beside ours; the appendices have only the first."""
CANDIDATES = 1000
"""The candidates of the paper, for each data set."""


class ContextStudy(Study):
    """A study that asks every sample with several contexts.

    Its options are `published` (the model of the paper whose figures stand beside ours), `temperature` (that
    of the studied model, 0.7 unless named), `form` (how relations are written: triples, or described as in
    the first version of the paper), `misinformation` (robustness: mixed, replacement, generation or all) and
    `preset` (usability: the preset of scope).
    """

    paper: ClassVar[Paper] = "Chain of Evidence"
    judged: ClassVar[bool] = True
    limit_of: ClassVar[str] = "candidates, of all sets together"
    repeated: ClassVar[bool] = True
    data: ClassVar[tuple[str, ...]] = (*MULTIHOP, "2wiki-corpus")
    options: ClassVar[tuple[str, ...]] = ("published", "temperature", "form", "misinformation", "preset")
    drawn_from: ClassVar[tuple[str, ...]] = MULTIHOP
    """The data sets that samples are drawn from; irrelevant text may come from others."""
    contexts: ClassVar[tuple[Context, ...]] = ("CoE", "SenP", "WordP")
    study: ClassVar[str] = "effectiveness"
    """The study of the trials: effectiveness, faithfulness or robustness."""
    figure: ClassVar[str] = "accuracy"
    """What the trials measure, in a finding."""

    def cases(self, settings: Settings) -> Sequence[Case]:
        self.check_options(settings)
        return draw_candidates(settings, self.drawn_from)

    def check_options(self, settings: Settings) -> None:
        super().check_options(settings)
        published_model(settings)
        if settings.option("form", "triples") not in get_args(Form):
            raise InputError(f"form must be one of {', '.join(get_args(Form))}")

    def answer(self, case: Case, lab: Lab) -> Row:
        sample = build_sample(lab, case, self.contexts)
        row = sample.row(lab)
        return row if sample.left_out else {**row, **self.trials(case, lab, sample)}

    def trials(self, case: Case, lab: Lab, sample: Sample) -> Row:
        """Return the trials of a sample as `trials`, or why it cannot be used as `left_out`."""
        return {"trials": effectiveness_trials(lab, case, sample)}

    def published(self, name: str, settings: Settings) -> Mapping[str, ByContext]:
        """Return the tables of a data set: the study of each, with its published figures."""
        return {self.study: getattr(COE, self.study)[published_model(settings)][name]}

    def report(self, rows: Sequence[Row], settings: Settings) -> Report:
        tables = {}
        for name in self.drawn_from:
            own = [row for row in rows if row.get("set") == name]
            published = self.published(name, settings)
            for study, figures in published.items():
                title = f"{TITLES[name]}, {study}"
                short = TITLES[name] if len(published) == 1 else title
                tables[short] = ShareTable(title, study, own, self.contexts, figures)
        judged, tests = is_judged(rows), overall_tests(tables)
        return Report(
            tables=(*(each for table in tables.values() for each in table.tables(judged=judged)), *tests),
            plots=tuple(table.plot() for table in tables.values()),
            findings=(
                difference_finding(tests, self.figure, "sample"),
                *(text for name, table in tables.items() for text in table.finding(name, self.figure)),
                *sample_findings(rows),
            ),
        )


def published_model(settings: Settings) -> str:
    """Return the model of the paper whose figures stand beside ours; raises InputError."""
    name = str(settings.option("published", MODELS[0]))
    if name not in MODELS:
        raise InputError(f"the paper has no model {name!r}", hint=f"use one of {', '.join(MODELS)}")
    return name


class ThreeStudies(ContextStudy):
    """Effectiveness, faithfulness and robustness of the same samples."""

    figure: ClassVar[str] = "rate"
    figures: ClassVar[Mapping[str, ByContext]]
    """The published figures of each study."""

    def trials(self, case: Case, lab: Lab, sample: Sample) -> Row:
        """Return the trials of all three studies; without a wrong answer, of effectiveness alone."""
        trials = effectiveness_trials(lab, case, sample)
        wrong = find_wrong(lab, case, sample)
        if wrong.left_out is not None:
            return {"trials": trials, "only_effectiveness": wrong.left_out}
        trials += faithfulness_trials(lab, case, sample, wrong)
        texts = misinformation_of(lab, sample, wrong)["mixed"]
        if texts:
            trials += robustness_trials(lab, case, sample, {"mixed": texts})
        return {"trials": trials, "wrong": wrong.answer, "misinformation": texts}

    def published(self, name: str, settings: Settings) -> Mapping[str, ByContext]:
        return self.figures
