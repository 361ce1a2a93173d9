"""Tables, plots and findings over trials: accuracy or following rate by share, with intervals, tests and
published figures.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

from probative.bench.families.coe.trials import SHARES
from probative.bench.findings import counted, joined
from probative.bench.metrics import mean
from probative.bench.published import ByContext
from probative.bench.report import Plot, Series, Table, TableRow
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
from probative.errors import MissingExtraError

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
        cell_of = share_cell(value for own in means.values() for values in own.values() for value in values)
        published = self.published if measure == "right" else {}
        rows = [
            TableRow(
                name=f"{share:g}",
                cells=(
                    *(
                        cell_of(own[context], published[context][at] if context in published else None)
                        for context in self.contexts
                    ),
                    *(p_value(own[first], own[other]) for other in others),
                ),
            )
            for at, (share, own) in enumerate(means.items())
        ]
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
            points = tuple((share, 100 * mean(own)) for share, own in means if own)
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
        known = {context: list(own.values()) for context, own in self.by_context().items() if own}
        if not known:
            return []
        means = joined(f"{100 * mean(own):.1f}% with {context}" for context, own in known.items())
        n = max(map(len, known.values()))
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
