"""Studies of Chain of Evidence: samples with several contexts, asked with shares of other text; their tables,
plots and findings, with intervals, tests and published figures.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any, ClassVar, NamedTuple, get_args

from probative.bench.families.coe.candidates import MULTIHOP, TITLES, draw_candidates
from probative.bench.families.coe.sample import Context, Sample, build_sample, find_wrong
from probative.bench.families.coe.trials import (
    SHARES,
    effectiveness_trials,
    faithfulness_trials,
    misinformation_of,
    robustness_trials,
)
from probative.bench.findings import counted, difference_finding, joined
from probative.bench.metrics import mean
from probative.bench.published import COE, ByContext
from probative.bench.report import Plot, Report, Series, Table, TableRow
from probative.bench.rows import Row, rows_of
from probative.bench.statistics import (
    LEVEL,
    NO_TEST,
    first_against,
    mann_whitney,
    p_text,
    paired_table,
    share_cell,
)
from probative.bench.study import Case, Lab, Paper, Settings, Study
from probative.errors import InputError, MissingExtraError
from probative.scope.options import PRESETS, Form

MANN_WHITNEY = (
    "p: two-sided Mann-Whitney test over the samples' means, as in the paper; *: below 0.05, not corrected "
    "for the number of tests."
)


def is_judged(rows: Sequence[Row]) -> bool:
    """Return whether a judge model judged the answers."""
    return any(row.get("judge") for row in rows)


def sample_means(rows: Sequence[Row], measure: str = "right", **fields: Any) -> dict[str, float]:
    """Return a figure for each sample: the mean over its trials that have these values in their fields. An
    undecided judgement counts as wrong.
    """
    means = {}
    for row in rows:
        trials = [trial for trial in rows_of(row.get("trials", ()), **fields) if measure in trial]
        if trials:
            means[f"{row['set']} {row['id']}"] = mean([float(trial[measure] or 0.0) for trial in trials])
    return means


class ShareTable(NamedTuple):
    """Means of a study over samples, by the share of other text and the context.

    `study` is that of the trials; `published` has the figures of each context in the order of `SHARES`.
    """

    title: str
    study: str
    rows: Sequence[Row]
    contexts: Sequence[str]
    published: ByContext

    @property
    def corner(self) -> str:
        """What the shares are of."""
        text = "misinformation" if self.study.startswith("robustness") else "irrelevant text"
        return f"{text}, share of characters"

    def values(self, context: str, measure: str = "right", **fields: Any) -> list[float]:
        """Return the mean of each sample with a context."""
        means = sample_means(self.rows, measure, study=self.study, context=context, **fields)
        return list(means.values())

    def tables(self, *, judged: bool) -> list[Table]:
        """Return the table of judged answers, if there is a judge, and those of exact match and F1."""
        if judged:
            return [self._table("right", "judged"), self._table("em", "exact match"), self._table("f1", "F1")]
        # Exact match stands in for the judge, so the published figures belong beside it.
        return [self._table("right", "exact match"), self._table("f1", "F1")]

    def _table(self, measure: str, name: str) -> Table:
        """Return a row for each share and a column for each context; the first context is tested against each
        of the others (Mann-Whitney).
        """
        first, *others = self.contexts
        means = {
            share: {context: self.values(context, measure, share=share) for context in self.contexts}
            for share in SHARES
        }
        cell_of = share_cell(chain.from_iterable(chain(*(each.values() for each in means.values()))))
        published = self.published if measure == "right" else {}
        rows = []
        for at, (share, values) in enumerate(means.items()):
            figures = [published[context][at] if context in published else None for context in self.contexts]
            cells = [*map(cell_of, values.values(), figures)]
            tests = [p_value(values[first], values[other]) for other in others]
            rows.append(TableRow(name=f"{share:g}", cells=(*cells, *tests)))
        return Table(
            title=f"{self.title}, {name}",
            corner=self.corner,
            columns=(*self.contexts, *(f"p, {first} and {other}" for other in others)),
            rows=tuple(rows),
            note=MANN_WHITNEY if others else "",
        )

    def plot(self) -> Plot:
        """Return lines over the share of other text, ours and the published ones."""
        series = []
        for context in self.contexts:
            means = [(share, self.values(context, share=share)) for share in SHARES]
            points = tuple((share, 100 * mean(values)) for share, values in means if values)
            series.append(Series(name=context, points=points))
            if context in self.published:
                points = tuple(zip(SHARES, self.published[context], strict=True))
                series.append(Series(name=context, points=points, published=True))
        return Plot(title=self.title, kind="lines", x=self.corner, y="percent", series=tuple(series))

    def by_context(self) -> dict[str, dict[str, float]]:
        """Return the mean of each sample over all shares, by context."""
        return {
            context: sample_means(self.rows, study=self.study, context=context) for context in self.contexts
        }

    def finding(self, name: str, figure: str) -> list[str]:
        """Return a sentence with the mean over all shares with each context; nothing without a sample."""
        values = {context: list(means.values()) for context, means in self.by_context().items() if means}
        if not values:
            return []
        means = joined(f"{100 * mean(values[context]):.1f}% with {context}" for context in values)
        n = max(map(len, values.values()))
        return [f"{name}: over all shares the {figure} is {means} (n = {n})."]


def overall_tests(tables: dict[str, ShareTable]) -> tuple[Table, ...]:
    """Return paired tests of the first context against each other one, over the samples' means of all shares.

    The tables by share test as the paper does; these tests are fewer, and use that every sample was asked
    with each context.
    """
    first, *others = next(iter(tables.values())).contexts
    groups = {name: table.by_context() for name, table in tables.items()}
    return paired_table("Paired tests, mean over all shares", first_against(first, others), groups)


def p_value(first: Sequence[float], second: Sequence[float]) -> str:
    """Return the p-value of the Mann-Whitney test as text, with a star below 0.05; a dash without values."""
    if not first or not second:
        return "-"
    if {*first} == {*second} and len({*first}) == 1:
        return p_text(1.0)  # all values are equal, for which the test is not defined
    try:
        p = mann_whitney(first, second)
    except MissingExtraError:  # the figures were paid for: show them without the test
        return NO_TEST
    return p_text(p) + ("*" if p < LEVEL else "")


def sample_findings(rows: Sequence[Row]) -> list[str]:
    """Return how many candidates were used, and why others were not; errors are counted too."""
    used = sum(not row.get("error") and not row.get("left_out") for row in rows)
    findings = [f"{used} of {counted(len(rows), 'candidate')} can be used."]
    reasons = Counter(str(row["left_out"]) for row in rows if row.get("left_out"))
    findings += [
        f"{counted(count, 'candidate')} left out: {reason}." for reason, count in reasons.most_common(6)
    ]
    # The messages stand in the notes of the run.
    failed = sum(bool(row.get("error")) for row in rows)
    findings += [f"{counted(failed, 'candidate')} failed."] if failed else []
    built = {str(row["built_by"]) for row in rows if row.get("built_by")}
    findings += [f"Samples were built by {name}." for name in sorted(built)]
    trials = [trial for row in rows for trial in row.get("trials", ())]
    if undecided := sum(trial["right"] is None for trial in trials):
        findings.append(
            f"The judge said neither yes nor no about {undecided} of {len(trials)} answers: counted as wrong."
        )
    return findings


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

    def shipped_models(self, settings: Settings) -> frozenset[str]:
        return frozenset()

    def cases(self, settings: Settings) -> Sequence[Case]:
        self.check_options(settings)
        return draw_candidates(settings, self.drawn_from)

    def check_options(self, settings: Settings) -> None:
        super().check_options(settings)
        published_model(settings)
        check_preset(settings)
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
            in_set = rows_of(rows, set=name)
            published = self.published(name, settings)
            for study, figures in published.items():
                title = f"{TITLES[name]}, {study}"
                short = TITLES[name] if len(published) == 1 else title
                tables[short] = ShareTable(title, study, in_set, self.contexts, figures)
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


def check_preset(settings: Settings) -> None:
    """Raise `InputError` if the option `preset` names no preset of scope."""
    preset = settings.option("preset", None)
    if preset is not None and preset not in PRESETS:
        raise InputError(f"scope has no preset {preset!r}", hint=f"use one of {', '.join(PRESETS)}")


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
