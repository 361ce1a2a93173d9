"""Figures 7 and 8: which questions give and ToG, or give and RAG, answer right."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from probative.bench.experiment import Settings
from probative.bench.experiments.give_study.figures import Line, paired_accuracy, right, set_columns
from probative.bench.experiments.give_study.study import METHOD_NAMES, SET_NAMES, Arm, GiveStudy, method_arms
from probative.bench.findings import counted, difference_finding
from probative.bench.judging import judged_cell
from probative.bench.published import GIVE
from probative.bench.report import Plot, Report, Series, Table, TableRow
from probative.bench.rows import Row
from probative.bench.statistics import first_against
from probative.bench.tables import (
    rows_of,
)

KINDS = ("only GIVE right", "both right", "both wrong", "only the other right")
MISSED = "of the other's right answers, missed by GIVE"

FIGURES = {"tog": "figure 7", "rag": "figure 8"}


class Overlap(GiveStudy):
    """The shares of questions that both, one or none of two methods answer right."""

    name = "give-overlap"
    title = "Which questions does only give answer right, and which only ToG or RAG?"
    paper_reference = "figures 7 and 8"

    def arms(self, set_name: str, settings: Settings) -> Sequence[Arm]:
        return method_arms(settings, ("rag", "tog", "give"))

    def shown(self, rows: Sequence[Row], sets: Sequence[str], settings: Settings) -> Report:
        names = {arm.name for arm in self.arms(sets[0], settings)}
        others = [method for method in FIGURES if METHOD_NAMES[method] in names]
        lines = [Line(METHOD_NAMES[method], METHOD_NAMES[method]) for method in ("give", *others)]
        pairs = first_against(lines[0].name, [line.name for line in lines])
        tests = paired_accuracy(lines, set_columns(sets), rows, pairs)
        return Report(
            tables=(*(overlap_table(rows, sets, other) for other in others), *tests),
            plots=tuple(overlap_plot(rows, sets, other) for other in others),
            findings=(difference_finding(tests, "accuracy"), *overlap_findings(rows, sets, others)),
        )


def kinds_of(rows: Sequence[Row], set_name: str, other: str) -> Mapping[str, str]:
    """Return for each question that both methods were asked which of them is right."""
    give, rival = (
        {row["id"]: right(row, "ace") for row in rows_of(rows, set=set_name, arm=METHOD_NAMES[method])}
        for method in ("give", other)
    )
    kinds = dict(zip(((True, False), (True, True), (False, False), (False, True)), KINDS, strict=True))
    return {name: kinds[give[name], rival[name]] for name in sorted(give.keys() & rival.keys())}


def overlap_findings(rows: Sequence[Row], sets: Sequence[str], others: Sequence[str]) -> Iterator[str]:
    """Yield how many questions of each set only one of two methods answers right, both, and none."""
    for other in others:
        for name in sets:
            kinds = list(kinds_of(rows, name, other).values())
            only_give, both, neither, only_other = (kinds.count(kind) for kind in KINDS)
            if kinds:
                yield (
                    f"{SET_NAMES[name]}: of {counted(len(kinds), 'question')} only GIVE is right on "
                    f"{only_give}, only "
                    f"{METHOD_NAMES[other]} on {only_other}, both on {both} and neither on {neither}."
                )


def overlap_table(rows: Sequence[Row], sets: Sequence[str], other: str) -> Table:
    """Return the share of each kind of question in percent, for each set."""
    kinds = {name: list(kinds_of(rows, name, other).values()) for name in sets}
    published = GIVE.overlap[other]

    def line(kind: str, among: Sequence[str], found: str) -> TableRow:
        cells = tuple(
            judged_cell(
                [each == found for each in kinds[name] if each in among], published.get(kind, {}).get(name)
            )
            for name in sets
        )
        return TableRow(name=kind.replace("the other", METHOD_NAMES[other]), cells=cells)

    return Table(
        title=f"GIVE a+c+e and {METHOD_NAMES[other]} ({FIGURES[other]})",
        corner="share of questions, %",
        columns=tuple(SET_NAMES[name] for name in sets),
        rows=(*(line(kind, KINDS, kind) for kind in KINDS), line(MISSED, (KINDS[1], KINDS[3]), KINDS[3])),
        note="Published: GPT3.5-turbo; only the shares that our text of the paper shows.",
    )


def overlap_plot(rows: Sequence[Row], sets: Sequence[str], other: str) -> Plot:
    """Return the shares as bars, a group for each kind."""
    kinds = {name: list(kinds_of(rows, name, other).values()) for name in sets}
    return Plot(
        title=f"GIVE a+c+e and {METHOD_NAMES[other]}",
        kind="bars",
        x="set",
        y="share of questions, %",
        series=tuple(
            Series(
                name=kind.replace("the other", METHOD_NAMES[other]),
                points=tuple(
                    (float(place), 100 * kinds[name].count(kind) / len(kinds[name]))
                    for place, name in enumerate(sets)
                    if kinds[name]
                ),
            )
            for kind in KINDS
        ),
        ticks=tuple(SET_NAMES[name] for name in sets),
    )
