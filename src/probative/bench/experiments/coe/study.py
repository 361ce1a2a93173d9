"""What the studies over shares of other text share: samples, trials of every arm, a table by share."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import ClassVar, get_args

from probative.bench.experiment import Case, Experiment, Lab, Paper, Settings
from probative.bench.experiments.coe.candidates import MULTIHOP, TITLES, draw_candidates
from probative.bench.experiments.coe.figures import (
    Layout,
    Published,
    overall_findings,
    overall_tests,
    published_model,
    sample_findings,
    share_plot,
    with_measures,
)
from probative.bench.experiments.coe.irrelevant import irrelevant_sentences, open_collection
from probative.bench.experiments.coe.sample import Context, Sample, build_sample, open_builder
from probative.bench.experiments.coe.trials import SHARES, sample_row
from probative.bench.findings import difference_finding
from probative.bench.report import Report
from probative.bench.rows import Row
from probative.errors import InputError
from probative.scope.options import Form

CORNERS = {
    "effectiveness": "irrelevant text, share of characters",
    "faithfulness": "irrelevant text, share of characters",
    "robustness": "misinformation, share of characters",
}
OPTIONS = {
    "published": "the model of the paper whose figures stand beside ours",
    "temperature": "the temperature of the studied model, 0.7 unless named",
    "form": "how relations are written: triples or described (first version of the paper)",
    "misinformation": "robustness: mixed, replacement, generation or all",
    "preset": "usability: the preset of scope",
}


class ShareStudy(Experiment):
    """A study that asks every sample with several contexts and shares of other text."""

    paper: ClassVar[Paper] = "Chain of Evidence"
    judged: ClassVar[bool] = True
    limit_of: ClassVar[str] = "candidates, of all sets together"
    repeated: ClassVar[bool] = True
    data: ClassVar[tuple[str, ...]] = (*MULTIHOP, "2wiki-corpus")
    sets: ClassVar[tuple[str, ...]] = MULTIHOP
    """The data sets that samples are drawn from; irrelevant text may come from others."""
    contexts: ClassVar[tuple[Context, ...]] = ("CoE", "SenP", "WordP")
    figure: ClassVar[str] = "accuracy"
    """What the trials measure, in a finding."""

    def cases(self, settings: Settings) -> Sequence[Case]:
        check_options(settings)
        return draw_candidates(settings, self.sets)

    def run(self, case: Case, lab: Lab) -> Row:
        sample = build_sample(lab, case, self.contexts)
        row = sample_row(sample, **who(lab, sample))
        return row if sample.left_out else {**row, **self.study(case, lab, sample)}

    @abstractmethod
    def study(self, case: Case, lab: Lab, sample: Sample) -> Row:
        """Return the trials of a sample as `trials`, or why it cannot be used as `left_out`."""

    def report(self, rows: Sequence[Row], settings: Settings) -> Report:
        tables, plots = [], []
        tested: dict[str, tuple[Sequence[Row], str]] = {}
        judged = any(row.get("judge") for row in rows)
        for name in self.sets:
            own = [row for row in rows if row.get("set") == name]
            layouts = self.layouts(name, settings)
            for study, published in layouts.items():
                layout = Layout(
                    title=f"{TITLES[name]}, {study}",
                    corner=CORNERS[study.split()[0]],
                    contexts=self.contexts,
                    shares=SHARES,
                    published=published,
                )
                tables += with_measures(own, study, layout, judged=judged)
                plots.append(share_plot(own, study, layout))
                tested[TITLES[name] if len(layouts) == 1 else layout.title] = (own, study)
        tests = overall_tests(tested, layout) if tested else ()
        findings = (
            difference_finding(tests, self.figure, "sample"),
            *overall_findings(tested, self.contexts, self.figure),
            *sample_findings(rows),
        )
        return Report(tables=(*tables, *tests), plots=tuple(plots), findings=findings)

    def layouts(self, name: str, settings: Settings) -> Mapping[str, Published]:
        """Return the studies that are shown for a data set, each with the published figures; none where the
        report is another.
        """
        return {}


def check_options(settings: Settings) -> None:
    """Raise InputError for an option that no study has, or with a value that it cannot have."""
    if unknown := sorted(set(settings.options or {}) - set(OPTIONS)):
        raise InputError(
            f"there is no option {', '.join(unknown)}", hint=f"the options are {', '.join(OPTIONS)}"
        )
    published_model(settings)
    if settings.option("form", "triples") not in get_args(Form):
        raise InputError(f"form must be one of {', '.join(get_args(Form))}")


def who(lab: Lab, sample: Sample) -> Row:
    """Return who built the sample and who judges the answers."""
    judge = lab.judge_model
    return {
        "built_by": open_builder(lab, sample.candidate).name,
        "judge": None if judge is None else judge.name,
    }


def irrelevant_for(lab: Lab, sample: Sample) -> list[str]:
    """Return the irrelevant sentences for the nodes of a sample."""
    collection = open_collection(lab.settings.data, sample.candidate.set)
    return irrelevant_sentences(collection, sample.candidate, sample.nodes)
