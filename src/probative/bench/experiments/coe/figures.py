"""Tables and plots over trials: accuracy or following rate by share, with intervals, tests and published
figures.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from probative.bench.experiment import Settings
from probative.bench.experiments.coe.trials import SHARES
from probative.bench.findings import counted, joined
from probative.bench.metrics import mean
from probative.bench.published import ByContext
from probative.bench.report import Cell, Plot, Series, Table, TableRow
from probative.bench.rows import Row
from probative.bench.statistics import (
    LEVEL,
    NO_TEST,
    first_against,
    mann_whitney,
    p_text,
    paired_table,
    share_cell,
)
from probative.bench.tables import rows_of
from probative.errors import InputError, MissingExtraError

Published = Mapping[tuple[str, float], float]
"""A published figure by context and share."""
MODELS = ("GPT-3.5", "GPT-4", "Llama2-13B", "Llama3-70B", "Qwen2.5-32B")
DEFAULT_MODEL = "GPT-3.5"
"""The model whose figures stand beside ours, unless the option `published` names another: the appendices have
only this one."""

OVERALL = "Paired tests, mean over all shares"
MEASURES = {"right": "judged", "em": "exact match", "f1": "F1"}
MANN_WHITNEY = (
    "p: two-sided Mann-Whitney test over the samples' means, as in the paper; *: below 0.05, not corrected "
    "for the number of tests."
)


class Layout(NamedTuple):
    """What a table shows: its title, what the shares are of, its contexts, shares and published figures."""

    title: str
    corner: str
    contexts: Sequence[str]
    shares: Sequence[float]
    published: Published


def values(rows: Sequence[Row], measure: str = "right", **fields: Any) -> list[float]:
    """Return a figure for each sample: the mean over its trials that have these values in their fields. An
    undecided judgement counts as wrong.
    """
    return [figure for _, figure in _by_sample(rows, measure, fields)]


def share_table(rows: Sequence[Row], study: str, layout: Layout, measure: str = "right") -> Table:
    """Return a table with a row for each share and a column for each context; the first context is tested
    against each of the others (Mann-Whitney).
    """
    first, *others = layout.contexts
    columns = (*layout.contexts, *(f"p, {first} and {other}" for other in others))
    table_rows = []
    by_share = {
        share: {
            name: values(rows, measure, study=study, context=name, share=share) for name in layout.contexts
        }
        for share in layout.shares
    }
    cell_of = share_cell(value for own in by_share.values() for found in own.values() for value in found)
    for share, by_context in by_share.items():
        cells: list[Cell | str] = [
            cell_of(found, layout.published.get((name, share)) if measure == "right" else None)
            for name, found in by_context.items()
        ]
        cells += [p_value(by_context[first], by_context[other]) for other in others]
        table_rows.append(TableRow(name=f"{share:g}", cells=tuple(cells)))
    return Table(
        title=f"{layout.title}, {MEASURES[measure]}",
        corner=layout.corner,
        columns=columns,
        rows=tuple(table_rows),
        note=MANN_WHITNEY if others else "",
    )


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


def share_plot(rows: Sequence[Row], study: str, layout: Layout) -> Plot:
    """Return lines over the share of other text, ours and the published ones."""
    series = []
    for name in layout.contexts:
        points = [(share, values(rows, study=study, context=name, share=share)) for share in layout.shares]
        series.append(
            Series(name=name, points=tuple((share, 100 * mean(own)) for share, own in points if own))
        )
        known = [
            (share, layout.published[name, share])
            for share in layout.shares
            if (name, share) in layout.published
        ]
        if known:
            series.append(Series(name=name, points=tuple(known), published=True))
    return Plot(title=layout.title, kind="lines", x=layout.corner, y="percent", series=tuple(series))


def with_measures(rows: Sequence[Row], study: str, layout: Layout, *, judged: bool) -> list[Table]:
    """Return the table of judged answers, if there is a judge, and those of exact match and F1."""
    measures = ["right", "em", "f1"] if judged else ["em", "f1"]
    tables = [share_table(rows, study, layout, measure) for measure in measures]
    if not judged:  # exact match stands in for the judge, so the published figures belong beside it
        title = f"{layout.title}, exact match"
        tables[0] = share_table(rows, study, layout).model_copy(update={"title": title})
    return tables


def overall_tests(groups: Mapping[str, tuple[Sequence[Row], str]], layout: Layout) -> tuple[Table, ...]:
    """Return paired tests of the first context against each other one, over the samples' means of all shares.

    `groups` has the rows and the study of each column. The tables by share test as the paper does; these
    tests are fewer, and use that every sample was asked with each context.
    """
    first, *others = layout.contexts
    by_group = {
        name: {context: sample_means(rows, study=study, context=context) for context in layout.contexts}
        for name, (rows, study) in groups.items()
    }
    return paired_table(OVERALL, first_against(first, others), by_group)


def overall_findings(
    groups: Mapping[str, tuple[Sequence[Row], str]], contexts: Sequence[str], figure: str
) -> list[str]:
    """Return the mean over all shares with each context, a sentence for each group."""
    sentences = []
    for name, (rows, study) in groups.items():
        found = {context: values(rows, study=study, context=context) for context in contexts}
        known = {context: own for context, own in found.items() if own}
        if known:
            means = joined(f"{100 * mean(own):.1f}% with {context}" for context, own in known.items())
            n = max(map(len, known.values()))
            sentences.append(f"{name}: over all shares the {figure} is {means} (n = {n}).")
    return sentences


def sample_means(rows: Sequence[Row], measure: str = "right", **fields: Any) -> dict[str, float]:
    """Return the same figures by the id of the sample."""
    return dict(_by_sample(rows, measure, fields))


def _by_sample(rows: Sequence[Row], measure: str, fields: Mapping[str, Any]) -> Iterator[tuple[str, float]]:
    for row in rows:
        trials = [trial for trial in rows_of(row.get("trials", ()), **fields) if measure in trial]
        if trials:
            yield str(row["id"]), mean([float(trial[measure] or 0.0) for trial in trials])


def sample_findings(rows: Sequence[Row]) -> list[str]:
    """Return how many candidates were used, and why others were not; errors are counted too."""
    findings = [f"{sum(_used(row) for row in rows)} of {counted(len(rows), 'candidate')} can be used."]
    reasons = Counter(str(row["left_out"]) for row in rows if row.get("left_out"))
    findings += [
        f"{counted(count, 'candidate')} left out: {reason}." for reason, count in reasons.most_common(6)
    ]
    # The messages stand in the notes of the run.
    failed = sum(bool(row.get("error")) for row in rows)
    findings += [f"{counted(failed, 'candidate')} failed."] if failed else []
    built = {str(row["built_by"]) for row in rows if row.get("built_by")}
    findings += [f"Samples were built by {name}." for name in sorted(built)]
    trials: list[Any] = [trial for row in rows for trial in row.get("trials", ())]
    undecided = sum(trial["right"] is None for trial in trials)
    if undecided:
        findings.append(
            f"The judge said neither yes nor no about {undecided} of {len(trials)} answers: counted as wrong."
        )
    return findings


def _used(row: Row) -> bool:
    return not row.get("error") and not row.get("left_out")


def published_model(settings: Settings) -> str:
    """Return the model of the paper whose figures stand beside ours; raises InputError."""
    name = str(settings.option("published", DEFAULT_MODEL))
    if name not in MODELS:
        raise InputError(f"the paper has no model {name!r}", hint=f"use one of {', '.join(MODELS)}")
    return name


def by_share(figures: ByContext) -> dict[tuple[str, float], float]:
    """Return figures by context and share.

    >>> by_share({"CoE": (9.0, 8.0, 7.0, 6.0)})["CoE", 0.5]
    7.0
    """
    return {
        (context, share): value
        for context, row in figures.items()
        for share, value in zip(SHARES, row, strict=True)
    }
